/** What stands around an object for its page: who reconciles it and whether that runs, what it owns, what is mended. */
import { asRecord } from '../../shared/base/json.ts';
import { type ObjectKey, objectKey } from '../../shared/model/ids.ts';
import type { ControllerProfile, OperatorProfile } from '../../shared/model/profile.ts';
import { resourceName } from '../../shared/model/resource.ts';
import { replicasOf } from '../objects/replicas.ts';
import type { ObjectFact } from '../session/facts.ts';
import { parseForbidden } from '../source/log/forbidden.ts';
import { lastStatusWrite } from '../why/cause.ts';
import type { KeyNotes, Said } from '../why/keyNotes.ts';
import { mainCondition } from '../why/polarity.ts';
import type { VersionNote } from '../why/versions.ts';
import type { Mended, OperatorNote, OwnedNote, Sign } from '../why/whyInput.ts';
import type { EngineSession } from './engineSession.ts';
import type { ObjectState } from './objectIndex.ts';
import { parse } from './objectViews.ts';
import { grantWrittenAt } from './whyRights.ts';

export interface Reconciler {
  readonly operator: OperatorProfile;
  readonly controller: ControllerProfile;
}

/** The operator whose controller is For this resource; the one under debug before others. */
export function reconcilerOf(session: EngineSession, resource: string): Reconciler | undefined {
  const chosen = session.operators.profile();
  const all = session.operators.all();
  for (const operator of chosen === undefined ? all : [chosen, ...all]) {
    const controller = operator.controllers.find((one) => one.for.value === resource);
    if (controller !== undefined) return { operator, controller };
  }
  return undefined;
}

/** A sign of life this young says that it runs, whatever its workload says, ms. */
const freshMs = 60_000;

export function operatorNote(
  session: EngineSession,
  { operator, controller }: Reconciler,
  about: { readonly kind: string; readonly versions: readonly VersionNote[]; readonly notes: KeyNotes },
): OperatorNote {
  const signs: Sign[] = [];
  const renewed = leaseRenewedAt(session, operator);
  if (renewed !== undefined) signs.push({ kind: 'lease', at: renewed });
  const logged = about.notes.lastLineAt(controller.name, about.kind);
  if (logged !== undefined) signs.push({ kind: 'log', at: logged });
  const managers = operator.fieldManagers.value;
  const wrote = managers.length === 0 ? undefined : lastStatusWrite(about.versions, managers);
  if (wrote !== undefined) signs.push({ kind: 'write', at: wrote.at.hi });
  const summary = session.operators.view().operators.find(({ id }) => id === operator.id);
  const now = session.clock.now();
  const fresh = signs.some((sign) => 'at' in sign && now - sign.at < freshMs);
  const told = summary === undefined ? undefined : runsBySummary(summary.health, summary.detail);
  if (summary !== undefined && told !== undefined)
    signs.push({ kind: operator.workload === undefined ? 'process' : 'workload', detail: summary.detail });
  // Nothing is left that could run: a sign of a moment ago says no more.
  const ended = summary?.detail === 'scaled to 0' || summary?.detail.startsWith('its process') === true;
  const runs = fresh && !ended ? 'running' : (told ?? 'unknown');
  return {
    name: operator.name,
    managers,
    workload: operator.workload?.value,
    controller: controller.name,
    basis: controller.for.edited === true ? { kind: 'observed', from: 'file' } : controller.for.basis,
    wokenByStatus: !controller.predicates.value.includes('generationChanged'),
    ownedKinds: controller.owns.value.map((name) => session.watching.resolve(name)[0]?.kind ?? name),
    runs,
    signs: runs === 'notRunning' ? [...signs].sort((a) => ('detail' in a ? -1 : 1)) : signs,
  };
}

/** undefined: nothing is said, as of an operator that runs outside the cluster. */
function runsBySummary(health: string, detail: string): 'running' | 'notRunning' | undefined {
  if (detail === 'scaled to 0' || health === 'failed') return 'notRunning';
  if (detail.startsWith('its process')) return 'notRunning';
  return health === 'ok' || health === 'degraded' ? 'running' : undefined;
}

