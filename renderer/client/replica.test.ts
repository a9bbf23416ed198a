import { beforeEach, describe, expect, it } from 'vitest';
import { toDisposable } from '../../shared/base/disposable.ts';
import type { RowsDiff } from '../../shared/contract/define.ts';
import { type ReplicaHost, type StreamObserver, TableReplica, ValueReplica } from './replica.ts';

interface Row {
  readonly id: string;
  readonly n: number;
}

let flushes: (() => void)[] = [];
let timers: (() => void)[] = [];
let opened = 0;
let closed = 0;
const host: ReplicaHost = {
  frames: {
    request(flush) {
      if (!flushes.includes(flush)) flushes.push(flush);
    },
  },
  lingerMs: 5000,
  setTimer(_delay, fire) {
    timers.push(fire);
    return toDisposable(() => {
      timers = timers.filter((t) => t !== fire);
    });
  },
};
function frame() {
  const batch = flushes;
  flushes = [];
  for (const flush of batch) flush();
}
function opener<Item>(keep: (observer: StreamObserver<Item>) => void) {
  return (observer: StreamObserver<Item>) => {
    opened += 1;
    keep(observer);
    return toDisposable(() => {
      closed += 1;
    });
  };
}
beforeEach(() => {
  flushes = [];
  timers = [];
  opened = 0;
  closed = 0;
});

describe('TableReplica', () => {
  function make() {
    let observer: StreamObserver<RowsDiff<Row>> | undefined;
    const replica = new TableReplica<Row>(
      host,
      opener<RowsDiff<Row>>((o) => {
        observer = o;
      }),
      () => {},
      (row) => row.id,
    );
    let calls = 0;
    const stop = replica.subscribe(() => {
      calls += 1;
    });
    return {
      replica,
      stop,
      calls: () => calls,
      send: (diff: Partial<RowsDiff<Row>>) =>
        observer?.item({ reset: false, upserts: [], removed: [], total: 0, dropped: 0, ...diff }),
      fail: (message: string) => observer?.failed(message),
    };
  }
  it('applies many items in one flush per frame and keeps references of equal rows', () => {
    const t = make();
    t.send({
      reset: true,
      upserts: [
        { id: 'a', n: 1 },
        { id: 'b', n: 1 },
      ],
      total: 9,
    });
    t.send({ upserts: [{ id: 'b', n: 2 }], removed: ['a'], total: 8 });
    expect(t.replica.get().state).toBe('loading');
    frame();
    expect(t.replica.get()).toEqual({ state: 'ready', rows: [{ id: 'b', n: 2 }], total: 8, dropped: 0 });
    expect(t.calls()).toBe(1);
    const before = t.replica.get().rows;
    t.send({ reset: true, upserts: [{ id: 'b', n: 2 }], total: 8 });
    frame();
    expect(t.replica.get().rows).toBe(before);
  });
  it('adds up what was dropped and keeps the rows when the stream fails', () => {
    const t = make();
    t.send({ reset: true, upserts: [{ id: 'a', n: 1 }], total: 1, dropped: 3 });
    t.send({ reset: true, upserts: [{ id: 'a', n: 1 }], total: 1, dropped: 4 });
    t.fail('engine went away');
    frame();
    expect(t.replica.get()).toMatchObject({ state: 'failed', dropped: 7, rows: [{ id: 'a', n: 1 }] });
  });
  it('listens once for all readers and lingers before it stops', () => {
    const t = make();
    const stop = t.replica.subscribe(() => {});
    expect(opened).toBe(1);
    stop();
    t.stop();
    expect(closed).toBe(0);
    const again = t.replica.subscribe(() => {});
    expect(timers).toEqual([]);
    again();
    for (const fire of [...timers]) fire();
    expect(closed).toBe(1);
    expect(opened).toBe(1);
  });
});

it('ValueReplica keeps its snapshot when an equal value arrives', () => {
  let observer: StreamObserver<{ a: number }> | undefined;
  const replica = new ValueReplica<{ a: number }>(
    host,
    opener<{ a: number }>((o) => {
      observer = o;
    }),
    () => {},
  );
  replica.subscribe(() => {});
  observer?.item({ a: 1 });
  frame();
  const first = replica.get();
  observer?.item({ a: 1 });
  frame();
  expect(replica.get()).toBe(first);
  observer?.failed('closed');
  frame();
  expect(replica.get()).toEqual({ state: 'failed', value: { a: 1 }, error: 'closed' });
});
