package controller

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apimeta "k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	v1 "loopscope.dev/e2e/operator/api/v1"
)

// BackupReconciler is a second controller of the operator: it keeps a ConfigMap with the schedule of every Backup, and the
// Backup's own status. The Backups themselves are made by the DatabaseReconciler (CreateBackups).
type BackupReconciler struct {
	client.Client
	Wrap Wrap
}

// +kubebuilder:rbac:groups=backup.example.com,resources=backups,verbs=get;list;watch
// +kubebuilder:rbac:groups=backup.example.com,resources=backups/status,verbs=update
// +kubebuilder:rbac:groups=backup.example.com,resources=backups/finalizers,verbs=update
// +kubebuilder:rbac:groups="",resources=configmaps,verbs=get;list;watch;create;update

// SetupWithManager registers the controller.
func (r *BackupReconciler) SetupWithManager(manager ctrl.Manager, options controller.Options) error {
	return ctrl.NewControllerManagedBy(manager).For(&v1.Backup{}).Owns(&corev1.ConfigMap{}).WithOptions(options).Complete(r.Wrap(r))
}

// Reconcile is called with one key at a time.
func (r *BackupReconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	backup := &v1.Backup{}
	if err := r.Get(ctx, request.NamespacedName, backup); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	schedule := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: backup.Namespace, Name: backup.Name + "-schedule"}}
	if _, err := controllerutil.CreateOrUpdate(ctx, r.Client, schedule, func() error {
		schedule.Data = map[string]string{"cron": backup.Spec.Schedule}
		return ctrl.SetControllerReference(backup, schedule, r.Scheme())
	}); err != nil {
		return ctrl.Result{}, fmt.Errorf("ensuring the schedule: %w", err)
	}
	scheduled := metav1.Condition{Type: "Scheduled", Status: metav1.ConditionTrue, Reason: "Scheduled", Message: backup.Spec.Schedule}
	if !apimeta.SetStatusCondition(&backup.Status.Conditions, scheduled) {
		return ctrl.Result{}, nil
	}
	return ctrl.Result{}, r.Status().Update(ctx, backup)
}
