/** The owner graph: placed by graphLayout.ts, drawn by React Flow at a fixed size; nothing can be dragged apart. */
import {
  type Edge,
  Handle,
  MarkerType,
  type Node,
  type NodeProps,
  type NodeTypes,
  Position,
  ReactFlow,
  ReactFlowProvider,
} from '@xyflow/react';
import { type ReactNode, useMemo } from 'react';
import type { OwnershipView } from '../../../shared/contract/views/structure.ts';
import { operatorWords } from '../../app/operatorWords.ts';
import { formatAge, type Locale } from '../../format/format.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { useMoment } from '../../state/useConnection.ts';
import { type GlyphState, StateGlyph } from '../../widgets/StateGlyph.tsx';
import { Tip } from '../../widgets/Tip.tsx';
import { pluralKind } from '../informers/plural.ts';
import { layOut, nodeSize, type PlacedEdge, type PlacedNode } from './graphLayout.ts';
import '@xyflow/react/dist/base.css';

export interface OwnerGraphProps {
  readonly view: OwnershipView;
  readonly selected: string | undefined;
  readonly onSelect: (id: string) => void;
  readonly onOpen: (key: string) => void;
}

type CardNode = Node<{ readonly placed: PlacedNode; readonly isSelf: boolean; readonly isSelected: boolean }>;

const nodeTypes: NodeTypes = { card: Card };

export default function OwnerGraph({ view, selected, onSelect, onOpen }: OwnerGraphProps): ReactNode {
  const { t, locale } = useI18n();
  const layout = useMemo(() => layOut(view), [view]);
  const nodes: CardNode[] = layout.nodes.map((placed) => ({
    id: placed.id,
    type: 'card',
    position: { x: placed.x, y: placed.y },
    data: { placed, isSelf: placed.id === view.object.key, isSelected: placed.id === selected },
    width: layout.nodeWidth,
    height: nodeSize.height,
    ariaLabel: nameOf(placed, locale, t),
  }));
  return (
    <ReactFlowProvider>
      <div className="ownerGraphScroll">
        <div className="ownerGraph" style={{ width: layout.width + 4, height: layout.height }}>
          {layout.columns.map(({ x, role }) => (
            <span key={x} className="label strong ownerColumn" style={{ left: x }}>
              {t(`ownership.column.${role}`)}
            </span>
          ))}
          <ReactFlow
            nodes={nodes}
            edges={layout.edges.map(edgeOf)}
            nodeTypes={nodeTypes}
            defaultViewport={{ x: 1, y: 0, zoom: 1 }}
            minZoom={1}
            maxZoom={1}
            panOnDrag={false}
            panOnScroll={false}
            nodesDraggable={false}
            nodesConnectable={false}
            edgesFocusable={false}
            zoomOnScroll={false}
            zoomOnDoubleClick={false}
            zoomOnPinch={false}
            preventScrolling={false}
            proOptions={{ hideAttribution: true }}
            onNodeClick={(_event, node) => onSelect(node.id)}
            onNodeDoubleClick={(_event, node) => {
              if (node.data.placed.kind === 'object') onOpen(node.id);
            }}
            onSelectionChange={({ nodes: [node] }) => {
              if (node !== undefined) onSelect(node.id);
            }}
            aria-label={t('ownership.graph')}
          />
        </div>
      </div>
    </ReactFlowProvider>
  );
}

function edgeOf(edge: PlacedEdge): Edge {
  const stroke = edge.broken
    ? 'var(--failed)'
    : edge.kind === 'owns'
      ? 'var(--ink-tertiary)'
      : 'var(--line-strong)';
  return {
    id: edge.id,
    source: edge.from,
    target: edge.to,
    sourceHandle: edge.vertical ? 'down' : 'right',
    targetHandle: edge.vertical ? 'up' : 'left',
    focusable: false,
    style: {
      stroke,
      strokeWidth: edge.kind === 'holds' && edge.broken ? 2 : 1.25,
      ...(edge.broken && edge.kind !== 'holds' ? { strokeDasharray: '4 3' } : {}),
    },
    markerEnd: { type: MarkerType.ArrowClosed, color: stroke, width: 14, height: 14 },
  };
}

function Card({ data }: NodeProps<CardNode>): ReactNode {
  const { placed, isSelf, isSelected } = data;
  return (
    <div
      className={`ownerCard ownerCard-${toneOf(placed)} ${isSelf ? 'ownerSelf' : ''} ${isSelected ? 'ownerSelected' : ''}`}
    >
      <Handle type="target" id="left" position={Position.Left} isConnectable={false} />
      <Handle type="target" id="up" position={Position.Top} isConnectable={false} />
      <CardBody placed={placed} />
      <Handle type="source" id="right" position={Position.Right} isConnectable={false} />
      <Handle type="source" id="down" position={Position.Bottom} isConnectable={false} />
    </div>
  );
}

