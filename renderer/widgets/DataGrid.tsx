// biome-ignore-all lint/a11y/useSemanticElements: an ARIA grid: rows are windowed and one Tab stop holds the keys, which table elements cannot do
// biome-ignore-all lint/a11y/useFocusableInteractive: an ARIA grid: rows are windowed and one Tab stop holds the keys, which table elements cannot do
import {
  type CSSProperties,
  type KeyboardEvent,
  memo,
  type PointerEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useId,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react';
import { GridHead } from './GridHead.tsx';
import { type GridLayout, useGridLayout } from './gridMemory.ts';
import { maxColumn, minColumn, tracksOf } from './gridTracks.ts';
import { useHighlight } from './useHighlight.ts';
import { useRowWindow } from './useRowWindow.ts';
import { useSorted } from './useSorted.ts';
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
  /** Makes the column one that rows can be ordered by, smallest first. Only where an order says something. */
  readonly compare?: (a: T, b: T) => number;
}

export interface GridHandle {
  focus(): void;
  scrollToIndex(index: number): void;
}

export interface DataGridProps<T> {
  readonly label: string;
  /** Names the table for what is remembered of it: widths and order. */
  readonly id?: string;
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
  /** Words to mark in the rows, lower case. */
  readonly highlight?: readonly string[];
  /** Windowed lists scroll by themselves; short ones grow with their page. */
  readonly fit?: 'fill' | 'content';
}

/**
 * A windowed table with sticky head: one stop for Tab, arrows, J and K, Home, End and page keys inside. From the first
 * row ArrowUp goes to the column heads: there arrows choose one, Enter orders by it, Shift with an arrow changes its
 * width. The head and the rows share one template; columns that do not fit are left out whole.
 */
