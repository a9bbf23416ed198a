/**
 * Values over time as bands: one row each, one axis above, the moment of the cause and now as rules through all rows. DOM,
 * not canvas: few spans, real focus, text that can be selected by a screen reader. One stop; arrows walk the spans.
 */
// biome-ignore-all lint/a11y/useSemanticElements: an ARIA grid: rows of spans in time have no table layout
// biome-ignore-all lint/a11y/useFocusableInteractive: one span of the grid is the stop, arrows move it
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { formatMinute, formatTime } from '../format/format.ts';
import './conditionBands.css';

export type BandTone = 'ok' | 'failed' | 'progressing' | 'degraded' | 'unknown' | 'neutral';

export interface BandSpan {
  readonly id: string;
  readonly from: number;
  /** Absent: until now. */
  readonly to?: number | undefined;
  readonly tone: BandTone;
  readonly text: string;
  /** The whole, for the tooltip and for assistive technology. */
  readonly name: string;
  /** Stored and not updatable: outlined. */
  readonly held?: boolean;
}

export interface BandRow {
  readonly id: string;
  readonly label: string;
  readonly spans: readonly BandSpan[];
}

export interface BandMark {
  readonly id: string;
  readonly at: number;
  readonly kind: 'dot' | 'cross' | 'predicted';
  readonly name: string;
}

export interface ConditionBandsProps {
  readonly label: string;
  readonly from: number;
  readonly to: number;
  readonly now: number;
  readonly nowLabel?: string | undefined;
  readonly rows: readonly BandRow[];
  /** A row of marks under the bands. */
  readonly marks?: { readonly label: string; readonly summary: string; readonly items: readonly BandMark[] };
  readonly cause?: { readonly at: number; readonly label: string } | undefined;
  readonly gaps?: readonly {
    readonly from: number;
    readonly to?: number | undefined;
    readonly name: string;
  }[];
  readonly selected?: string | undefined;
  readonly onSelect?: (row: BandRow, span: BandSpan) => void;
}

export function ConditionBands(props: ConditionBandsProps): ReactNode {
  const { rows, from, to, now, marks, cause, gaps = [], selected, onSelect } = props;
  const grid = useRef<HTMLDivElement>(null);
  const shown = rows.map((row) => ({
    row,
    spans: row.spans.filter((span) => span.from < to && (span.to ?? now) > from),
  }));
  const first = shown.find(({ spans }) => spans.length > 0)?.spans.at(-1)?.id;
  const [stop, setStop] = useState<string | undefined>(undefined);
  const known = (id: string | undefined) => shown.some(({ spans }) => spans.some((span) => span.id === id));
  const current = known(stop) ? stop : known(selected) ? selected : first;
  const ticks = tickLabels(from, to);
  const place = (at: number) => `${share(at, from, to) * 100}%`;

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = neighbour(shown, current, event.key);
    if (next === undefined) return;
    event.preventDefault();
    setStop(next);
    grid.current?.querySelector<HTMLElement>(`[data-span="${CSS.escape(next)}"]`)?.focus();
  }

  return (
    <div className="bands">
      <div className="bandsAxis" aria-hidden="true">
        {ticks.map(({ at: tick, text }) => (
          <span key={tick} className="bandsTick" style={{ left: place(tick) }}>
            {text}
          </span>
        ))}
      </div>
      <div className="bandsBody">
        <div className="bandsRules" aria-hidden="true">
          {ticks.map(({ at: tick }) => (
            <i key={tick} className="bandsLine" style={{ left: place(tick) }} />
          ))}
          {gaps.map((gap) => (
            <i
              key={gap.from}
              className="bandsGap"
              title={gap.name}
              style={{
                left: place(gap.from),
                width: `max(6px, ${(share(gap.to ?? now, from, to) - share(gap.from, from, to)) * 100}%)`,
              }}
            />
          ))}
          {to > now && <i className="bandsFuture" style={{ left: place(now) }} />}
        </div>
        <div ref={grid} className="bandsGrid" role="grid" aria-label={props.label} onKeyDown={onKeyDown}>
          {shown.map(({ row, spans }) => (
            <div key={row.id} className="bandsRow" role="row">
              <span className="bandsLabel cut" role="rowheader" title={row.label}>
                {row.label}
              </span>
              <div className="bandsTrack" role="presentation">
                {spans.length === 0 && <span className="visuallyHidden" role="gridcell" />}
                {spans.map((span) => {
                  const start = share(span.from, from, to);
                  const width = share(span.to ?? now, from, to) - start;
                  return (
                    <button
                      key={span.id}
                      type="button"
                      role="gridcell"
                      data-span={span.id}
                      className={`band band-${span.tone} ${span.held === true ? 'bandHeld' : ''}`}
                      style={{ left: `${start * 100}%`, width: `max(4px, ${width * 100}% - 1px)` }}
                      title={span.name}
                      aria-label={`${row.label}: ${span.name}`}
                      aria-selected={span.id === selected}
                      tabIndex={span.id === current ? 0 : -1}
                      onFocus={() => setStop(span.id)}
                      onClick={() => onSelect?.(row, span)}
                    >
                      {width > 0.03 && span.text}
                    </button>
                  );
                })}
              </div>
            </div>
          ))}
          {marks !== undefined && (
            <div className="bandsRow bandsMarks" role="row">
              <span className="bandsLabel cut" role="rowheader" title={marks.label}>
                {marks.label}
              </span>
              <div className="bandsTrack" role="gridcell" aria-label={marks.summary}>
                {marks.items
                  .filter(({ at }) => at >= from && at <= to)
                  .map((mark) => (
                    <i
                      key={mark.id}
                      className={`bandMark bandMark-${mark.kind}`}
                      title={mark.name}
                      style={{ left: place(mark.at) }}
                    />
                  ))}
              </div>
            </div>
          )}
        </div>
        <div className="bandsRules bandsOver" aria-hidden="true">
          {cause !== undefined && cause.at >= from && cause.at <= to && (
            <i className="bandsCause" title={cause.label} style={{ left: place(cause.at) }} />
          )}
          {now >= from && now <= to && (
            <i className="bandsNow" style={{ left: place(now) }}>
              {props.nowLabel !== undefined && <b>{props.nowLabel}</b>}
            </i>
          )}
        </div>
      </div>
    </div>
  );
}

