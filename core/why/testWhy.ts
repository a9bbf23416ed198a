/** Inputs of the causes made by hand: a calm Database with its operator, and what a test changes of it. */
import type { Condition } from '../../shared/model/kube.ts';
import type { SaidList } from './keyNotes.ts';
import type { VersionNote } from './versions.ts';
import type { KeyQueueNote, OperatorNote, WhyInput } from './whyInput.ts';

export const now = Date.parse('2026-11-30T10:00:00Z');

export function condition(status: Condition['status'], more: Partial<Condition> = {}): Condition {
  return {
    type: 'Ready',
    status,
    reason: status === 'True' ? 'AllReplicasReady' : 'Upgrading',
    message: '',
    lastTransitionTime: new Date(now - 600_000).toISOString().replace('.000Z', 'Z'),
    ...more,
  };
}

let seqs = 100;
/** A version `agoMs` before now. */
export function version(agoMs: number, more: Partial<VersionNote> = {}): VersionNote {
  seqs += 1;
  return {
    seq: seqs,
    at: { lo: now - agoMs, hi: now - agoMs },
    op: 'modified',
    initial: false,
    resourceVersion: `${seqs}`,
    uid: 'u1',
    generation: 3,
    observedGeneration: 3,
    conditions: [condition('True')],
    deletionTimestamp: undefined,
    finalizers: [],
    writers: [],
    changed: [],
    afterGap: false,
    ...more,
  };
}

export const statusWriter = {
  manager: 'database-operator',
  operation: 'Update',
  subresource: 'status',
} as const;

export function ownWrite(
  agoMs: number,
  changed: VersionNote['changed'],
  more: Partial<VersionNote> = {},
): VersionNote {
  return version(agoMs, { writers: [statusWriter], changed, ...more });
}

export const operator: OperatorNote = {
  name: 'database-operator',
  managers: ['database-operator'],
  workload: 'Deployment/dbops-system/database-operator',
  controller: 'database',
  basis: { kind: 'reported', from: 'log' },
  wokenByStatus: true,
  ownedKinds: ['StatefulSet'],
  runs: 'running',
  signs: [{ kind: 'lease', at: now - 1000 }],
};

export function queue(more: Partial<KeyQueueNote> = {}): KeyQueueNote {
  return {
    controller: 'database',
    key: 'shop/orders',
    state: 'idle',
    failures: 0,
    certain: true,
    why: undefined,
    since: undefined,
    runsAt: undefined,
    delayMs: undefined,
    nextDelayMs: 5,
    stepsMs: Array.from({ length: 19 }, (_, n) => Math.min(1_000_000, 5 * 2 ** n)),
    baseMs: 5,
    factor: 2,
    basis: { kind: 'inferred', by: 'queue/shadow', because: [] },
    predictions: { hit: 0, judged: 0, largestMs: 0 },
    ...more,
  };
}

export function said(texts: readonly string[], everyMs = 10_000): SaidList {
  const recent = texts.map((text, index) => ({
    at: now - (texts.length - index) * everyMs,
    precise: true,
    seq: 500 + index,
    text,
    reconcileId: `r${index}`,
  }));
  const [first] = recent;
  if (first === undefined) throw new Error('nothing said');
  return { count: recent.length, first, recent };
}

export function input(more: Partial<WhyInput> = {}): WhyInput {
  return {
    now,
    object: {
      key: 'db.example.com/Database/shop/orders',
      group: 'db.example.com',
      kind: 'Database',
      namespace: 'shop',
      name: 'orders',
    },
    known: true,
    gone: false,
    detail: 'full',
    upgrading: false,
    forbidden: undefined,
    resource: 'databases',
    health: 'ok',
    versions: [version(1_200_000, { op: 'listed', initial: true })],
    polarity: {},
    operator,
    queue: queue(),
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
    crd: { kind: 'crd', servesStatus: true, versions: ['v1'] },
    otherGaps: [],
    neededRights: 6,
    rightsPermission: undefined,
    hasLog: true,
    hasAudit: false,
    ...more,
  };
}

/** As its newest version, with these conditions. */
export function withConditions(
  conditions: readonly Condition[],
  more: Partial<VersionNote> = {},
): readonly VersionNote[] {
  return [version(1_200_000, { op: 'listed', initial: true, conditions, ...more })];
}