export function DataGrid<T>(props: DataGridProps<T>): ReactNode {
  const { columns, rowKey, rowHeight, selected, onSelect, onOpen } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const id = useId();
  const width = useWidth(scroller, props.rows.length > 0);
  const [layout, setLayout] = useGridLayout(props.id);
  const [held, setHeld] = useState(false);
  const [head, setHead] = useState<number | undefined>(undefined);
  const visible = useMemo(
    () => columns.filter((column) => column.dropBelow === undefined || width >= column.dropBelow),
    [columns, width],
  );
  const style = useMemo(
    () => ({ '--tracks': tracksOf(visible, layout.widths, width) }) as CSSProperties,
    [visible, layout, width],
  );
  const rows = useSorted(props.rows, rowKey, orderOf(columns, layout), held);
  const fill = props.fit !== 'content';
  const drawn = useRowWindow(scroller, {
    count: rows.length,
    rowHeight,
    head: headHeight,
    spare: 8,
    enabled: fill && rows.length > 0,
  });
  useHighlight(scroller, props.highlight ?? noWords);
  useImperativeHandle(props.handle, () => ({
    focus: () => scroller.current?.focus(),
    scrollToIndex: (index) => {
      const row = props.rows[index];
      const at = row === undefined || rows === props.rows ? index : rows.indexOf(row);
      if (at >= 0) drawn.show(at);
    },
  }));

  function move(to: number) {
    const index = Math.max(0, Math.min(rows.length - 1, to));
    const row = rows[index];
    if (row === undefined) return;
    onSelect(row);
    if (fill) drawn.show(index);
  }
  function sortBy(column: Column<T>) {
    if (column.compare === undefined) return;
    const { sort } = layout;
    const next =
      sort?.column !== column.id
        ? { column: column.id, descending: false }
        : sort.descending
          ? undefined
          : { column: column.id, descending: true };
    setLayout({ widths: layout.widths, ...(next === undefined ? {} : { sort: next }) });
  }
  function resize(column: Column<T>, to: number | undefined) {
    const { [column.id]: _, ...others } = layout.widths;
    const most = maxColumn(visible, others, column.id, width);
    const widths =
      to === undefined
        ? others
        : { ...others, [column.id]: Math.round(Math.max(minColumn, Math.min(most, to))) };
    setLayout({ ...layout, widths });
  }
  /** True when the key was one of the head's. */
  function onHeadKey(event: KeyboardEvent, at: number): boolean {
    const column = visible[at] as Column<T>;
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step !== 0 && event.shiftKey) {
      const cell = document.getElementById(`${id}-head-${column.id}`);
      resize(column, (cell?.offsetWidth ?? minColumn) + step * 16);
    } else if (step !== 0) setHead(Math.max(0, Math.min(visible.length - 1, at + step)));
    else if (event.key === 'Enter' || event.key === ' ') sortBy(column);
    else if (event.key === 'Home') setHead(0);
    else if (event.key === 'End') setHead(visible.length - 1);
    else if (event.key === 'ArrowDown' || event.key === 'Escape') setHead(undefined);
    else return false;
    return true;
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    if (headAt !== undefined && onHeadKey(event, headAt)) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    const at = rows.findIndex((row) => rowKey(row) === selected);
    if (event.key === 'ArrowUp' && at === 0 && headAt === undefined) {
      event.preventDefault();
      setHead(0);
      return;
    }
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 300) / rowHeight) - 2);
    const target = stepOf(event.key, at, page, rows.length);
    if (target !== undefined) {
      event.preventDefault();
      setHead(undefined);
      move(target);
    } else if (event.key === 'Enter' && at >= 0) {
      event.preventDefault();
      onOpen?.(rows[at] as T);
    }
  }
  const headAt = head === undefined ? undefined : Math.min(head, visible.length - 1);
  const [from, to] = fill ? [drawn.first, drawn.end] : [0, rows.length];
  const indexes = Array.from({ length: to - from }, (_, n) => from + n);
  const first = from * rowHeight;
  const after = (rows.length - to) * rowHeight;
  const selectedShown = indexes.some((index) => rowKey(rows[index] as T) === selected);
  const active =
    headAt !== undefined
      ? `${id}-head-${visible[headAt]?.id}`
      : selectedShown
        ? `${id}-${selected}`
        : undefined;
  if (rows.length === 0 && props.empty !== undefined) return <div className="gridEmpty">{props.empty}</div>;
  const grid = (
    <div
      ref={scroller}
      className={`grid ${fill ? 'gridFill' : ''} ${props.className ?? ''}`}
      style={style}
      role="grid"
      aria-label={props.label}
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.length}
      aria-activedescendant={active}
      tabIndex={0}
      data-region-list="true"
      onKeyDown={onKeyDown}
      onScroll={(event) => props.onScrollTop?.(event.currentTarget.scrollTop)}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onPointerOver={tellCut}
      onFocus={() => setHeld(true)}
      onBlur={() => {
        setHeld(false);
        setHead(undefined);
      }}
    >
      <GridHead
        id={id}
        columns={visible as readonly Column<unknown>[]}
        all={columns as readonly Column<unknown>[]}
        active={headAt}
        layout={layout}
        onSort={(column) => sortBy(column as Column<T>)}
        onResize={(column, to) => resize(column as Column<T>, to)}
      />
      <div className="gridBody" role="rowgroup">
        {first > 0 && <div style={{ height: first }} aria-hidden="true" />}
        {indexes.map((index) => {
          const row = rows[index] as T;
          const key = rowKey(row);
          return (
            <GridRow
              // Windowed rows are used again for other lines: text that changes is several times cheaper than new elements.
              key={fill ? index % drawn.slots : key}
              id={`${id}-${key}`}
              row={row}
              index={index}
              height={rowHeight}
              columns={visible as readonly Column<unknown>[]}
              all={columns as readonly Column<unknown>[]}
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

const noWords: readonly string[] = [];
/** The head with its line. */
const headHeight = 32;

/** The order the user chose, while its column is there. */
function orderOf<T>(columns: readonly Column<T>[], { sort }: GridLayout) {
  const compare = columns.find((column) => column.id === sort?.column)?.compare;
  if (sort === undefined || compare === undefined) return undefined;
  const sign = sort.descending ? -1 : 1;
  return {
    id: `${sort.column} ${sort.descending}`,
    compare: (a: T, b: T) => sign * compare(a, b),
  };
}

/** A cell that a narrowed column cuts tells its whole text under the pointer. Cells are used again, so it is asked anew. */
function tellCut(event: PointerEvent<HTMLElement>): void {
  const cell = (event.target as HTMLElement).closest<HTMLElement>('.gridCell');
  if (cell === null) return;
  cell.removeAttribute('title');
  if (cell.scrollWidth <= cell.clientWidth || cell.querySelector('[title]') !== null) return;
  cell.title = cell.textContent?.trim() ?? '';
}

interface GridRowProps {
  readonly id: string;
  readonly row: unknown;
  readonly index: number;
  readonly height: number;
  readonly columns: readonly Column<unknown>[];
  /** With those that are left out: their numbers stay. */
  readonly all: readonly Column<unknown>[];
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
        <div
          key={column.id}
          role="gridcell"
          aria-colindex={props.all.indexOf(column) + 1}
          data-column={column.id}
          className={`gridCell ${align(column)}`}
        >
          {column.cell(props.row)}
        </div>
      ))}
    </div>
  );
});

/** The class that puts a cell's content where its column has it. */
export function align(column: { readonly align?: 'start' | 'end' | 'center' }): string {
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
