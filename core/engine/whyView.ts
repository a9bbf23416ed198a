/** The landing page of one object: gathers what core/why reads, and says when it may have changed. */
import type { Clock } from '../../shared/base/clock.ts';
import { type Disposable, DisposableStore } from '../../shared/base/disposable.ts';
import { asRecord } from '../../shared/base/json.ts';
import type { WhyView } from '../../shared/contract/views/why.ts';
import { type ObjectKey, parseObjectKey, reconcileKey } from '../../shared/model/ids.ts';
import { resourceName } from '../../shared/model/resource.ts';
import { isBuiltInGroup } from '../profile/resourceNames.ts';
import { lastStatusWrite } from '../why/cause.ts';
import type { ObjectName, RefusalList } from '../why/keyNotes.ts';
import { explain } from '../why/registry.ts';
import type { KeyQueueNote, WhyInput } from '../why/whyInput.ts';
import type { EngineSession } from './engineSession.ts';
import { keyRow } from './keyRows.ts';
import { objectRefView } from './objectViews.ts';
import { holdsOf, ownershipDeps } from './ownershipView.ts';
import { every, throttled } from './throttle.ts';
import { mendedSince, operatorNote, ownedAround, type Reconciler, reconcilerOf } from './whyAround.ts';
import { keyNotesOf, versionsOf } from './whyFacts.ts';
import { statusRights } from './whyRights.ts';

/** Never throws for odd objects; without a session nothing is known. */
export function whyView(session: EngineSession | undefined, key: ObjectKey): WhyView {
  return explain(session === undefined ? nothingKnown(key) : whyInput(session, key));
}

function nothingKnown(key: ObjectKey): WhyInput {
  return {
    now: 0,
    object: objectRefView(key),
    known: false,
    gone: false,
    detail: 'metadata',
    upgrading: false,
    forbidden: undefined,
    resource: '',
    health: 'unknown',
    versions: [],
    polarity: {},
    operator: undefined,
    queue: undefined,
    holds: [],
    refusals: [],
    rights: undefined,
    errors: undefined,
    successes: undefined,
    mended: undefined,
    owned: [],
    ownedUnreadable: [],
    ownedChangedAt: [],
    gaps: [],
    crd: { kind: 'unknown' },
    otherGaps: undefined,
    neededRights: 0,
    rightsPermission: undefined,
    hasLog: false,
    hasAudit: false,
  };
}

/** Everything the causes read of one object, as of now. */
export function whyInput(session: EngineSession, key: ObjectKey): WhyInput {
  const { index, watching, recorder, clock } = session;
  const object = objectRefView(key);
  const state = index.get(key);
  const resource = watching.resourceOfKind(object.kind, { group: object.group });
  const fullName = resource === undefined ? undefined : resourceName(resource);
  const hidden = new Set(watching.unreadable());
  const base: WhyInput = {
    ...nothingKnown(key),
    now: clock.now(),
    ...watching.detailOf(key),
    known: state !== undefined,
    gone: state?.deleted === true,
    resource: resource?.resource ?? '',
    forbidden: fullName !== undefined && hidden.has(fullName) ? `list ${fullName}` : undefined,
  };
  if (state === undefined) return base;

  const { log } = recorder;
  const versions = versionsOf(log, key);
  const notes = keyNotesOf(log);
  const name: ObjectName = { ...object, resource: resource?.resource ?? '' };
  const reconciler = fullName === undefined ? undefined : reconcilerOf(session, fullName);
  const controller = reconciler?.controller.name;
  const operator = reconciler && operatorNote(session, reconciler, { kind: object.kind, versions, notes });
  const queue = reconciler && queueNote(session, reconciler, key);
  const owned = ownedAround(session, state.fact, reconciler?.controller);
  const errors = notes.errors(name, controller);
  const accepted = lastStatusWrite(versions, operator?.managers ?? [])?.at.hi;
  const refusals = notes.refusals(name).flatMap((list) => sinceWrite(list, accepted));
  const first = refusals.map((list) => list.first).sort((a, b) => a.at - b.at)[0];
  const last = refusals[0]?.recent.at(-1);
  const { lens } = session.verdicts.rbac();
  const judged =
    lens !== undefined &&
    lens.unreadable.length === 0 &&
    lens.identity.user === reconciler?.operator.identity.value.user;
  return {
    ...base,
    health: keyRow(state.fact, queue === undefined ? undefined : { ...queue, nextRunAt: queue.runsAt })
      .health,
    versions,
    operator,
    queue,
    holds:
      state.deleted || state.fact.meta.deletionTimestamp === undefined
        ? []
        : holdsOf(state, fullName, ownershipDeps(session)),
    refusals,
    rights:
      first === undefined || last === undefined
        ? undefined
        : statusRights(session, {
            group: object.group,
            resource: name.resource,
            namespace: object.namespace,
            verb: last.verb,
            user: last.user,
            firstAt: first.at,
            precise: first.precise,
          }),
    errors,
    successes: notes.successes(name, controller),
    mended: mendedSince(session, errors?.recent.at(-1), object.namespace),
    owned: owned.notes,
    ownedUnreadable: owned.unreadable,
    ownedChangedAt: owned.changedAt,
    gaps: gapsOfKind(session, object.group, resource?.resource),
    crd: crdOf(session, object, hidden),
    otherGaps: judged
      ? lens.rows
          .filter((row) => row.gap !== undefined)
          .filter(
            (row) => !(row.resource === name.resource && row.subresource === 'status' && refusals.length > 0),
          )
          .map(
            (row) =>
              `${row.gap?.verbs.join(', ')} ${row.resource}${row.subresource === '' ? '' : `/${row.subresource}`}`,
          )
      : undefined,
    neededRights: lens?.needed ?? 0,
    rightsPermission:
      lens !== undefined && lens.unreadable.length > 0 ? `list ${lens.unreadable.join(', ')}` : undefined,
    ...attached(session),
  };
}

