import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../shared/model/kube.ts';
import type { Span, Trigger } from '../../../shared/model/trace.ts';
import { end, found, request, type ScriptVersion, span } from '../testChanges.ts';

const service: KubeObject = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: {
    name: 'orders',
    namespace: 'shop',
    ownerReferences: [
      { apiVersion: 'db.example.com/v1', kind: 'Database', name: 'orders', uid: 'u1', controller: true },
    ],
  },
};

/** The Service as it was stored then, and its status a moment ago. */
function writtenAt(time: string): KubeObject {
  const managedFields = [
    { manager: 'database-operator', operation: 'Update' as const, time },
    { manager: 'cloud', operation: 'Update' as const, subresource: 'status', time: '2026-03-10T14:29:59Z' },
  ];
  return { ...service, metadata: { ...service.metadata, managedFields } };
}

function saysUpdate(at: number, msg = 'updating Service'): string {
  return JSON.stringify({
    level: 'info',
    ts: new Date(end - at * 1000).toISOString(),
    msg,
    controller: 'databases',
    controllerGroup: 'db.example.com',
    controllerKind: 'Database',
    namespace: 'shop',
    name: 'orders',
    reconcileID: `r-${at}`,
  });
}

/** `count` versions, `gap` seconds apart, the last one a moment before the judgement. */
function versions(
  count: number,
  gap: number,
  say: (index: number) => Omit<ScriptVersion, 'at'>,
): readonly ScriptVersion[] {
  return Array.from({ length: count }, (_, index) => ({ at: (count - 1 - index) * gap + 1, ...say(index) }));
}

/** A run that was seen `at` seconds before the end, `wait` ms after what woke it; nothing logged its start. */
function woken(at: number, wait: number, trigger: Partial<Trigger>): Span {
  const start = end - at * 1000;
  const basis = { kind: 'inferred', by: 'start', because: [] } as const;
  const before = { lo: start - wait, hi: start - wait };
  return span(at, {
    start: { lo: start - wait, hi: start },
    startBasis: basis,
    triggerList: [{ type: 'MODIFIED', text: 'woken', collapsed: false, basis, ...trigger, at: before }],
  });
}

function stamp(index: number): string {
  return `2026-03-10T14:29:${String(10 + index).padStart(2, '0')}Z`;
}

const ready = { type: 'Ready', status: 'True', reason: 'Ok' };
const renewing = (index: number) => ({
  by: 'database-operator/status',
  spec: { size: 1 },
  status: { lastSeen: stamp(index), conditions: [ready] },
});

