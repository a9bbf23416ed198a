/** An operator that runs outside the cluster: the user says who it is and what it controls. */
import type { Known, OperatorProfile } from '../../shared/model/profile.ts';
import { type ApiResource, resourceName } from '../../shared/model/resource.ts';
import { identityOfUser } from '../rbac/authorizer.ts';
import { defaultController, edited, inferred } from './known.ts';
import { resolveResource, splitResourceName } from './resourceNames.ts';

/**
 * `user`: a user name, or `system:serviceaccount:ns:name`. `controllers`: the For kinds (`databases.db.example.com`, or
 * any name resolveResource knows); a name that is not served is kept as written.
 */
export function localOperator(
  user: string,
  controllers: readonly string[],
  resources: readonly ApiResource[] = [],
  groups?: readonly string[],
): OperatorProfile {
  const identity = identityOfUser(user, groups);
  const account = identity.serviceAccount;
  return {
    id: `user:${user}`,
    name: account?.name ?? user,
    ...(account === undefined ? {} : { namespace: account.namespace }),
    identity: edited(identity, 'You named this identity.'),
    fieldManagers: inferred([], 'field-managers', 'Nothing written by it was seen yet.'),
    controllers: controllers.map((name) => controllerFor(name, resources)),
  };
}

/** A controller for a kind the user names. */
export function controllerFor(name: string, resources: readonly ApiResource[]) {
  const resource = resolveResource(name, resources);
  const forKind: Known<string> =
    resource === undefined
      ? edited(name, 'You named this kind; the cluster does not serve it now.')
      : edited(resourceName(resource), 'You named this kind.');
  const own =
    resource?.kind.toLowerCase() ?? splitResourceName(name).resource.replace(/s$/, '').toLowerCase();
  return defaultController(own, forKind);
}