function share(at: number, from: number, to: number): number {
  return Math.max(0, Math.min(1, (at - from) / Math.max(1, to - from)));
}

interface ShownRow {
  readonly spans: readonly BandSpan[];
}

/** Left and right along a row, up and down to the span of the next row that covers the same time. */
function neighbour(rows: readonly ShownRow[], id: string | undefined, key: string): string | undefined {
  const line = rows.findIndex(({ spans }) => spans.some((span) => span.id === id));
  const row = rows[line];
  const at = row?.spans.findIndex((span) => span.id === id) ?? -1;
  const span = row?.spans[at];
  if (row === undefined || span === undefined) return undefined;
  switch (key) {
    case 'ArrowLeft':
      return row.spans[at - 1]?.id;
    case 'ArrowRight':
      return row.spans[at + 1]?.id;
    case 'Home':
      return row.spans[0]?.id;
    case 'End':
      return row.spans.at(-1)?.id;
    case 'ArrowUp':
    case 'ArrowDown': {
      const rest = key === 'ArrowDown' ? rows.slice(line + 1) : rows.slice(0, line).reverse();
      const next = rest.find(({ spans }) => spans.length > 0);
      const same = next?.spans.find((other) => (other.to ?? Number.POSITIVE_INFINITY) > span.from);
      return (same ?? next?.spans.at(-1))?.id;
    }
    default:
      return undefined;
  }
}

const steps = [
  1, 2, 5, 10, 15, 30, 60, 120, 180, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400,
];

/** Round times with what stands above them: seconds where a minute has more than one, so that no label stands twice. */
export function tickLabels(
  from: number,
  to: number,
): readonly { readonly at: number; readonly text: string }[] {
  const ticks = ticksOf(from, to);
  const whole = ticks.every((at) => at % 60_000 === 0);
  return ticks.map((at) => ({ at, text: whole ? formatMinute(at) : formatTime(at) }));
}

/** Round times, at most six: labels stay 72 px apart in the narrowest centre. */
function ticksOf(from: number, to: number): readonly number[] {
  const step = (steps.find((seconds) => (to - from) / (seconds * 1000) <= 5.5) ?? 86_400) * 1000;
  // Local time: midnight is a round time where the zone is not a whole hour off, too.
  const zone = new Date(from).getTimezoneOffset() * 60_000;
  const ticks: number[] = [];
  for (let at = Math.ceil((from - zone) / step) * step + zone; at <= to && ticks.length < 12; at += step)
    ticks.push(at);
  return ticks;
}