/** Only what came after the last accepted status write counts; the count is exact as long as all are remembered. */
function sinceWrite(list: RefusalList, accepted: number | undefined): readonly RefusalList[] {
  if (accepted === undefined || list.first.at > accepted) return [list];
  const recent = list.recent.filter(({ at, precise }) => at + (precise ? 0 : 999) > accepted);
  const [first] = recent;
  return first === undefined ? [] : [{ ...list, count: recent.length, first, recent }];
}

function queueNote(
  session: EngineSession,
  { controller }: Reconciler,
  key: ObjectKey,
): KeyQueueNote | undefined {
  const { namespace, name } = parseObjectKey(key);
  const id = reconcileKey(namespace, name);
  const state = session.shadows.keyState(controller.name, id);
  if (state === undefined) return undefined;
  const judged = session.shadows
    .predictions(controller.name)
    .rows.filter(({ prediction }) => prediction.key === id)
    .flatMap(({ outcome }) => (outcome?.kind === 'hit' || outcome?.kind === 'missed' ? [outcome] : []));
  const [base, second] = state.stepsMs;
  const factor = base === undefined || second === undefined ? undefined : second / base;
  const { wait, run } = state;
  return {
    controller: controller.name,
    key: id,
    state: state.state,
    failures: state.failures,
    certain: state.certain && !state.doubted,
    why: wait?.why,
    since: wait?.since ?? run?.since,
    runsAt: state.nextRunAt,
    delayMs: wait?.delayMs,
    nextDelayMs: state.nextDelayMs,
    stepsMs: state.stepsMs,
    baseMs: base,
    factor: factor !== undefined && Number.isInteger(factor) ? factor : undefined,
    basis: wait?.basis ?? run?.basis ?? { kind: 'inferred', by: 'queue/shadow', because: [] },
    predictions: {
      hit: judged.filter(({ kind }) => kind === 'hit').length,
      judged: judged.length,
      largestMs: judged.reduce((largest, { errorMs }) => Math.max(largest, Math.abs(errorMs)), 0),
    },
  };
}

/** Gaps of the sources of one resource: `watch:[group/]version/resource[@namespace]`. */
export function gapsOfKind(
  session: EngineSession,
  group: string,
  resource: string | undefined,
): readonly { readonly from: number; readonly to: number | undefined }[] {
  if (resource === undefined) return [];
  return session.gaps.rows.flatMap((gap) => {
    const [kind = '', path = ''] = gap.source.split(':');
    const parts = (path.split('@')[0] ?? '').split('/');
    const same =
      kind === 'watch' && parts.at(-1) === resource && (parts.length < 3 ? '' : parts[0]) === group;
    return same && gap.why !== 'forbidden' ? [{ from: gap.from, to: gap.to }] : [];
  });
}