function leaseRenewedAt({ model }: EngineSession, operator: OperatorProfile): number | undefined {
  const [namespace = '', name = ''] = operator.lease?.value.split('/').slice(-2) ?? [];
  if (name === '') return undefined;
  const lease = model.get(objectKey({ group: 'coordination.k8s.io', kind: 'Lease', namespace, name }));
  const renewed = asRecord(lease?.spec)?.renewTime;
  const at = typeof renewed === 'string' ? Date.parse(renewed) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

/** Owned objects looked at: a page is no list. */
const ownedShown = 12;

export interface OwnedAround {
  readonly notes: readonly OwnedNote[];
  readonly unreadable: readonly string[];
  readonly changedAt: readonly number[];
}

export function ownedAround(
  session: EngineSession,
  fact: ObjectFact,
  controller: ControllerProfile | undefined,
): OwnedAround {
  const hidden = new Set(session.watching.unreadable());
  const unreadable: string[] = [];
  const notes: OwnedNote[] = [];
  const changedAt: number[] = [];
  for (const name of controller?.owns.value ?? []) {
    const resource = session.watching.resolve(name)[0];
    if (resource === undefined) continue;
    if (hidden.has(resourceName(resource))) {
      unreadable.push(resourceName(resource));
      continue;
    }
    for (const state of session.index.ofKind(resource.group, resource.kind)) {
      if (notes.length >= ownedShown) break;
      if (state.fact.meta.ownerReferences?.some(({ uid }) => uid === fact.uid) !== true) continue;
      notes.push(ownedNote(session, state));
      const { log } = session.recorder;
      for (const seq of log.historyOf(state.fact.key).slice(-40)) {
        const head = log.head(seq);
        if (head !== undefined && !head.initial) changedAt.push(head.at.hi);
      }
    }
  }
  return { notes, unreadable, changedAt: changedAt.sort((a, b) => a - b) };
}

function ownedNote(session: EngineSession, { fact }: ObjectState): OwnedNote {
  const base = { kind: fact.kind, name: fact.name };
  if (fact.metadataOnly) return { ...base, state: 'exists', text: '' };
  const object = parse(session.recorder.log, fact.seq);
  const counted = object && replicasOf(object);
  if (counted !== undefined) {
    const [ready, wanted] = counted;
    return { ...base, state: ready >= wanted ? 'ready' : 'notReady', text: `${ready}/${wanted}` };
  }
  const main = mainCondition(fact.conditions);
  if (main === undefined) return { ...base, state: 'exists', text: '' };
  return { ...base, state: main.status === 'True' ? 'ready' : 'notReady', text: '' };
}

const notFound = /([\w.-]+) "([^"]+)" not found/i;

/**
 * What the last error calls missing and what is there now: an object it did not find that appeared since, or a right it
 * was refused that a role written since gives. Nothing on less.
 */
export function mendedSince(
  session: EngineSession,
  last: Said | undefined,
  namespace: string,
): Mended | undefined {
  if (last === undefined) return undefined;
  return mendedRight(session, last) ?? mendedObject(session, last, namespace);
}

function mendedRight(session: EngineSession, last: Said): Mended | undefined {
  const forbidden = parseForbidden(last.text);
  if (forbidden?.kind !== 'resource') return undefined;
  const { verb, apiGroup, resource, subresource, namespace } = forbidden;
  const row = session.verdicts
    .rbac()
    .lens?.rows.find(
      (one) =>
        one.apiGroup === apiGroup &&
        one.resource === resource &&
        one.subresource === subresource &&
        (one.scope === '' || one.scope === namespace) &&
        (one.cells[verb] === 'grantedUsed' || one.cells[verb] === 'grantedNotSeen'),
    );
  const written = row && grantWrittenAt(session, row);
  if (written === undefined || written.at < last.at) return undefined;
  const what = subresource === '' ? `${verb} ${resource}` : `${verb} ${resource}/${subresource}`;
  return { what, by: 'right', at: written.at, precise: true, key: written.key, seq: written.seq };
}

function mendedObject(session: EngineSession, last: Said, namespace: string): Mended | undefined {
  const [, word = '', named = ''] = notFound.exec(last.text) ?? [];
  if (named === '') return undefined;
  const { watching, index, recorder } = session;
  const resource =
    watching.resolve(word)[0] ??
    watching.resources().find(({ kind }) => kind.toLowerCase() === word.toLowerCase());
  if (resource === undefined) return undefined;
  const slash = named.indexOf('/');
  const key: ObjectKey = objectKey({
    group: resource.group,
    kind: resource.kind,
    namespace: resource.namespaced ? (slash < 0 ? namespace : named.slice(0, slash)) : '',
    name: named.slice(slash + 1),
  });
  const state = index.get(key);
  if (state === undefined || state.deleted) return undefined;
  const created = Date.parse(state.fact.meta.creationTimestamp ?? '');
  const seen = recorder.log
    .historyOf(key)
    .map((seq) => recorder.log.head(seq))
    .findLast((head) => head?.op === 'added' && !head.initial);
  const at = seen?.at.hi ?? created;
  // It was there when the error was written: then it is something else that was not found.
  if (Number.isNaN(at) || at + (seen === undefined ? 999 : 0) < last.at) return undefined;
  return {
    what: `${resource.kind} ${named.slice(slash + 1)}`,
    by: 'object',
    at,
    precise: seen !== undefined,
    key,
    seq: seen?.seq ?? state.fact.seq,
  };
}
