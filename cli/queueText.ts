/** `loopscope queue` for people: a controller a block: what is due, what runs, what waits, what fails, how sure that is. */

import { assertNever } from '../shared/base/assert.ts';
import type { PredictionRow } from '../shared/contract/api.ts';
import type { ModelCheck } from '../shared/contract/views/traces.ts';
import type { QueueSnapshot, RunEvidence } from '../shared/model/queue.ts';
import { basisLegend, basisMark, clockText, cut, durationText, tableLines } from './columns.ts';
import { clean } from './output.ts';
import type { ControllerQueue } from './queue.ts';
import { reasonText } from './reasons.ts';

/** Rows of one list shown; the rest is counted. */
const rowsShown = 20;

/** `width`: characters of the terminal; undefined: nothing is cut. Ends with a newline. */
export function queueText(queues: readonly ControllerQueue[], width?: number): string {
  const blocks = queues.map((queue) => controllerLines(queue, width).join('\n'));
  return `${[...blocks, basisLegend].join('\n\n')}\n`;
}

function controllerLines(
  { name, view, predictions, check }: ControllerQueue,
  width: number | undefined,
): readonly string[] {
  const { snapshot, reason, doubt } = view;
  if (snapshot === undefined)
    return [`${clean(name)}: no model${reason === undefined ? '' : `: ${clean(reasonText(reason))}`}`];
  const { totals } = snapshot;
  const lines = [
    `${clean(name)}: ${snapshot.kind} queue, ${snapshot.workers === 1 ? '1 worker' : `${snapshot.workers} workers`}; ${evidenceText(snapshot.evidence)}`,
    `  depth ${snapshot.depth}, ${snapshot.processing.length} running, ${snapshot.waitingTotal ?? snapshot.waiting.length} waiting, ${snapshot.failures.length} failing`,
    `  ${totals.adds} adds, ${totals.retries} retries, ${totals.events} events (${totals.collapsed} collapsed); ${totals.runs} runs: ${totals.success} success, ${totals.error} error, ${totals.terminal} terminal, ${totals.requeue} requeue, ${totals.requeueAfter} requeue-after`,
    ...(reason === undefined ? [] : [`  note: ${clean(reasonText(reason))}`]),
    ...(doubt === undefined
      ? []
      : [
          `  note: the limiter does not explain what was seen: ${doubt.missed} of the last ${doubt.of} predictions came at another time`,
        ]),
  ];
  return [
    ...lines,
    ...dueLines(snapshot, width),
    ...waitingLines(snapshot, width),
    ...failureLines(snapshot, width),
    ...predictionLines(predictions),
    ...checkLines(check),
  ];
}

function evidenceText(evidence: RunEvidence): string {
  switch (evidence) {
    case 'all':
      return 'every run is logged';
    case 'errors':
      return 'failed runs are logged, the others are modelled';
    case 'none':
      return 'no run is logged, all are modelled';
    default:
      return assertNever(evidence);
  }
}

function dueLines({ ready, processing }: QueueSnapshot, width: number | undefined): readonly string[] {
  const rows = [
    ...processing.map((row) => [
      `${basisMark(row.basis)} runs`,
      row.key,
      `since ${clockText(row.since)}`,
      durationText(row.runningMs),
      row.wokenBy.text,
    ]),
    ...ready.map((row) => [
      row.locked ? 'again' : 'due',
      row.key,
      `since ${clockText(row.since)}`,
      durationText(row.inQueueMs),
      `${row.wokenBy.text}${row.events > 1 ? ` +${row.events - 1}` : ''}`,
    ]),
  ];
  return section(
    [
      { title: 'DUE' },
      { title: 'KEY', least: 16 },
      { title: 'SINCE' },
      { title: 'FOR', right: true },
      { title: 'WOKEN BY', least: 16 },
    ],
    rows,
    width,
  );
}

function waitingLines({ waiting }: QueueSnapshot, width: number | undefined): readonly string[] {
  return section(
    [
      { title: 'WAITS' },
      { title: 'KEY', least: 16 },
      { title: 'RUNS AT' },
      { title: 'DELAY', right: true },
      { title: 'FAILURES', right: true },
    ],
    waiting.map((row) => [
      `${basisMark(row.basis)} ${row.why}`,
      row.key,
      clockText(row.readyAt),
      durationText(row.delayMs),
      String(row.failures),
    ]),
    width,
  );
}

function failureLines({ failures }: QueueSnapshot, width: number | undefined): readonly string[] {
  return section(
    [
      { title: 'FAILS', right: true },
      { title: 'KEY', least: 16 },
      { title: 'NEXT DELAY', right: true },
      { title: 'NEXT RUN' },
      { title: 'ERROR', least: 16 },
    ],
    failures.map((row) => [
      `${row.certain ? '' : '≈ '}${row.failures}`,
      row.key,
      durationText(row.nextDelayMs),
      row.nextRunAt === undefined ? '–' : clockText(row.nextRunAt),
      row.lastError ?? '',
    ]),
    width,
  );
}

function predictionLines(predictions: readonly PredictionRow[]): readonly string[] {
  if (predictions.length === 0) return [];
  const counts = new Map<string, number>();
  for (const { outcome } of predictions) {
    const kind = outcome?.kind ?? 'open';
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const kinds = [...counts].map(([kind, count]) => `${count} ${kind}`).join(', ');
  return ['', `  ${predictions.length} predictions on record: ${kinds}`];
}

function checkLines({ rows, reason }: ModelCheck): readonly string[] {
  if (rows.length === 0)
    return reason === undefined ? [] : ['', `  not compared with metrics: ${clean(reasonText(reason))}`];
  return section(
    [
      { title: 'AGAINST METRICS' },
      { title: 'MODEL', right: true },
      { title: 'REPORTED', right: true },
      { title: '' },
    ],
    rows.map(({ name, model: { lo, hi }, reported, inside }) => [
      name,
      lo === hi ? String(lo) : `${lo} … ${hi}`,
      reported === undefined ? '–' : String(reported),
      inside === undefined ? '' : inside ? '✓' : '✖',
    ]),
    undefined,
  );
}

function section(
  columns: Parameters<typeof tableLines>[0],
  rows: readonly (readonly string[])[],
  width: number | undefined,
): readonly string[] {
  if (rows.length === 0) return [];
  const lines = tableLines(columns, rows.slice(0, rowsShown), width === undefined ? undefined : width - 2);
  const more = rows.length > rowsShown ? [`  and ${rows.length - rowsShown} more`] : [];
  return ['', ...lines.map((line) => cut(`  ${line}`, width ?? Number.POSITIVE_INFINITY)), ...more];
}
