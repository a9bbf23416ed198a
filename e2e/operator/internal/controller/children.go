package controller

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"

	v1 "loopscope.dev/e2e/operator/api/v1"
)

const databaseLabel = "db.example.com/database"

func childMeta(database *v1.Database, suffix string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: database.Namespace, Name: database.Name + suffix}
}

func childLabels(database *v1.Database) map[string]string {
	return map[string]string{"app.kubernetes.io/managed-by": "database-operator", databaseLabel: database.Name}
}

func enginePort(engine string) int32 {
	if engine == "mysql" {
		return 3306
	}
	return 5432
}

// ensureChild creates child or updates it when mutate changes something; mutate only touches fields the operator
// owns, so that server-side defaults are never taken for drift.
func (r *DatabaseReconciler) ensureChild(
	ctx context.Context, database *v1.Database, child client.Object, mutate func(),
) error {
	result, err := controllerutil.CreateOrUpdate(ctx, r.Client, child, func() error {
		mutate()
		return ctrl.SetControllerReference(database, child, r.Scheme())
	})
	if err != nil {
		return fmt.Errorf("ensuring %T %s: %w", child, child.GetName(), err)
	}
	if result != controllerutil.OperationResultNone {
		log.FromContext(ctx).Info("Child changed", "child", fmt.Sprintf("%T", child), "childName", child.GetName(), "operation", result)
	}
	return nil
}

// errSecretNotFound is what a Database fails with whose administrator's Secret is not there.
var errSecretNotFound = errors.New("not found")

// checkAdminSecret looks for the Secret that the parameter adminSecret names. The Secret is the user's own: it has no
// owner reference, so that its appearing wakes nobody.
func (r *DatabaseReconciler) checkAdminSecret(ctx context.Context, database *v1.Database) error {
	name := database.Spec.Parameters["adminSecret"]
	if name == "" {
		return nil
	}
	secret := &corev1.Secret{}
	err := r.Get(ctx, client.ObjectKey{Namespace: database.Namespace, Name: name}, secret)
	if apierrors.IsNotFound(err) {
		return fmt.Errorf("secret %q %w", name, errSecretNotFound)
	}
	return err
}

func (r *DatabaseReconciler) ensureSecret(ctx context.Context, database *v1.Database) error {
	secret := &corev1.Secret{ObjectMeta: childMeta(database, "-credentials")}
	return r.ensureChild(ctx, database, secret, func() {
		secret.Labels = childLabels(database)
		if len(secret.Data["password"]) == 0 {
			secret.Data = map[string][]byte{"username": []byte("app"), "password": []byte(rand.Text())}
		}
	})
}

func (r *DatabaseReconciler) ensureService(ctx context.Context, database *v1.Database) error {
	service := &corev1.Service{ObjectMeta: childMeta(database, "")}
	return r.ensureChild(ctx, database, service, func() {
		service.Labels = childLabels(database)
		service.Spec.Selector = map[string]string{databaseLabel: database.Name}
		port := enginePort(database.Spec.Engine)
		if !r.Faults.DefaultingDiff && len(service.Spec.Ports) == 1 && service.Spec.Ports[0].Port == port {
			return
		}
		service.Spec.Ports = []corev1.ServicePort{{Name: database.Spec.Engine, Port: port, TargetPort: intstr.FromInt32(port)}}
	})
}

func (r *DatabaseReconciler) ensureStatefulSet(ctx context.Context, database *v1.Database) (*appsv1.StatefulSet, error) {
	set := &appsv1.StatefulSet{ObjectMeta: childMeta(database, "")}
	err := r.ensureChild(ctx, database, set, func() {
		labels := childLabels(database)
		image := fmt.Sprintf("registry.example.com/%s:%s", database.Spec.Engine, database.Spec.Version)
		set.Labels = labels
		set.Spec.Replicas = &database.Spec.Replicas
		if set.CreationTimestamp.IsZero() {
			set.Spec.ServiceName = database.Name
			set.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{databaseLabel: database.Name}}
			set.Spec.Template = corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec: corev1.PodSpec{Containers: []corev1.Container{{
					Name:  "engine",
					Ports: []corev1.ContainerPort{{Name: "engine", ContainerPort: enginePort(database.Spec.Engine)}},
				}}},
			}
		}
		set.Spec.Template.Spec.Containers[0].Image = image
	})
	return set, err
}

func (r *DatabaseReconciler) ensureBackup(ctx context.Context, database *v1.Database) error {
	backup := &v1.Backup{ObjectMeta: childMeta(database, "-nightly")}
	return r.ensureChild(ctx, database, backup, func() {
		backup.Spec = v1.BackupSpec{DatabaseName: database.Name, Schedule: "0 3 * * *"}
	})
}
