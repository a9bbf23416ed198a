package v1

import (
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

func deepCopyConditions(in []metav1.Condition) []metav1.Condition {
	return slices.Clone(in) // metav1.Condition holds values only
}

// DeepCopy returns an independent copy.
func (in *Database) DeepCopy() *Database {
	if in == nil {
		return nil
	}
	out := *in
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Spec.Parameters = maps.Clone(in.Spec.Parameters)
	out.Status = *in.Status.DeepCopy()
	return &out
}

// DeepCopy returns an independent copy.
func (in *DatabaseStatus) DeepCopy() *DatabaseStatus {
	out := *in
	out.Conditions = deepCopyConditions(in.Conditions)
	return &out
}

// DeepCopyObject implements runtime.Object.
func (in *Database) DeepCopyObject() runtime.Object { return in.DeepCopy() }

// DeepCopyObject implements runtime.Object.
func (in *DatabaseList) DeepCopyObject() runtime.Object {
	out := *in
	in.ListMeta.DeepCopyInto(&out.ListMeta)
	out.Items = make([]Database, len(in.Items))
	for i := range in.Items {
		out.Items[i] = *in.Items[i].DeepCopy()
	}
	return &out
}

// DeepCopy returns an independent copy.
func (in *Backup) DeepCopy() *Backup {
	if in == nil {
		return nil
	}
	out := *in
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Status.Conditions = deepCopyConditions(in.Status.Conditions)
	return &out
}

// DeepCopyObject implements runtime.Object.
func (in *Backup) DeepCopyObject() runtime.Object { return in.DeepCopy() }

// DeepCopyObject implements runtime.Object.
func (in *BackupList) DeepCopyObject() runtime.Object {
	out := *in
	in.ListMeta.DeepCopyInto(&out.ListMeta)
	out.Items = make([]Backup, len(in.Items))
	for i := range in.Items {
		out.Items[i] = *in.Items[i].DeepCopy()
	}
	return &out
}
