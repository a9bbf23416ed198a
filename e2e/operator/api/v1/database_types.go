// Package v1 holds the kinds of the example operator: Database (db.example.com), which it owns, and Backup
// (backup.example.com), which another operator would own and which this one only creates.
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Condition types of a Database.
const (
	ConditionReady       = "Ready"
	ConditionProgressing = "Progressing"
)

// Phases of a Database.
const (
	PhaseProvisioning = "Provisioning"
	PhaseReady        = "Ready"
	PhaseFailed       = "Failed"
	PhaseDeleting     = "Deleting"
)

// DatabaseGroupVersion is the group and version of Database.
var DatabaseGroupVersion = schema.GroupVersion{Group: "db.example.com", Version: "v1"}

// AddToScheme registers every kind of this package.
func AddToScheme(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(DatabaseGroupVersion, &Database{}, &DatabaseList{})
	metav1.AddToGroupVersion(scheme, DatabaseGroupVersion)
	scheme.AddKnownTypes(BackupGroupVersion, &Backup{}, &BackupList{})
	metav1.AddToGroupVersion(scheme, BackupGroupVersion)
	return nil
}

// DatabaseSpec is what the user asks for.
type DatabaseSpec struct {
	// Engine is postgres or mysql.
	Engine string `json:"engine"`
	// Version of the engine, such as "17".
	Version string `json:"version"`
	// Replicas defaults to 1 in the CRD.
	Replicas int32 `json:"replicas,omitempty"`
	// Parameters go to the engine's configuration.
	Parameters map[string]string `json:"parameters,omitempty"`
}

// DatabaseStatus is what the operator found.
type DatabaseStatus struct {
	Phase              string             `json:"phase,omitempty"`
	ReadyReplicas      int32              `json:"readyReplicas"`
	ObservedGeneration int64              `json:"observedGeneration,omitempty"`
	Conditions         []metav1.Condition `json:"conditions,omitempty"`
	// LastReconcileTime is only written with --hot-loop: it makes every status write wake the next reconcile.
	LastReconcileTime string `json:"lastReconcileTime,omitempty"`
}

// Database is one database server with its replicas.
type Database struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   DatabaseSpec   `json:"spec,omitempty"`
	Status DatabaseStatus `json:"status,omitempty"`
}

// DatabaseList is a list of Database.
type DatabaseList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Database `json:"items"`
}
