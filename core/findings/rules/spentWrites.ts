/**
 * hotloop/defaulting-diff where no request tells a version: the operator says, or the audit log says, that a child is
 * updated again and again, and the child has not been written since.
 */
import type { Evidence, Finding } from '../../../shared/model/finding.ts';
import type { SeenPlace } from '../../trace/detectors/seen.ts';
import type { FindingContext, ObjectHead } from '../findingInput.ts';
import { medianGap, paceText, stillGoesOn } from './changeWords.ts';
import { countWord } from './wording.ts';

const ruleId = 'hotloop/defaulting-diff';
const leastWrites = 5;
/** A slower one may be a resync, and harms nobody. */
const slowestGapMs = 15_000;
/** Times of managedFields have whole seconds. */
const secondMs = 1_000;
/** What one reconcile says of one object is one try, ms. */
const oneRunMs = 20;

const children: Readonly<Record<string, { readonly group: string; readonly resource: string }>> = {
  ConfigMap: { group: '', resource: 'configmaps' },
  CronJob: { group: 'batch', resource: 'cronjobs' },
  DaemonSet: { group: 'apps', resource: 'daemonsets' },
  Deployment: { group: 'apps', resource: 'deployments' },
  HorizontalPodAutoscaler: { group: 'autoscaling', resource: 'horizontalpodautoscalers' },
  Ingress: { group: 'networking.k8s.io', resource: 'ingresses' },
  NetworkPolicy: { group: 'networking.k8s.io', resource: 'networkpolicies' },
  PodDisruptionBudget: { group: 'policy', resource: 'poddisruptionbudgets' },
  Role: { group: 'rbac.authorization.k8s.io', resource: 'roles' },
  RoleBinding: { group: 'rbac.authorization.k8s.io', resource: 'rolebindings' },
  Secret: { group: '', resource: 'secrets' },
  Service: { group: '', resource: 'services' },
  ServiceAccount: { group: '', resource: 'serviceaccounts' },
  StatefulSet: { group: 'apps', resource: 'statefulsets' },
};

interface Child {
  readonly kind: string;
  readonly group: string;
  readonly resource: string;
  readonly head: ObjectHead;
  /** When anything but its status was written last, ms: before this second ended. */
  readonly writtenAt: number;
}

interface Try {
  readonly at: number;
  readonly place: SeenPlace;
  readonly from: 'log' | 'audit';
}

export function spentWrites(context: FindingContext): readonly Finding[] {
  const { said = [], writes = [] } = context.input.changes ?? {};
  if (said.length < leastWrites && writes.length < leastWrites) return [];
  const all = childrenOf(context);
  const tries = new Map<Child, Try[]>();
  const note = (child: Child, one: Try) => {
    if (one.at < child.writtenAt + secondMs) return;
    const list = tries.get(child);
    if (list === undefined) tries.set(child, [one]);
    else list.push(one);
  };
  for (const { words, names, namespace, at, place } of said) {
    const named = all.filter(
      ({ kind, resource, head }) =>
        (words.has(kind.toLowerCase()) || words.has(resource)) &&
        names.includes(head.name) &&
        (namespace === undefined || namespace === '' || head.namespace === namespace),
    );
    const [only, another] = named;
    if (only !== undefined && another === undefined) note(only, { at: at.lo, place, from: 'log' });
  }
  const users = new Set(context.input.profiles.map(({ identity }) => identity.value.user));
  for (const write of writes) {
    if (write.subresource !== '' || !users.has(write.user)) continue;
    const child = all.find(
      ({ resource, group, head }) =>
        resource === write.resource &&
        group === write.group &&
        head.name === write.name &&
        head.namespace === write.namespace,
    );
    if (child !== undefined) note(child, { at: write.at.lo, place: write.place, from: 'audit' });
  }
  return [...tries].flatMap(([child, list]) => findingOf(context, child, list) ?? []);
}

/** Objects that belong to a kind of an operator and tell when they were written. */
function childrenOf({ input, crds }: FindingContext): readonly Child[] {
  const kinds = new Set(
    input.profiles.flatMap(({ controllers }) => controllers.map(({ for: of }) => of.value)),
  );
  const isOurs = ({ ownerReferences }: ObjectHead) =>
    ownerReferences.some(({ apiVersion, kind }) => {
      const crd = crds.byKind(apiVersion.slice(0, Math.max(0, apiVersion.indexOf('/'))), kind);
      return crd !== undefined && kinds.has(`${crd.plural}.${crd.group}`);
    });
  return Object.entries(children).flatMap(([kind, { group, resource }]) =>
    [...input.objects.heads(`${group}/${kind}`)].filter(isOurs).flatMap((head): readonly Child[] => {
      const times = head.writers
        .filter(({ subresource }) => subresource !== 'status')
        .map(({ time }) => Date.parse(time ?? ''));
      const writtenAt = Math.max(...times);
      // A time that is missing may be the newest.
      return times.length === 0 || Number.isNaN(writtenAt)
        ? []
        : [{ kind, group, resource, head, writtenAt }];
    }),
  );
}

function findingOf({ input }: FindingContext, child: Child, all: readonly Try[]): Finding | undefined {
  const from = all.filter((one) => one.from === 'audit').length >= leastWrites ? 'audit' : 'log';
  const tries = all
    .filter((one) => one.from === from)
    .sort((a, b) => a.at - b.at)
    .filter((one, index, list) => index === 0 || one.at - (list[index - 1]?.at ?? 0) > oneRunMs);
  const [first, last] = [tries[0], tries.at(-1)];
  const gap = medianGap(tries.map(({ at }) => at));
  if (first === undefined || last === undefined || tries.length < leastWrites || gap > slowestGapMs)
    return undefined;
  if (!stillGoesOn(last.at, gap, Date.parse(input.now))) return undefined;
  const { kind, head } = child;
  const subject = `${kind}/${head.namespace === '' ? '-' : head.namespace}/${head.name}`;
  const since = new Date(child.writtenAt).toISOString().replace('.000Z', 'Z');
  const source =
    from === 'log'
      ? ({ kind: 'reported', from: 'log' } as const)
      : ({ kind: 'observed', from: 'audit' } as const);
  const says = from === 'log' ? 'the operator says that it updates it' : 'an update of it passed';
  const evidence = [first, last].map(
    ({ at, place }): Evidence => ({
      text: `${says}; it was written last at ${since}`,
      basis: source,
      at: new Date(at).toISOString(),
      ...place,
    }),
  );
  return {
    id: `${ruleId}:${subject}`,
    rule: ruleId,
    severity: 'error',
    subject,
    title: `It is updated ${paceText(gap)} and nothing changes: ${countWord(tries.length)} since ${since}`,
    why: `${kind} ${head.name} bears no write after ${since}, so each of these updates left it as it was. The operator takes what the server filled in, or writes in its own way, for drift.`,
    basis: source,
    fix: {
      text: 'Compare only the fields the operator sets (equality.Semantic.DeepDerivative, or server-side apply and the answered version), and write defaulted fields out in what it sends.',
    },
    evidence,
    openedAt: new Date(first.at).toISOString(),
  };
}
