/** What is known of the right to write an object's status: the gap, the finding, and the change that took it away. */
import type { Finding } from '../../shared/model/finding.ts';
import { type ObjectKey, objectKey, recordSeq } from '../../shared/model/ids.ts';
import type { KubeObject } from '../../shared/model/kube.ts';
import type { Identity } from '../../shared/model/profile.ts';
import type { RbacLens, RbacRef, RbacRow } from '../../shared/model/rbac.ts';
import { compareVersions } from '../objects/diff.ts';
import { ruleAllows, subjectApplies } from '../rbac/authorizer.ts';
import { rbacGroup, readBinding, readRole } from '../rbac/policy.ts';
import type { SessionLog } from '../session/record.ts';
import type { RoleLoss, StatusRights } from '../why/whyInput.ts';
import type { EngineSession } from './engineSession.ts';
import { parse } from './objectViews.ts';

const rule = 'rbac/missing-status-subresource';

export interface StatusTarget {
  readonly group: string;
  readonly resource: string;
  readonly namespace: string;
  readonly verb: string;
  /** Who was refused, as the refusal says. */
  readonly user: string;
  /** The first refusal since the last accepted write: what took the right away came before. */
  readonly firstAt: number;
  readonly precise: boolean;
}

type Session = Pick<EngineSession, 'index' | 'recorder' | 'verdicts'>;

export function statusRights(session: Session, target: StatusTarget): StatusRights {
  const { lens } = session.verdicts.rbac();
  const own = lens !== undefined && lens.identity.user === target.user ? lens : undefined;
  const row = own?.rows.find((one) => one.gap !== undefined && isStatusOf(one, target));
  const { findings } = session.verdicts.findings();
  const about = (finding: Finding) =>
    finding.rule === rule && finding.id.endsWith(`:${target.resource}.${target.group}`);
  const open = findings.find((one) => about(one) && one.closedAt === undefined);
  const closed = findings.find((one) => about(one) && one.closedAt !== undefined);
  const judged = own !== undefined && own.unreadable.length === 0;
  const granted = row === undefined && open === undefined && (judged || closed !== undefined);
  const loss = granted || own === undefined || !judged ? undefined : roleLoss(session, own, target);
  return {
    granted,
    gap: row?.gap,
    row: row?.id,
    loss,
    unreadable: own?.unreadable ?? [],
    finding: open && { id: open.id, patch: open.fix.patch, marker: open.fix.marker },
    grantedAt: closed?.closedAt === undefined ? undefined : Date.parse(closed.closedAt),
  };
}

function isStatusOf(row: RbacRow, { group, resource, namespace }: StatusTarget): boolean {
  return (
    row.apiGroup === group &&
    row.resource === resource &&
    row.subresource === 'status' &&
    (row.scope === '' || row.scope === namespace)
  );
}

const losses = new WeakMap<SessionLog, Map<string, RoleLoss | undefined>>();

/** The newest change before the first refusal after which a role, or a binding, no longer gave the right. */
function roleLoss(session: Session, lens: RbacLens, target: StatusTarget): RoleLoss | undefined {
  const { log } = session.recorder;
  const known = losses.get(log) ?? new Map<string, RoleLoss | undefined>();
  losses.set(log, known);
  const keys = lens.reach.map(({ role }) => refKey(role));
  const versions = keys.reduce((sum, key) => sum + log.historyOf(key).length, 0);
  const id = JSON.stringify([target, versions, lens.bindings]);
  if (known.has(id)) return known.get(id);
  const found = [...rolesThatLost(log, keys, target), ...bindingsThatWent(session, lens.identity, target)]
    // A refusal may be logged in whole seconds: the change that caused it may seem to come later in that second.
    .filter(({ at }) => at <= target.firstAt + (target.precise ? 0 : 999))
    .sort((a, b) => b.at - a.at)[0];
  if (known.size > 50) known.clear();
  known.set(id, found);
  return found;
}

