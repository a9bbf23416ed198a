package controller

import (
	"context"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	v1 "loopscope.dev/e2e/operator/api/v1"
)

// Wrap is put around a Reconciler before it is registered.
type Wrap func(reconcile.Reconciler) reconcile.Reconciler

const tierLabel = "db.example.com/tier"

// TierReconciler is a second controller on the same kind: it keeps a label on every Database that says how many replicas
// it has.
type TierReconciler struct {
	client.Client
	Wrap Wrap
}

// SetupWithManager registers the controller.
func (r *TierReconciler) SetupWithManager(manager ctrl.Manager, options controller.Options) error {
	return ctrl.NewControllerManagedBy(manager).Named("tier").For(&v1.Database{}).WithOptions(options).Complete(r.Wrap(r))
}

// Reconcile is called with one key at a time.
func (r *TierReconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	database := &v1.Database{}
	if err := r.Get(ctx, request.NamespacedName, database); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	tier := "single"
	if database.Spec.Replicas > 1 {
		tier = "replicated"
	}
	if !database.DeletionTimestamp.IsZero() || database.Labels[tierLabel] == tier {
		return ctrl.Result{}, nil
	}
	before := database.DeepCopy()
	if database.Labels == nil {
		database.Labels = map[string]string{}
	}
	database.Labels[tierLabel] = tier
	return ctrl.Result{}, client.IgnoreNotFound(r.Patch(ctx, database, client.MergeFrom(before)))
}
