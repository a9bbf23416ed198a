// Package controller reconciles Database objects.
package controller

import (
	"context"
	"errors"
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apimeta "k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/events"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	v1 "loopscope.dev/e2e/operator/api/v1"
)

const (
	finalizer       = "db.example.com/cleanup"
	phaseAnnotation = "db.example.com/phase"
)

// Reasons of a failed Database.
const (
	reasonFailed         = "ProvisioningFailed"
	reasonSecretNotFound = "SecretNotFound"
)

// DatabaseReconciler brings StatefulSet, Service and Secret of a Database in line with its spec.
type DatabaseReconciler struct {
	client.Client
	Recorder events.EventRecorder
	Faults   Faults
	// CreateBackups also keeps one Backup, a kind of another operator, for every Database.
	CreateBackups bool
	// ResyncAfter, when positive, is the RequeueAfter of every successful reconcile.
	ResyncAfter time.Duration
	// GenerationChanged filters updates of the Database itself to those that change its generation.
	GenerationChanged bool
	// Wrap is put around it.
	Wrap Wrap
}

// +kubebuilder:rbac:groups=db.example.com,resources=databases,verbs=get;list;watch;update;patch
// +kubebuilder:rbac:groups=db.example.com,resources=databases/status,verbs=get;update;patch
// +kubebuilder:rbac:groups=db.example.com,resources=databases/finalizers,verbs=update
// +kubebuilder:rbac:groups=apps,resources=statefulsets,verbs=get;list;watch;create;update;patch;delete
// +kubebuilder:rbac:groups="",resources=services;secrets,verbs=get;list;watch;create;update;patch;delete
// +kubebuilder:rbac:groups="";events.k8s.io,resources=events,verbs=create;patch

// SetupWithManager registers the controller.
func (r *DatabaseReconciler) SetupWithManager(manager ctrl.Manager, options controller.Options) error {
	var forOptions []builder.ForOption
	if r.GenerationChanged && !r.Faults.HotLoop {
		forOptions = append(forOptions, builder.WithPredicates(predicate.GenerationChangedPredicate{}))
	}
	b := ctrl.NewControllerManagedBy(manager).
		For(&v1.Database{}, forOptions...).
		Owns(&appsv1.StatefulSet{}).
		Owns(&corev1.Service{}).
		Owns(&corev1.Secret{}).
		WithOptions(options)
	if r.CreateBackups {
		b = b.Owns(&v1.Backup{})
	}
	return b.Complete(r.Wrap(r))
}

// Reconcile is called with one key at a time.
func (r *DatabaseReconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	database := &v1.Database{}
	if err := r.Get(ctx, request.NamespacedName, database); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if err := r.Faults.wait(ctx); err != nil {
		return ctrl.Result{}, err
	}
	if !database.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, r.finalize(ctx, database)
	}
	if controllerutil.AddFinalizer(database, finalizer) {
		if err := r.Update(ctx, database); err != nil {
			return ctrl.Result{}, fmt.Errorf("adding finalizer: %w", err)
		}
	}

	cached := database.DeepCopy()
	set, err := r.provision(ctx, database)
	before := database.Status.DeepCopy()
	if err != nil {
		r.setFailed(database, err)
	} else {
		r.setProgress(database, set)
	}
	if r.Faults.HotLoop {
		database.Status.LastReconcileTime = time.Now().UTC().Format(time.RFC3339Nano)
	}
	if statusErr := r.writeStatus(ctx, database, before); statusErr != nil {
		if err == nil {
			return ctrl.Result{}, statusErr
		}
		log.FromContext(ctx).Error(statusErr, "Failed to record the failure in the status")
	}
	if err != nil {
		return ctrl.Result{}, err
	}
	if err := r.writeStale(ctx, cached, database.Status.Phase); err != nil {
		return ctrl.Result{}, err
	}
	if matches(r.Faults.RequeueNames, database.Name) && database.Status.Phase != v1.PhaseReady {
		return ctrl.Result{Requeue: true}, nil
	}
	return ctrl.Result{RequeueAfter: r.ResyncAfter}, nil
}

