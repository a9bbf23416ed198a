package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// BackupGroupVersion is the group and version of Backup.
var BackupGroupVersion = schema.GroupVersion{Group: "backup.example.com", Version: "v1"}

// BackupSpec names what to back up, and when.
type BackupSpec struct {
	DatabaseName string `json:"databaseName"`
	Schedule     string `json:"schedule"`
}

// BackupStatus belongs to the operator of Backup, never to this one.
type BackupStatus struct {
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// Backup is a foreign kind with a status subresource: this operator creates it and never writes its status.
type Backup struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   BackupSpec   `json:"spec,omitempty"`
	Status BackupStatus `json:"status,omitempty"`
}

// BackupList is a list of Backup.
type BackupList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Backup `json:"items"`
}
