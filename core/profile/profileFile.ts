/** `loopscope.yaml` laid over what was inferred (reading it: load.ts). Spec: docs/spec/profile.md */
import type {
  ControllerProfile,
  Identity,
  OperatorProfile,
  ProfileFile,
} from '../../shared/model/profile.ts';
import type { ApiResource } from '../../shared/model/resource.ts';
import { identityOfUser, serviceAccountIdentity } from '../rbac/authorizer.ts';
import { type EditedProfile, fullName } from './edits.ts';
import { edited, inferred } from './known.ts';
import { controllerFor } from './localOperator.ts';

/**
 * Is the file about this operator? By workload, ServiceAccount, user or name, the first of these that both have; a file
 * that names none fits any, and the operator made from the file alone is always meant. An operator that runs outside the
 * cluster has no workload: a file that names one is compared by the next.
 */
export function profileFileFits(file: ProfileFile, profile: OperatorProfile): boolean {
  const operator = file.operator;
  if (operator === undefined || profile.id.startsWith(fromFile)) return true;
  const { namespace, workload, serviceAccount, name, user } = operator;
  if (namespace !== undefined && profile.namespace !== undefined && namespace !== profile.namespace)
    return false;
  const id = profile.workload?.value.split('/');
  if (workload !== undefined && id !== undefined)
    return workload === id.join('/') || workload === `${id[0]}/${id[2]}` || workload === id[2];
  if (serviceAccount !== undefined) return profile.identity.value.serviceAccount?.name === serviceAccount;
  if (user !== undefined) return profile.identity.value.user === user;
  const named = name ?? workload?.split('/').at(-1);
  return named === undefined || named === profile.name;
}

/** How the id of an operator that only the file describes begins. */
const fromFile = 'file:';

/**
 * The file over the profile: every field it gives replaces the guess and is marked as edited; what it does not name
 * stays. Controllers are matched by name, then by kind; others are added. Without `profile` the file alone describes an
 * operator (one that runs outside the cluster).
 */
export function mergeProfileFile(
  profile: OperatorProfile | undefined,
  file: ProfileFile,
  resources: readonly ApiResource[] = [],
  fileName = 'loopscope.yaml',
): EditedProfile {
  const why = `${fileName} says so.`;
  const problems: string[] = [];
  const base = profile ?? fromFileAlone(file, why);
  const controllers = [...base.controllers];
  for (const given of file.controllers ?? []) {
    const forName = fullName(given.for, resources, problems);
    let index = controllers.findIndex((controller) => controller.name === given.name);
    if (index < 0) index = controllers.findIndex((controller) => controller.for.value === forName);
    const before = controllers[index] ?? controllerFor(given.for, resources);
    const after: ControllerProfile = {
      ...before,
      name: given.name,
      for: edited(forName, why),
      ...(given.owns === undefined
        ? {}
        : {
            owns: edited(
              given.owns.map((name) => fullName(name, resources, problems)),
              why,
            ),
          }),
      ...(given.watches === undefined
        ? {}
        : {
            watches: edited(
              given.watches.map((watch) => ({
                resource: fullName(watch.resource, resources, problems),
                maps: watch.maps,
              })),
              why,
            ),
          }),
      ...(given.predicates === undefined ? {} : { predicates: edited(given.predicates, why) }),
      ...(given.queue === undefined ? {} : { queue: edited(given.queue, why) }),
      ...(given.limiter === undefined ? {} : { limiter: edited(given.limiter, why) }),
      ...(given.maxConcurrentReconciles === undefined
        ? {}
        : { maxConcurrentReconciles: edited(given.maxConcurrentReconciles, why) }),
    };
    if (index < 0) controllers.push(after);
    else controllers[index] = after;
  }
  const identity = identityOf(file, base.namespace);
  const managers = file.operator?.fieldManagers;
  return {
    profile: {
      ...base,
      ...(file.operator?.name === undefined ? {} : { name: file.operator.name }),
      ...(identity === undefined ? {} : { identity: edited(identity, why) }),
      ...(managers === undefined ? {} : { fieldManagers: edited(managers, why) }),
      controllers,
    },
    problems,
  };
}

function identityOf(file: ProfileFile, namespace: string | undefined): Identity | undefined {
  const { serviceAccount, user } = file.operator ?? {};
  const where = file.operator?.namespace ?? namespace;
  if (serviceAccount !== undefined && where !== undefined)
    return serviceAccountIdentity(where, serviceAccount);
  return user === undefined ? undefined : identityOfUser(user);
}

function fromFileAlone(file: ProfileFile, why: string): OperatorProfile {
  const { operator } = file;
  const identity = identityOf(file, undefined);
  const workload = operator?.workload?.split('/').at(-1);
  const name =
    operator?.name ?? workload ?? operator?.serviceAccount ?? operator?.user ?? file.controllers?.[0]?.name;
  return {
    id: `${fromFile}${operator?.namespace ?? ''}/${name ?? 'operator'}`,
    name: name ?? 'operator',
    ...(operator?.namespace === undefined ? {} : { namespace: operator.namespace }),
    identity:
      identity === undefined
        ? inferred({ user: '', groups: [] }, 'identity', 'The file names no ServiceAccount and no user.')
        : edited(identity, why),
    fieldManagers: inferred([], 'field-managers', 'Nothing written by it was seen yet.'),
    controllers: [],
  };
}
