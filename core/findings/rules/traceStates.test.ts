import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../shared/model/kube.ts';
import type { Span, TraceWrite } from '../../../shared/model/trace.ts';
import { end, found, type ScriptVersion, span } from '../testChanges.ts';

const watched = { kind: 'observed', from: 'watch' } as const;

function write(at: number, subject: string, more: Partial<TraceWrite> = {}): TraceWrite {
  const ms = end - at * 1000;
  return {
    at: { lo: ms, hi: ms },
    seq: 1,
    subject,
    verb: 'create',
    subresource: '',
    outcome: 'stored',
    fields: [],
    changes: 0,
    basis: watched,
    ...more,
  };
}

describe('[DT5] a run on a cache that lacks the last write', () => {
  const twice = [60, 20].flatMap((at) => [
    span(at, { writeList: [write(at - 0.05, `Service/shop/orders-${at}`)] }),
    span(at - 1, { result: 'error', error: `services "orders-${at}" already exists` }),
  ]);

  it('fires when what the run before created is created again, more than once', () => {
    expect(found({}, { spans: twice })).toEqual(['trace/stale-state warning Database/shop/orders']);
  });

  it('leaves one time alone, and objects that somebody else made', () => {
    expect(found({}, { spans: twice.slice(2) })).toEqual([]);
    const foreign = twice.map((one) => ({ ...one, writeList: [] }));
    expect(found({}, { spans: foreign })).toEqual([]);
  });
});

describe('[DT6] a state that no run saw', () => {
  const versions: readonly ScriptVersion[] = [
    { at: 60, by: 'kubectl', generation: 1, spec: { size: 1 } },
    { at: 30, by: 'kubectl', generation: 2, spec: { size: 5 } },
    { at: 29, by: 'kubectl', generation: 3, spec: { size: 1 } },
  ];

  it('fires for a value that came and went between two known runs', () => {
    expect(found({ versions }, { spans: [span(50), span(28)] })).toEqual([
      'trace/unobserved-state warning Database/shop/orders',
    ]);
  });

  it('leaves it alone when a run started in between, or none is known around', () => {
    expect(found({ versions }, { spans: [span(50), span(29.5), span(28)] })).toEqual([]);
    expect(found({ versions }, { spans: [span(28)] })).toEqual([]);
    const inferred = { kind: 'inferred', by: 'x', because: [] } as const;
    expect(found({ versions }, { spans: [span(50, { basis: inferred }), span(28)] })).toEqual([]);
  });

  it('leaves mere coalescing alone: the value moved on', () => {
    const on = versions.map((one, index) => ({ ...one, spec: { size: index } }));
    expect(found({ versions: on }, { spans: [span(50), span(28)] })).toEqual([]);
  });
});

describe('[DT7] work left half done', () => {
  const siblings = ['a', 'b', 'c'].map((name) =>
    span(300, {
      key: `shop/${name}`,
      writeList: [write(300, `Secret/shop/${name}`), write(300, `Service/shop/${name}`)],
    }),
  );
  const half = (more: Partial<Span>) =>
    span(100, {
      result: 'panic',
      error: 'panic: nil',
      writeList: [write(100, 'Secret/shop/orders')],
      ...more,
    });

  it('fires when the last run ended between writes that all siblings have', () => {
    expect(found({}, { spans: [...siblings, half({})] })).toEqual([
      'trace/intermediate-state error Database/shop/orders',
    ]);
  });

  it('leaves it alone when a later run did it, a retry is due, or the error says why', () => {
    const later = span(50, { writeList: [write(50, 'Service/shop/orders')] });
    expect(found({}, { spans: [...siblings, half({}), later] })).toEqual([]);
    expect(found({}, { spans: [...siblings, half({ next: { predicted: end + 1000 } })] })).toEqual([]);
    const refused = half({ result: 'error', error: 'services is forbidden: User "x" cannot create' });
    expect(found({}, { spans: [...siblings, refused] })).toEqual([]);
  });

  it('leaves it alone when the child is there, or too few siblings tell what belongs together', () => {
    const service: KubeObject = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: {
        name: 'orders',
        namespace: 'shop',
        ownerReferences: [{ apiVersion: 'db.example.com/v1', kind: 'Database', name: 'orders', uid: 'u1' }],
      },
    };
    expect(found({}, { spans: [...siblings, half({})], objects: [service] })).toEqual([]);
    expect(found({}, { spans: [...siblings.slice(1), half({})] })).toEqual([]);
  });
});
