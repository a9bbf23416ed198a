// biome-ignore-all lint/a11y/useSemanticElements: an ARIA grid: rows are windowed and one Tab stop holds the keys, which table elements cannot do
// biome-ignore-all lint/a11y/useFocusableInteractive: an ARIA grid: rows are windowed and one Tab stop holds the keys, which table elements cannot do
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type CSSProperties,
  type KeyboardEvent,
  memo,
  type ReactNode,
  type Ref,
  useEffect,
  useId,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react';
import './dataGrid.css';

export interface Column<T> {
  readonly id: string;
  readonly header: ReactNode;
  /** One track of a CSS grid: `120px`, `minmax(160px, 2fr)`. */
  readonly track: string;
  readonly align?: 'start' | 'end' | 'center';
  /** Dropped whole when the grid is narrower than this many pixels. */
  readonly dropBelow?: number;
  readonly cell: (row: T) => ReactNode;
}

export interface GridHandle {
  focus(): void;
  scrollToIndex(index: number): void;
}

export interface DataGridProps<T> {
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly rowKey: (row: T) => string | number;
  readonly rowHeight: number;
  readonly selected: string | number | undefined;
  readonly onSelect: (row: T) => void;
  /** Enter, or a second click. */
  readonly onOpen?: (row: T) => void;
  readonly rowClass?: (row: T) => string;
  /** Below the rows, outside the scrolling part. */
  readonly footer?: ReactNode;
  /** In place of the grid when there is no row. */
  readonly empty?: ReactNode;
  readonly onScrollTop?: (top: number) => void;
  readonly handle?: Ref<GridHandle>;
  readonly className?: string;
  /** Windowed lists scroll by themselves; short ones grow with their page. */
  readonly fit?: 'fill' | 'content';
}

/**
 * A windowed table with sticky head: one stop for Tab, arrows, J and K, Home, End and page keys inside. The head and the
 * rows share one template; columns that do not fit are left out whole.
 */
export function DataGrid<T>(props: DataGridProps<T>): ReactNode {
  const { columns, rows, rowKey, rowHeight, selected, onSelect, onOpen } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const id = useId();
  const width = useWidth(scroller, props.rows.length > 0);
  const visible = useMemo(
    () => columns.filter((column) => column.dropBelow === undefined || width >= column.dropBelow),
    [columns, width],
  );
  const style = useMemo(
    () => ({ '--tracks': visible.map((column) => column.track).join(' ') }) as CSSProperties,
    [visible],
  );
  const fill = props.fit !== 'content';
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    enabled: fill,
    getItemKey: (index) => rowKey(rows[index] as T),
    scrollPaddingStart: 32,
    initialRect: { width: 900, height: 600 },
  });
  useImperativeHandle(props.handle, () => ({
    focus: () => scroller.current?.focus(),
    scrollToIndex: (index) => virtual.scrollToIndex(index, { align: 'auto' }),
  }));

  function move(to: number) {
    const index = Math.max(0, Math.min(rows.length - 1, to));
    const row = rows[index];
    if (row === undefined) return;
    onSelect(row);
    if (fill) virtual.scrollToIndex(index, { align: 'auto' });
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const at = rows.findIndex((row) => rowKey(row) === selected);
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 300) / rowHeight) - 2);
    const target = stepOf(event.key, at, page, rows.length);
    if (target !== undefined) {
      event.preventDefault();
      move(target);
    } else if (event.key === 'Enter' && at >= 0) {
      event.preventDefault();
      onOpen?.(rows[at] as T);
    }
  }
  const items = fill ? virtual.getVirtualItems() : undefined;
  const indexes = items?.map((item) => item.index) ?? rows.map((_, index) => index);
  const first = items?.[0]?.start ?? 0;
  const after = items === undefined ? 0 : virtual.getTotalSize() - first - indexes.length * rowHeight;
  const selectedShown = indexes.some((index) => rowKey(rows[index] as T) === selected);
  if (rows.length === 0 && props.empty !== undefined) return <div className="gridEmpty">{props.empty}</div>;
  const grid = (
    <div
      ref={scroller}
      className={`grid ${fill ? 'gridFill' : ''} ${props.className ?? ''}`}
      style={style}
      role="grid"
      aria-label={props.label}
      aria-rowcount={rows.length + 1}
      aria-activedescendant={selectedShown ? `${id}-${selected}` : undefined}
      tabIndex={0}
      data-region-list="true"
      onKeyDown={onKeyDown}
      onScroll={(event) => props.onScrollTop?.(event.currentTarget.scrollTop)}
    >
      <div className="gridHead" role="rowgroup">
        <div className="gridRow" role="row" aria-rowindex={1}>
          {visible.map((column) => (
            <div key={column.id} role="columnheader" className={`gridCell ${align(column)}`}>
              {column.header}
            </div>
          ))}
        </div>
      </div>
      <div className="gridBody" role="rowgroup">
        {first > 0 && <div style={{ height: first }} aria-hidden="true" />}
        {indexes.map((index) => {
          const row = rows[index] as T;
          const key = rowKey(row);
          return (
            <GridRow
              key={key}
              id={`${id}-${key}`}
              row={row}
              index={index}
              height={rowHeight}
              columns={visible as readonly Column<unknown>[]}
              selected={key === selected}
              className={props.rowClass?.(row) ?? ''}
              onSelect={onSelect as (row: unknown) => void}
              onOpen={onOpen as ((row: unknown) => void) | undefined}
            />
          );
        })}
        {after > 0 && <div style={{ height: after }} aria-hidden="true" />}
      </div>
    </div>
  );
  if (props.footer === undefined) return grid;
  return (
    <>
      {grid}
      {props.footer}
    </>
  );
}

