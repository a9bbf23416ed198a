// biome-ignore-all lint/a11y/useSemanticElements: the head of an ARIA grid: the grid has the focus and the keys
// biome-ignore-all lint/a11y/useFocusableInteractive: the head of an ARIA grid: the grid has the focus and the keys
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type PointerEvent, type ReactNode, useRef } from 'react';
import { align, type Column } from './DataGrid.tsx';
import type { GridLayout } from './gridMemory.ts';

export interface GridHeadProps {
  readonly id: string;
  readonly columns: readonly Column<unknown>[];
  readonly all: readonly Column<unknown>[];
  /** Index of the column that the keys are on. */
  readonly active: number | undefined;
  readonly layout: GridLayout;
  readonly onSort: (column: Column<unknown>) => void;
  /** Pixels, or undefined: as the view gave it. */
  readonly onResize: (column: Column<unknown>, to: number | undefined) => void;
}

/** Heads of columns: press to order, drag the edge to size, double click on the edge to reset. */
export function GridHead(props: GridHeadProps): ReactNode {
  const { id, columns, layout } = props;
  return (
    <div className="gridHead" role="rowgroup">
      <div className="gridRow" role="row" aria-rowindex={1}>
        {columns.map((column, index) => {
          const sort = layout.sort?.column === column.id ? layout.sort : undefined;
          const sortable = column.compare !== undefined;
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the grid has the keys
            <div
              key={column.id}
              id={`${id}-head-${column.id}`}
              role="columnheader"
              aria-colindex={props.all.indexOf(column) + 1}
              aria-sort={
                !sortable
                  ? undefined
                  : sort === undefined
                    ? 'none'
                    : sort.descending
                      ? 'descending'
                      : 'ascending'
              }
              data-active={props.active === index ? 'true' : undefined}
              className={`gridHeadCell ${align(column)} ${sortable ? 'gridSortable' : ''}`}
              onClick={() => props.onSort(column)}
            >
              <span className="gridHeadText">{column.header}</span>
              {sort !== undefined &&
                (sort.descending ? (
                  <ArrowDown className="gridSort" size={12} strokeWidth={1.75} aria-hidden="true" />
                ) : (
                  <ArrowUp className="gridSort" size={12} strokeWidth={1.75} aria-hidden="true" />
                ))}
              {index < columns.length - 1 && <ColumnEdge onResize={(to) => props.onResize(column, to)} />}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** The 8-px edge between two heads. The keyboard has its own way (DataGrid), so it is no stop. */
function ColumnEdge({ onResize }: { readonly onResize: (to: number | undefined) => void }): ReactNode {
  const drag = useRef<{ readonly from: number; readonly width: number } | undefined>(undefined);
  function start(event: PointerEvent<HTMLElement>) {
    event.stopPropagation();
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { from: event.clientX, width: event.currentTarget.parentElement?.offsetWidth ?? 0 };
  }
  return (
    <i
      className="gridEdge"
      aria-hidden="true"
      onClick={(event) => event.stopPropagation()}
      onDoubleClick={() => onResize(undefined)}
      onPointerDown={start}
      onPointerMove={(event) => {
        if (drag.current !== undefined) onResize(drag.current.width + event.clientX - drag.current.from);
      }}
      onPointerUp={() => {
        drag.current = undefined;
      }}
      onPointerCancel={() => {
        drag.current = undefined;
      }}
    />
  );
}