function CardBody({ placed }: { readonly placed: PlacedNode }): ReactNode {
  const { t, locale } = useI18n();
  const now = useMoment(1000);
  switch (placed.kind) {
    case 'object': {
      const { node } = placed;
      const text = !node.readable
        ? t('ownership.node.unreadable')
        : !node.exists
          ? t('ownership.node.missing')
          : node.deletingSince !== undefined
            ? t('ownership.node.deleting', { time: formatAge(now - node.deletingSince) })
            : node.finalizers.length > 0 && node.level > 0
              ? t('ownership.node.ownFinalizers', { n: node.finalizers.length })
              : // Of the object itself the head says it.
                node.level === 0
                ? ''
                : node.text;
      return <Lines glyph={glyphOf(placed)} title={node.object.name} kind={node.object.kind} text={text} />;
    }
    case 'finalizer': {
      const { setBy, finalizer } = placed.hold;
      const text =
        setBy === undefined ? t('ownership.finalizer') : t('ownership.finalizer.setBy', { who: setBy });
      return <Lines glyph={glyphOf(placed)} title={finalizer} kind="" text={text} />;
    }
    case 'handler': {
      const { handler, handlerState, handlerDetail } = placed.hold;
      return (
        <Lines
          glyph={glyphOf(placed)}
          title={handler?.name ?? ''}
          kind={handler?.workload?.split('/')[0] ?? ''}
          text={
            handlerDetail === '' ? t(`ownership.handler.${handlerState}`) : operatorWords(t, handlerDetail)
          }
        />
      );
    }
    case 'folded':
      return (
        <Lines glyph="none" title={foldedName(placed, locale, t)} kind="" text={t('ownership.folded.why')} />
      );
  }
}

function Lines(props: {
  readonly glyph: GlyphState;
  readonly title: string;
  readonly kind: string;
  readonly text: string;
}): ReactNode {
  return (
    <Tip text={[props.title, props.kind, props.text].filter((line) => line !== '').join('\n')}>
      <div className="ownerLines">
        <span className="ownerTitle">
          <StateGlyph state={props.glyph} size={12} />
          <span className="cut strong">{props.title}</span>
        </span>
        <span className="ownerText small cut">
          <span className="tertiary">{props.kind}</span>
          {props.kind !== '' && props.text !== '' && <span className="tertiary"> · </span>}
          <span className="ownerSays">{props.text}</span>
        </span>
      </div>
    </Tip>
  );
}

function glyphOf(placed: PlacedNode): GlyphState {
  switch (placed.kind) {
    case 'object':
      if (!placed.node.exists) return placed.node.readable ? 'failed' : 'unknown';
      // A Secret has no state to know: it is there, and that is all.
      return placed.node.health === 'unknown' && placed.node.text === '' ? 'none' : placed.node.health;
    case 'finalizer':
      return placed.hold.handlerState === 'notRunning' ? 'failed' : 'deleting';
    case 'handler':
      return { running: 'ok', notRunning: 'failed', unknown: 'unknown' }[
        placed.hold.handlerState
      ] as GlyphState;
    case 'folded':
      return 'none';
  }
}

function toneOf(placed: PlacedNode): 'plain' | 'failed' | 'ghost' | 'folded' {
  switch (placed.kind) {
    case 'object':
      return placed.node.exists ? 'plain' : 'ghost';
    case 'finalizer':
      return placed.hold.handlerState === 'notRunning' ? 'failed' : 'plain';
    case 'handler':
      return placed.hold.handlerState === 'notRunning' ? 'ghost' : 'plain';
    case 'folded':
      return 'folded';
  }
}

type T = ReturnType<typeof useI18n>['t'];

/** `3 more Secrets`. */
function foldedName(placed: Extract<PlacedNode, { kind: 'folded' }>, locale: Locale, t: T): string {
  const { count, of } = placed;
  return t('ownership.folded', { n: count, kind: count === 1 ? of : pluralKind(of, locale) });
}

function nameOf(placed: PlacedNode, locale: Locale, t: T): string {
  switch (placed.kind) {
    case 'object':
      return `${placed.node.object.kind} ${placed.node.object.name}`;
    case 'finalizer':
      return `${t('ownership.finalizer')} ${placed.hold.finalizer}`;
    case 'handler':
      return placed.hold.handler?.name ?? '';
    case 'folded':
      return foldedName(placed, locale, t);
  }
}