interface GridRowProps {
  readonly id: string;
  readonly row: unknown;
  readonly index: number;
  readonly height: number;
  readonly columns: readonly Column<unknown>[];
  readonly selected: boolean;
  readonly className: string;
  readonly onSelect: (row: unknown) => void;
  readonly onOpen: ((row: unknown) => void) | undefined;
}

const GridRow = memo(function GridRow(props: GridRowProps): ReactNode {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid has the keys, a row is not a stop of its own
    <div
      id={props.id}
      className={`gridRow gridLine ${props.className}`}
      style={{ height: props.height }}
      role="row"
      aria-rowindex={props.index + 2}
      aria-selected={props.selected}
      onClick={() => props.onSelect(props.row)}
      onDoubleClick={() => props.onOpen?.(props.row)}
    >
      {props.columns.map((column) => (
        <div key={column.id} role="gridcell" data-column={column.id} className={`gridCell ${align(column)}`}>
          {column.cell(props.row)}
        </div>
      ))}
    </div>
  );
});

function align(column: { readonly align?: 'start' | 'end' | 'center' }): string {
  return column.align === 'end' ? 'cellEnd' : column.align === 'center' ? 'cellCenter' : '';
}

/** The index a key leads to, or undefined when it is none of the list's. `at` is −1 when nothing is selected. */
export function stepOf(key: string, at: number, page: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
    case 'j':
    case 'J':
      return at + 1;
    case 'ArrowUp':
    case 'k':
    case 'K':
      return at < 0 ? 0 : at - 1;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    case 'PageDown':
      return Math.max(0, at) + page;
    case 'PageUp':
      return Math.max(0, at) - page;
    default:
      return undefined;
  }
}

/** Width of the element, observed anew when it appears. */
function useWidth(ref: { readonly current: HTMLElement | null }, present: boolean): number {
  const [width, setWidth] = useState(10_000);
  useEffect(() => {
    const element = ref.current;
    if (!present || element === null) return;
    const observer = new ResizeObserver((entries) => {
      const size = entries[0]?.contentRect.width;
      if (size !== undefined) setWidth(size);
    });
    observer.observe(element);
    setWidth(element.clientWidth);
    return () => observer.disconnect();
  }, [ref, present]);
  return width;
}