describe('[DT1] own status writes that wake the next reconcile', () => {
  it('fires for times alone, written by one manager, fast, and woken by events', () => {
    expect(found({ versions: versions(8, 2, renewing), runs: { success: 400 } })).toEqual([
      'hotloop/self-triggered-status-write error Database/shop/orders',
    ]);
  });

  it('concludes it from the pace alone where nobody tells what woke the runs', () => {
    expect(found({ versions: versions(8, 2, renewing) })).toEqual([
      'hotloop/self-triggered-status-write warning Database/shop/orders',
    ]);
    expect(found({ versions: versions(8, 5, renewing) })).toEqual([]);
  });

  it('leaves a status alone that a timer renews', () => {
    expect(found({ versions: versions(8, 2, renewing), runs: { success: 3, requeueAfter: 400 } })).toEqual(
      [],
    );
  });

  it('leaves a status alone that has news: progress, reasons, a value', () => {
    const progress = (index: number) => ({
      by: 'database-operator/status',
      status: { lastSeen: stamp(index), progress: index * 10 },
    });
    expect(found({ versions: versions(8, 2, progress), runs: { success: 400 } })).toEqual([]);
    const reasons = (index: number) => ({
      by: 'database-operator/status',
      status: { phase: ['Creating', 'Starting', 'Checking', 'Linking'][index % 4] },
    });
    expect(found({ versions: versions(8, 2, reasons), runs: { success: 400 } })).toEqual([]);
  });

  it('counts what says nothing new: its own version, a time inside a text, another order', () => {
    const empty: readonly ((index: number) => unknown)[] = [
      (index) => ({ seen: String(999 + index) }),
      (index) => ({ conditions: [{ ...ready, message: `checked at ${stamp(index)}, all well` }] }),
      (index) => ({ hosts: index % 2 === 0 ? ['a', 'b', 'c'] : ['c', 'a', 'b'] }),
      (index) => ({ ports: index % 2 === 0 ? [{ n: 1 }, { n: 2 }] : [{ n: 2 }, { n: 1 }] }),
    ];
    for (const status of empty) {
      const say = (index: number) => ({ by: 'database-operator/status', status: status(index) });
      expect(found({ versions: versions(8, 2, say) }), JSON.stringify(status(1))).toEqual([
        'hotloop/self-triggered-status-write warning Database/shop/orders',
      ]);
    }
  });

  it('fires for a note in an annotation of a kind the operator reconciles, and of no other', () => {
    const noting = (index: number) => ({
      by: 'database-operator',
      annotations: { 'db.example.com/seen': stamp(index) },
    });
    expect(found({ versions: versions(8, 2, noting), runs: { success: 400 } })).toEqual([
      'hotloop/self-triggered-status-write error Database/shop/orders',
    ]);
    expect(found({ versions: versions(8, 2, noting), object: service, runs: { success: 400 } })).toEqual([]);
  });

  it('takes a number that goes up for progress where nobody tells what woke the runs', () => {
    const counting = (index: number) => ({ by: 'database-operator/status', status: { done: index } });
    expect(found({ versions: versions(8, 1, counting) })).toEqual([]);
    expect(found({ versions: versions(8, 1, counting), runs: { success: 400 } })).toEqual([
      'hotloop/self-triggered-status-write error Database/shop/orders',
    ]);
  });

  it('knows the writer of objects that show no managedFields, as kubectl prints them', () => {
    const bare = versions(8, 2, renewing).map((one) => ({ ...one, by: '' }));
    expect(found({ versions: bare })).toEqual([
      'hotloop/self-triggered-status-write warning Database/shop/orders',
    ]);
    expect(found({ versions: bare, object: service })).toEqual([]);
  });

  it('asks the runs what came right before them', () => {
    const last = versions(8, 10, renewing);
    const runs = (trigger: Partial<Trigger>, wait: number) => last.map(({ at }) => woken(at, wait, trigger));
    const own = { writer: { manager: 'database-operator', subresource: 'status', own: true } };
    const child = { writer: { manager: 'kubelet', subresource: 'status', own: false } };
    const loop = 'hotloop/self-triggered-status-write error Database/shop/orders';
    expect(found({ versions: last }, { spans: runs(own, 20) })).toEqual([loop]);
    expect(found({ versions: last }, { spans: runs(own, 9_900) }), 'a timer nobody tells of').toEqual([]);
    expect(found({ versions: last }, { spans: runs({ type: 'requeue-after' }, 0) })).toEqual([]);
    expect(found({ versions: last }, { spans: runs(child, 20) })).toEqual([]);
  });

  it('leaves a loop alone that a spec change feeds, that somebody else writes, or that is over', () => {
    const fed = (index: number) => ({ ...renewing(index), generation: index, spec: { size: index } });
    expect(found({ versions: versions(8, 2, fed), runs: { success: 400 } })).toEqual([]);
    const foreign = (index: number) => ({ ...renewing(index), by: 'a-monitor/status' });
    expect(found({ versions: versions(8, 2, foreign), runs: { success: 400 } })).toEqual([]);
    const over = versions(8, 2, renewing).map((one) => ({ ...one, at: one.at + 120 }));
    expect(found({ versions: over, runs: { success: 400 } })).toEqual([]);
  });
});

describe('[DT2] two managers alternate the value of one field', () => {
  const fight = (index: number) => ({
    by: index % 2 === 0 ? 'database-operator' : 'autoscaler',
    generation: index,
    spec: { replicas: index % 2 === 0 ? 1 : 3 },
  });

  it('fires when each takes back what the other wrote', () => {
    expect(found({ versions: versions(7, 15, fight), object: service })).toEqual([
      'hotloop/field-fight error Service/shop/orders',
    ]);
  });

  it('leaves corrections alone: one round is none', () => {
    expect(found({ versions: versions(4, 15, fight), object: service })).toEqual([]);
  });

  it('leaves a value alone that moves on, whoever writes it', () => {
    const moving = (index: number) => ({ ...fight(index), spec: { replicas: index } });
    expect(found({ versions: versions(8, 15, moving), object: service })).toEqual([]);
  });

  it('leaves two managers alone that write different fields', () => {
    const apart = (index: number) => ({
      by: index % 2 === 0 ? 'database-operator' : 'autoscaler',
      spec: { replicas: Math.floor((index + 1) / 2) % 2, paused: Math.floor(index / 2) % 2 },
    });
    expect(found({ versions: versions(8, 15, apart), object: service }).join()).not.toContain('field-fight');
  });

  it('leaves people alone that change a value by hand', () => {
    const byHand = (index: number) => ({
      ...fight(index),
      by: index % 2 === 0 ? 'kubectl-edit' : 'kubectl-client-side-apply',
    });
    expect(found({ versions: versions(7, 15, byHand), object: service })).toEqual([]);
  });

  it('leaves a fight alone that ended', () => {
    const over = versions(7, 15, fight).map((one) => ({ ...one, at: one.at + 300 }));
    expect(found({ versions: over, object: service })).toEqual([]);
  });
});

