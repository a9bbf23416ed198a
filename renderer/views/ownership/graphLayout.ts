/**
 * Places of the owner graph: columns from left to right, owners and what holds the deletion, the object, what it owns.
 * Rows keep the order they come in, so that nothing jumps while data arrives. Pure; sizes in px.
 */
import type { DeletionHold, OwnerNode, OwnershipView } from '../../../shared/contract/views/structure.ts';

export const nodeSize = { width: 228, height: 52 } as const;
const gap = { x: 44, y: 16 } as const;
/** With more columns than this boxes are narrower, so that the next one is seen to be there. */
const wideColumns = 3;
const narrowWidth = 200;
/** Room for the name of a column. */
const top = 28;

export type PlacedNode =
  | {
      readonly id: string;
      readonly x: number;
      readonly y: number;
      readonly kind: 'object';
      readonly node: OwnerNode;
    }
  | {
      readonly id: string;
      readonly x: number;
      readonly y: number;
      readonly kind: 'finalizer';
      readonly hold: DeletionHold;
    }
  | {
      readonly id: string;
      readonly x: number;
      readonly y: number;
      readonly kind: 'handler';
      readonly hold: DeletionHold;
    }
  | {
      readonly id: string;
      readonly x: number;
      readonly y: number;
      readonly kind: 'folded';
      readonly of: string;
      readonly count: number;
    };

/** What stands in a column. `below`: what is owned by what the object owns. */
export type ColumnRole = 'owners' | 'holds' | 'object' | 'owned' | 'below';

export interface PlacedEdge {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  /** holds: a finalizer keeps the object. lifts: its handler would remove it. owns: an owner reference. */
  readonly kind: 'holds' | 'lifts' | 'owns';
  /** The reference is broken, or nobody is there to lift. */
  readonly broken: boolean;
  readonly vertical: boolean;
}

export interface GraphLayout {
  readonly columns: readonly { readonly x: number; readonly role: ColumnRole }[];
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
  readonly width: number;
  readonly height: number;
  readonly nodeWidth: number;
}

export function layOut(view: OwnershipView): GraphLayout {
  const holds = view.holds;
  const levels = [...new Set(view.nodes.map(({ level }) => level))].sort((a, b) => a - b);
  const columns: PlacedColumn[] = levels
    .filter((level) => level < 0)
    .map((level) => objectColumn(view, level));
  if (holds.length > 0) columns.push(holdsColumn(holds));
  // Beside the first finalizer, so that what holds it points straight at it.
  const firstRow = holds[0]?.handler === undefined ? 0 : 1;
  for (const level of levels.filter((one) => one >= 0))
    columns.push({ ...objectColumn(view, level), ...(level === 0 ? { firstRow } : {}) });
  const folded = view.folded.map(
    ({ kind, count }): Cell => ({
      id: `folded ${kind}`,
      make: (place) => ({ ...place, kind: 'folded', of: kind, count }),
    }),
  );
  const owned = columns.at(-1);
  if (folded.length > 0 && owned !== undefined)
    columns[columns.length - 1] = { ...owned, cells: [...owned.cells, ...folded] };

  const nodeWidth = columns.length > wideColumns ? narrowWidth : nodeSize.width;
  const pitch = nodeWidth + gap.x;
  const nodes = columns.flatMap(({ cells, firstRow = 0 }, column) =>
    cells.map(({ id, make }, index) =>
      make({
        id,
        x: column * pitch,
        y: top + (firstRow + index) * (nodeSize.height + gap.y),
      }),
    ),
  );
  return {
    columns: columns.map(({ role }, column) => ({ x: column * pitch, role })),
    nodes,
    edges: [...holdEdges(view), ...ownerEdges(view)],
    width: columns.length * pitch - gap.x,
    height: Math.max(0, ...nodes.map(({ y }) => y)) + nodeSize.height + 8,
    nodeWidth,
  };
}

interface Place {
  readonly id: string;
  readonly x: number;
  readonly y: number;
}
interface Cell {
  readonly id: string;
  make(place: Place): PlacedNode;
}
interface PlacedColumn {
  readonly role: ColumnRole;
  /** Row of its first cell; 0 when absent. */
  readonly firstRow?: number;
  readonly cells: readonly Cell[];
}

function objectColumn(view: OwnershipView, level: number): PlacedColumn {
  return {
    role: level < 0 ? 'owners' : level === 0 ? 'object' : level === 1 ? 'owned' : 'below',
    cells: view.nodes
      .filter((node) => node.level === level)
      .map((node) => ({ id: node.object.key, make: (place) => ({ ...place, kind: 'object', node }) })),
  };
}

/** Each finalizer below who would remove it. */
function holdsColumn(holds: readonly DeletionHold[]): PlacedColumn {
  return {
    role: 'holds',
    cells: holds.flatMap((hold) => [
      ...(hold.handler === undefined
        ? []
        : [
            {
              id: handlerId(hold),
              make: (place: Place): PlacedNode => ({ ...place, kind: 'handler', hold }),
            },
          ]),
      { id: finalizerId(hold), make: (place: Place): PlacedNode => ({ ...place, kind: 'finalizer', hold }) },
    ]),
  };
}

function handlerId({ index }: DeletionHold): string {
  return `handler ${index}`;
}

function finalizerId({ index }: DeletionHold): string {
  return `finalizer ${index}`;
}

function holdEdges(view: OwnershipView): readonly PlacedEdge[] {
  return view.holds.flatMap((hold) => [
    ...(hold.handler === undefined
      ? []
      : [
          {
            id: `lifts ${hold.index}`,
            from: handlerId(hold),
            to: finalizerId(hold),
            kind: 'lifts' as const,
            broken: hold.handlerState === 'notRunning',
            vertical: true,
          },
        ]),
    {
      id: `holds ${hold.index}`,
      from: finalizerId(hold),
      to: view.object.key,
      kind: 'holds' as const,
      broken: hold.handlerState === 'notRunning',
      vertical: false,
    },
  ]);
}

function ownerEdges(view: OwnershipView): readonly PlacedEdge[] {
  return view.edges.map(({ owner, dependent, broken }) => ({
    id: `${owner} ${dependent}`,
    from: owner,
    to: dependent,
    kind: 'owns',
    broken,
    vertical: false,
  }));
}