const crdResource = 'customresourcedefinitions.apiextensions.k8s.io';

function crdOf(
  { model }: EngineSession,
  { group, kind }: { readonly group: string; readonly kind: string },
  hidden: ReadonlySet<string>,
): WhyInput['crd'] {
  if (isBuiltInGroup(group)) return { kind: 'builtIn' };
  if (hidden.has(crdResource)) return { kind: 'unreadable', permission: `list ${crdResource}` };
  for (const crd of model.ofKind('apiextensions.k8s.io/CustomResourceDefinition')) {
    const spec = asRecord(crd.spec);
    if (spec?.group !== group || asRecord(spec.names)?.kind !== kind) continue;
    const served = (Array.isArray(spec.versions) ? spec.versions : [])
      .map(asRecord)
      .filter((version) => version?.served === true);
    const withStatus = served.filter(
      (version) => asRecord(asRecord(version?.subresources)?.status) !== undefined,
    );
    const named = (versions: typeof served) => versions.map((version) => String(version?.name));
    return {
      kind: 'crd',
      servesStatus: withStatus.length > 0,
      versions: named(withStatus.length > 0 ? withStatus : served),
    };
  }
  return { kind: 'unknown' };
}

function attached(session: EngineSession): { readonly hasLog: boolean; readonly hasAudit: boolean } {
  const feeds = session.feeds();
  return {
    hasLog: feeds.some(
      ({ kind }) => kind === 'log' || kind === 'child' || kind === 'stdin' || kind === 'podLog',
    ),
    hasAudit: feeds.some(({ kind }) => kind === 'audit'),
  };
}

/** Sentences that rest on time alone (a lag grows old, a loop ends) are looked at this often, ms. */
const tickMs = 2000;

/**
 * Calls `changed` when the page of `key` may read otherwise, at most four times a second: the object itself, its owned
 * kinds, roles, CRDs, findings and rights, its key in the queue. Other traffic costs a comparison.
 */
export function whyChanges(
  session: EngineSession,
  clock: Clock,
  key: ObjectKey,
  changed: () => void,
): Disposable {
  const store = new DisposableStore();
  const soon = store.add(throttled(clock, 250, changed));
  const { group, kind } = parseObjectKey(key);
  const resource = session.watching.resourceOfKind(kind, { group });
  const reconciler = () =>
    resource === undefined ? undefined : reconcilerOf(session, resourceName(resource));
  let kinds = ownedKinds();
  function ownedKinds(): ReadonlySet<string> {
    const owns = reconciler()?.controller.owns.value ?? [];
    return new Set(owns.map((name) => kindName(session.watching.resolve(name)[0])));
  }
  store.add(
    session.onObject.on((one) => {
      if (one === key) return soon.poke();
      const parts = parseObjectKey(one);
      if (matters.has(parts.group) || kinds.has(`${parts.group}/${parts.kind}`)) soon.poke();
    }),
  );
  store.add(session.verdicts.onChange.on(() => soon.poke()));
  store.add(
    session.operators.onChange.on(() => {
      kinds = ownedKinds();
      soon.poke();
    }),
  );
  let queued = '';
  store.add(
    session.shadows.onChange.on(() => {
      const found = reconciler();
      const { namespace, name } = parseObjectKey(key);
      const state = found && session.shadows.keyState(found.controller.name, reconcileKey(namespace, name));
      const now = JSON.stringify(state && [state.state, state.failures, state.certain, state.nextRunAt]);
      if (now === queued) return;
      queued = now;
      soon.poke();
    }),
  );
  store.add(every(clock, tickMs, () => soon.poke()));
  return store;
}

/** Few, and any may be the cause. Workloads and Leases are looked at with the tick: they say the same for long. */
const matters: ReadonlySet<string> = new Set(['rbac.authorization.k8s.io', 'apiextensions.k8s.io']);

function kindName(resource: { readonly group: string; readonly kind: string } | undefined): string {
  return resource === undefined ? '' : `${resource.group}/${resource.kind}`;
}
