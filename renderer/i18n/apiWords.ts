/**
 * Words that stay as they are in Chinese text (ui.md, section 12): names of the API and of programs, values of fields,
 * what a user types. A word that is not here and stands in a Chinese message is English that was left over.
 */
const groups: readonly string[] = [
  // kinds and fields of the API, values of conditions
  `API CRD ClusterRole ClusterRoleBinding Conditions Database Databases Deployment Event Finalizer Kubernetes Lease
   Owner Ready RoleBinding Secret SecretNotFound ServiceAccount StatefulSet SubjectAccessReview True False Unknown Pod
   condition conditions reason message status spec generation observedGeneration resourceVersion rv uid finalizer
   finalizers owner ownerController deletionTimestamp managedFields lastTransitionTime lastReconcileTime namespace
   reference release key Key condition resource group label name self background foreground orphan test incident`,
  // verbs, subresources, event kinds
  `get list watch create update patch delete exec forward port proxy access review discovery server`,
  // words of the control loop
  `Informer Reconcile reconcile reconcileID RequeueAfter requeue panic success running timer unseen Operator operator event GenerationChangedPredicate kubebuilder RBAC Gone Gen condition`,
  // what a filter compares with
  `added modified deleted relisted vanished error warning info observed reported inferred failed degraded progressing
   deleting unknown ok object gap kind writer result duration`,
  // programs, files, protocols, keys and units
  `Loopscope loopscope Node npm npx make run start kubectl kubelet kubeconfig KUBECONFIG PATH CI FILE KEY GET POST JSON YAML
   json jsonl yaml txt klog logr slog zap console log metrics audit http OIDC helm admin system serviceaccount testbed
   check context Context database databases orders db reports Ctrl Esc Enter GB MB KB ms px English`,
];

export const apiWords: ReadonlySet<string> = new Set(groups.join(' ').split(/\s+/));
