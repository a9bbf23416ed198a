/**
 * Who a local operator is. Its kubeconfig's user may be a ServiceAccount: then the operator of that account is meant. Often it
 * is a person with all rights; then RBAC is judged for the account that its manifests name, and the profile says so.
 */
import type { LiveSession } from '../core/engine/liveSession.ts';
import type { ProjectFacts } from '../core/node/projectFolder.ts';
import type { OperatorProfile } from '../shared/model/profile.ts';

export interface WantedIdentity {
  /** User names in order of preference. */
  readonly users: readonly string[];
  /** For kinds of the project, for an operator that the cluster does not show. */
  readonly kinds: readonly string[];
}

/** `user`: who the child's kubeconfig is to the API server. */
export function wantedIdentity(user: string | undefined, project: ProjectFacts): WantedIdentity {
  const account = project.serviceAccount;
  const byManifest =
    account === undefined ? [] : [`system:serviceaccount:${account.namespace}:${account.name}`];
  const isAccount = user?.startsWith('system:serviceaccount:') === true;
  const own = user === undefined ? [] : [user];
  return { users: isAccount ? [...own, ...byManifest] : [...byManifest, ...own], kinds: project.kinds };
}

/** The operator the cluster shows for one of the users, in their order. */
export function operatorFor(
  wanted: WantedIdentity,
  operators: readonly OperatorProfile[],
): OperatorProfile | undefined {
  for (const user of wanted.users) {
    const found = operators.find(
      (operator) => operator.identity.value.user === user && operator.workload !== undefined,
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Chooses the operator of this session: at once by what is known, and again when the cluster shows more, until one of its
 * workloads fits. What the user chooses in the window meanwhile stays.
 */
export function followIdentity(
  session: LiveSession,
  project: ProjectFacts,
  connectedUser: string | undefined,
  say: (line: string) => void,
): void {
  const { operators } = session;
  const wanted = wantedIdentity(connectedUser, project);
  const [user] = wanted.users;
  // A profile file that names its operator has decided already.
  if (user === undefined || operators.view().profileFile !== undefined) return;
  if (user !== connectedUser)
    say(
      `loopscope: the operator runs as ${connectedUser ?? 'somebody unknown'}; RBAC is judged for ${user}, which ${project.serviceAccount?.from ?? 'its manifest'} names.`,
    );
  let mine: string | undefined;
  const settle = () => {
    const chosen = operators.view().chosen;
    if (mine !== undefined && chosen !== mine) {
      watching.dispose();
      return;
    }
    const shown = operatorFor(wanted, operators.all());
    if (shown !== undefined) {
      watching.dispose();
      mine = shown.id;
      operators.choose(shown.id);
    }
  };
  const watching = operators.onChange.on(settle);
  settle();
  if (mine === undefined) {
    operators.setLocal(user, wanted.kinds);
    mine = operators.view().chosen;
  }
}
