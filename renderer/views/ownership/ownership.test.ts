import { describe, expect, test } from 'vitest';
import type { DeletionHold, OwnerNode, OwnershipView } from '../../../shared/contract/views/structure.ts';
import { layOut, nodeSize } from './graphLayout.ts';
import { ownershipVerdict, removalCommand } from './ownershipWords.ts';

function ref(kind: string, name: string, namespace = 'shop') {
  return { key: `g/${kind}/${namespace}/${name}`, group: 'g', kind, namespace, name };
}

function node(kind: string, name: string, level: number): OwnerNode {
  return {
    object: ref(kind, name),
    level,
    exists: true,
    readable: true,
    health: 'ok',
    text: '',
    finalizers: [],
  };
}

function hold(index: number, handlerState: DeletionHold['handlerState'], handler = true): DeletionHold {
  return {
    finalizer: `db.example.com/f${index}`,
    index,
    ...(handler ? { handler: { name: 'database-operator' } } : {}),
    handlerState,
    handlerDetail: '',
    basis: { kind: 'observed', from: 'watch' },
  };
}

const view: OwnershipView = {
  object: ref('Database', 'orders'),
  known: true,
  resource: 'databases.g',
  nodes: [node('Database', 'orders', 0), node('StatefulSet', 'orders', 1), node('Secret', 'auth', 1)],
  edges: [],
  folded: [],
  holds: [],
  problems: [],
  unreadable: [],
};

describe('the verdict', () => {
  test('names what nobody can lift before what is being worked on', () => {
    const deleting = { ...view, deletingSince: 1 };
    const holds = [hold(0, 'running'), hold(1, 'unknown'), hold(2, 'notRunning')];
    expect(ownershipVerdict({ ...deleting, holds })).toEqual({ kind: 'stuck', hold: holds[2], others: 2 });
    expect(ownershipVerdict({ ...deleting, holds: holds.slice(0, 2) })).toMatchObject({ kind: 'unclear' });
    expect(ownershipVerdict({ ...deleting, holds: holds.slice(0, 1) })).toMatchObject({ kind: 'waits' });
    expect(ownershipVerdict(deleting)).toEqual({ kind: 'going' });
  });

  test('without a deletion it tells what one would meet', () => {
    expect(ownershipVerdict(view)).toEqual({ kind: 'free' });
    expect(ownershipVerdict({ ...view, holds: [hold(0, 'running')] })).toEqual({
      kind: 'wouldWait',
      count: 1,
    });
    const problems = [{ problem: 'otherUid' as const, dependent: 'a', owner: 'b' }];
    expect(ownershipVerdict({ ...view, problems })).toEqual({ kind: 'broken', count: 1 });
    expect(ownershipVerdict({ ...view, goneAt: 5, problems })).toEqual({ kind: 'gone', at: 5 });
  });
});

describe('the command that removes a finalizer', () => {
  test('tests the place before it removes it', () => {
    const command = removalCommand(view, hold(1, 'notRunning'));
    expect(command).toContain('kubectl -n shop patch databases.g orders');
    const patch = /-p '([\s\S]*)'$/.exec(command)?.[1] ?? '';
    expect(JSON.parse(patch)).toEqual([
      { op: 'test', path: '/metadata/finalizers/1', value: 'db.example.com/f1' },
      { op: 'remove', path: '/metadata/finalizers/1' },
    ]);
  });

  test('no name gets out of its quotes; cluster-scoped objects have no namespace', () => {
    const odd = { ...hold(0, 'unknown'), finalizer: "it's;rm" };
    expect(removalCommand(view, odd)).toContain(`"it'\\''s;rm"`);
    expect(removalCommand({ ...view, object: ref('Fleet', 'a', '') }, odd)).not.toContain('-n ');
  });
});

describe('the layout', () => {
  test('goes from left to right: owners, holds, the object, what it owns; nothing overlaps', () => {
    const layout = layOut({
      ...view,
      nodes: [...view.nodes, node('Fleet', 'eu', -1), node('Pod', 'orders-0', 2)],
      holds: [hold(0, 'running'), hold(1, 'notRunning', false)],
      folded: [{ kind: 'Secret', count: 29 }],
    });
    const x = (id: string) => layout.nodes.find((one) => one.id === id)?.x;
    const order = [
      ref('Fleet', 'eu').key,
      'finalizer 0',
      view.object.key,
      ref('Secret', 'auth').key,
      ref('Pod', 'orders-0').key,
    ];
    const xs = order.map(x);
    expect(xs).toEqual([...xs].sort((a, b) => (a ?? 0) - (b ?? 0)));
    expect(new Set(xs).size).toBe(order.length);
    for (const one of layout.nodes)
      for (const other of layout.nodes)
        if (one !== other && one.x === other.x)
          expect(Math.abs(one.y - other.y)).toBeGreaterThanOrEqual(nodeSize.height);
    expect(layout.nodes.find((one) => one.id === 'handler 1')).toBeUndefined();
    expect(layout.nodes.some((one) => one.kind === 'folded' && one.count === 29)).toBe(true);
    expect(layout.edges.filter(({ kind }) => kind === 'holds')).toHaveLength(2);
  });

  test('data that arrives moves nothing that is there', () => {
    const before = layOut(view).nodes;
    const after = layOut({ ...view, nodes: [...view.nodes, node('Service', 'orders', 1)] }).nodes;
    for (const { id, x, y } of before) expect(after.find((one) => one.id === id)).toMatchObject({ x, y });
  });
});