function* rolesThatLost(
  log: SessionLog,
  keys: readonly ObjectKey[],
  target: StatusTarget,
): Iterable<RoleLoss> {
  for (const key of new Set(keys)) {
    const seqs = log.historyOf(key);
    for (let index = seqs.length - 1; index > 0; index--) {
      const [older, newer] = [seqs[index - 1], seqs[index]];
      const head = newer === undefined ? undefined : log.head(newer);
      const before = older === undefined ? undefined : parse(log, older);
      if (head === undefined || before === undefined || !grants(before, target)) continue;
      const gone = head.op === 'deleted' || head.op === 'vanished';
      const after = gone ? undefined : parse(log, head.seq);
      if (!gone && (after === undefined || grants(after, target))) continue;
      const writer =
        after === undefined ? undefined : compareVersions(before, after, head.op ?? 'modified').writers[0];
      const release = releaseOf(after ?? before);
      yield {
        role: readRole(before).ref,
        key,
        at: head.at.hi,
        seq: head.seq,
        resourceVersion: head.resourceVersion ?? '',
        manager: writer?.manager,
        release: writer?.manager === undefined ? undefined : release,
        what: gone ? 'binding' : 'rule',
      };
      break;
    }
  }
}

function grants(object: KubeObject, { verb, group, resource, namespace }: StatusTarget): boolean {
  const request = {
    kind: 'resource',
    verb,
    apiGroup: group,
    resource,
    subresource: 'status',
    namespace,
    name: '',
  } as const;
  return readRole(object).rules.some((one) => ruleAllows(one, request));
}

/** Bindings that named the identity and are gone, or no longer do. A walk over all heads, once for a state of the roles. */
function* bindingsThatWent(
  { index, recorder: { log } }: Session,
  identity: Identity,
  target: StatusTarget,
): Iterable<RoleLoss> {
  for (const { fact, versions, deleted } of index.all()) {
    if (fact.group !== rbacGroup || !fact.kind.endsWith('RoleBinding') || (versions < 2 && !deleted))
      continue;
    const seqs = log.historyOf(fact.key);
    const [older, newer] = seqs.slice(-2);
    const before = older === undefined ? undefined : parse(log, older);
    const head = newer === undefined ? undefined : log.head(newer);
    if (before === undefined || head === undefined) continue;
    const binding = readBinding(before);
    const named = (subjects: typeof binding.subjects) =>
      subjects.some((subject) => subjectApplies(subject, identity, fact.namespace));
    const now = deleted ? undefined : parse(log, head.seq);
    if (!named(binding.subjects) || (now !== undefined && named(readBinding(now).subjects))) continue;
    const role = objectKey({
      group: rbacGroup,
      kind: binding.role.kind,
      namespace: binding.role.kind === 'Role' ? fact.namespace : '',
      name: binding.role.name,
    });
    const roleSeq = log.historyOf(role).at(-1);
    const roleObject = roleSeq === undefined ? undefined : parse(log, roleSeq);
    if (roleObject === undefined || !grants(roleObject, target)) continue;
    const writer = now === undefined ? undefined : compareVersions(before, now, 'modified').writers[0];
    yield {
      role: binding.ref,
      key: fact.key,
      at: head.at.hi,
      seq: head.seq,
      resourceVersion: head.resourceVersion ?? '',
      manager: writer?.manager,
      release: undefined,
      what: 'binding',
    };
  }
}

/** `database-operator 1.8.0`, as Helm marks what it installs. */
function releaseOf({ metadata }: KubeObject): string | undefined {
  const name = metadata.annotations?.['meta.helm.sh/release-name'];
  if (name === undefined) return undefined;
  const version = metadata.labels?.['app.kubernetes.io/version'];
  return version === undefined ? name : `${name} ${version}`;
}

function refKey({ kind, namespace, name }: RbacRef): ObjectKey {
  return objectKey({ group: rbacGroup, kind, namespace, name });
}

/** When a role's grant of a right was last written, for a right that is there again. */
export function grantWrittenAt(
  session: Session,
  row: RbacRow,
): { at: number; key: ObjectKey; seq: number } | undefined {
  const role = row.grants[0]?.role;
  const key = role === undefined ? undefined : refKey(role);
  const state = key === undefined ? undefined : session.index.get(key);
  const head = state === undefined ? undefined : session.recorder.log.head(recordSeq(state.fact.seq));
  if (key === undefined || state === undefined || head === undefined || head.initial) return undefined;
  return { at: head.at.hi, key, seq: head.seq };
}