// writeStale is the fault StaleWrite: an annotation written with the version of before the status was.
func (r *DatabaseReconciler) writeStale(ctx context.Context, cached *v1.Database, phase string) error {
	if !r.Faults.StaleWrite || cached.Annotations[phaseAnnotation] == phase {
		return nil
	}
	if cached.Annotations == nil {
		cached.Annotations = map[string]string{}
	}
	cached.Annotations[phaseAnnotation] = phase
	if err := r.Update(ctx, cached); err != nil {
		return fmt.Errorf("noting the phase: %w", err)
	}
	return nil
}

func (r *DatabaseReconciler) provision(ctx context.Context, database *v1.Database) (*appsv1.StatefulSet, error) {
	if err := r.Faults.failureFor(database.Name); err != nil {
		return nil, err
	}
	if err := r.checkAdminSecret(ctx, database); err != nil {
		return nil, err
	}
	if err := r.ensureSecret(ctx, database); err != nil {
		return nil, err
	}
	if err := r.ensureService(ctx, database); err != nil {
		return nil, err
	}
	if r.CreateBackups {
		if err := r.ensureBackup(ctx, database); err != nil {
			return nil, err
		}
	}
	return r.ensureStatefulSet(ctx, database)
}

func (r *DatabaseReconciler) finalize(ctx context.Context, database *v1.Database) error {
	if !controllerutil.RemoveFinalizer(database, finalizer) {
		return nil
	}
	log.FromContext(ctx).Info("Releasing storage")
	if err := r.Update(ctx, database); err != nil {
		return client.IgnoreNotFound(err)
	}
	r.Recorder.Eventf(database, nil, corev1.EventTypeNormal, "Released", "Finalize", "Storage released")
	return nil
}

func (r *DatabaseReconciler) setFailed(database *v1.Database, err error) {
	database.Status.Phase = v1.PhaseFailed
	reason := reasonFailed
	if errors.Is(err, errSecretNotFound) {
		reason = reasonSecretNotFound
	}
	setCondition(database, v1.ConditionReady, metav1.ConditionFalse, reason, err.Error())
	setCondition(database, v1.ConditionProgressing, metav1.ConditionFalse, reason, err.Error())
}

func (r *DatabaseReconciler) setProgress(database *v1.Database, set *appsv1.StatefulSet) {
	database.Status.ReadyReplicas = set.Status.ReadyReplicas
	rolledOut := set.Status.ObservedGeneration == set.Generation && set.Status.ReadyReplicas == database.Spec.Replicas
	if rolledOut {
		database.Status.Phase = v1.PhaseReady
		setCondition(database, v1.ConditionReady, metav1.ConditionTrue, "Provisioned", "All replicas are ready")
		setCondition(database, v1.ConditionProgressing, metav1.ConditionFalse, "RolloutComplete", "Nothing left to do")
		return
	}
	database.Status.Phase = v1.PhaseProvisioning
	message := fmt.Sprintf("%d of %d replicas are ready", set.Status.ReadyReplicas, database.Spec.Replicas)
	setCondition(database, v1.ConditionReady, metav1.ConditionFalse, "ReplicasNotReady", message)
	setCondition(database, v1.ConditionProgressing, metav1.ConditionTrue, "RollingOut", message)
}

// writeStatus updates the status when it differs from before, and tells of a changed Ready condition in an Event.
func (r *DatabaseReconciler) writeStatus(ctx context.Context, database *v1.Database, before *v1.DatabaseStatus) error {
	database.Status.ObservedGeneration = database.Generation
	if equality.Semantic.DeepEqual(*before, database.Status) {
		return nil
	}
	if err := r.Status().Update(ctx, database); err != nil {
		return fmt.Errorf("updating status: %w", err)
	}
	ready := apimeta.FindStatusCondition(database.Status.Conditions, v1.ConditionReady)
	was := apimeta.FindStatusCondition(before.Conditions, v1.ConditionReady)
	if was == nil || was.Reason != ready.Reason {
		eventType := corev1.EventTypeNormal
		if ready.Reason == reasonFailed || ready.Reason == reasonSecretNotFound {
			eventType = corev1.EventTypeWarning
		}
		r.Recorder.Eventf(database, nil, eventType, ready.Reason, "Reconcile", "%s", ready.Message)
	}
	return nil
}

func setCondition(database *v1.Database, kind string, status metav1.ConditionStatus, reason, message string) {
	apimeta.SetStatusCondition(&database.Status.Conditions, metav1.Condition{
		Type: kind, Status: status, Reason: reason, Message: message, ObservedGeneration: database.Generation,
	})
}