describe('[DT3] defaults taken for drift', () => {
  const empty = (at: number, basedOn = '288') =>
    request(at, 200, { group: '', resource: 'services', name: 'orders', basedOn });

  it('fires for audited updates that pass and change nothing', () => {
    const audit = [40, 32, 24, 16, 8, 2].map((at) => empty(at));
    expect(found({ audit }, { objects: [service] })).toEqual([
      'hotloop/defaulting-diff error Service/shop/orders',
    ]);
  });

  it('leaves updates alone that make a new version each time, and those every few minutes', () => {
    const moving = [40, 32, 24, 16, 8, 2].map((at, index) => empty(at, String(288 + index)));
    expect(found({ audit: moving }, { objects: [service] })).toEqual([]);
    const slow = [580, 460, 340, 220, 100, 5].map((at) => empty(at));
    expect(found({ audit: slow }, { objects: [service] })).toEqual([]);
  });

  it('leaves a stranger alone, and what nobody owns', () => {
    const audit = [40, 32, 24, 16, 8, 2].map((at) => empty(at));
    const foreign = audit.map((line) => line.replaceAll('database-operator', 'somebody'));
    expect(found({ audit: foreign }, { objects: [service] })).toEqual([]);
    const { ownerReferences: _owners, ...metadata } = service.metadata;
    expect(found({ audit }, { objects: [{ ...service, metadata }] })).toEqual([]);
  });

  it('fires for updates that a log or an audit without versions tells of, of a child that stands still', () => {
    const still = writtenAt('2026-03-10T12:00:00Z');
    const log = [40, 32, 24, 16, 8, 2].map((at) => saysUpdate(at));
    const service1 = 'hotloop/defaulting-diff error Service/shop/orders';
    expect(found({ log }, { objects: [still] })).toEqual([service1]);
    const words = ['updated resource orders of Type *v1.Service', 'Patching service shop/orders'];
    for (const msg of words)
      expect(
        found({ log: [40, 32, 24, 16, 8, 2].map((at) => saysUpdate(at, msg)) }, { objects: [still] }),
      ).toEqual([service1]);
    const audit = [40, 32, 24, 16, 8, 2].map((at) =>
      request(at, 200, { group: '', resource: 'services', name: 'orders' }),
    );
    expect(found({ audit }, { objects: [still] })).toEqual([service1]);
  });

  it('leaves a child alone that was written meanwhile, is seldom updated, or is not said to be', () => {
    const still = writtenAt('2026-03-10T12:00:00Z');
    const log = (gap: number, msg?: string) => [5, 4, 3, 2, 1, 0].map((n) => saysUpdate(n * gap + 1, msg));
    expect(found({ log: log(8) }, { objects: [writtenAt('2026-03-10T14:29:50Z')] })).toEqual([]);
    expect(found({ log: log(8) }, { objects: [service] }), 'no word when').toEqual([]);
    expect(found({ log: log(90) }, { objects: [still] })).toEqual([]);
    expect(found({ log: log(8).slice(0, 4) }, { objects: [still] })).toEqual([]);
    for (const msg of ['Service needs no update', 'Failed to update Service', 'Updating status of Service'])
      expect(found({ log: log(8, msg) }, { objects: [still] }), msg).toEqual([]);
    const { ownerReferences: _owners, ...metadata } = still.metadata;
    expect(found({ log: log(8) }, { objects: [{ ...still, metadata }] })).toEqual([]);
  });

  it('fires for versions in which one manager takes its own value back each time', () => {
    const undoing = (index: number) => ({
      by: 'database-operator',
      generation: index,
      spec: index % 2 === 0 ? { cpu: '1000m' } : { cpu: '1' },
    });
    expect(found({ versions: versions(8, 3, undoing), object: service })).toEqual([
      'hotloop/defaulting-diff error Service/shop/orders',
    ]);
  });
});
