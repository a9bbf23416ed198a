/** One run in full, and the walks that answer why something ran or did not, for people. */
import type { Span, TraceWrite, Walk } from '../shared/model/trace.ts';
import {
  basisLegend,
  basisMark,
  basisWords,
  clockText,
  durationText,
  durationWithin,
  momentText,
  withinText,
} from './columns.ts';
import { clean } from './output.ts';
import { nextText } from './traceText.ts';

/** What a write changed: lists of spans leave it out, it is compared when it is asked for. */
export type ChangesOf = (write: TraceWrite) => Pick<TraceWrite, 'fields' | 'changes'>;
const asStated: ChangesOf = (write) => write;

/** Lines of the log shown for one run; the rest is counted. */
const linesShown = 12;

/** Every part of a run, each with how it is known. No newline at the end. */
export function spanDetail(span: Span, changesOf: ChangesOf = asStated): string {
  const lines = [
    `${basisMark(span.basis)} ${momentText(span.start)}  ${span.controller}  ${span.key}  ${resultText(span)}`,
    field('id', span.id),
    field('start', `${withinText(span.start)}  ${basisWords(span.startBasis)}`),
    field(
      'end',
      span.end === undefined
        ? 'it runs'
        : `${withinText(span.end)}${span.endBasis === undefined ? '' : `  ${basisWords(span.endBasis)}`}`,
    ),
    ...wokenLines(span),
    field('waited', durationWithin(span.waitMs)),
    ...(span.failures === 0 ? [] : [field('failures', `${span.failures} in a row before it`)]),
    ...readLines(span),
    ...list(
      'cache',
      span.cache.map(
        (entry) =>
          `${basisMark(entry.basis)} ${entry.subject} at version ${entry.resourceVersion}, ${durationText(entry.ageMs)} old`,
      ),
    ),
    ...list(
      'wrote',
      span.writeList.map((write) => writeText(write, changesOf)),
    ),
    ...list(
      'events',
      span.eventList.map(
        (event) =>
          `${basisMark(event.basis)} ${momentText(event.at)}  ${event.type} ${event.reason}: ${event.message}${event.count > 1 ? ` (${event.count} times)` : ''}`,
      ),
    ),
    ...list('log', logLines(span)),
    ...(span.error === undefined ? [] : [field('error', span.error)]),
    field('next', `${nextText(span.next)}${span.next?.why === undefined ? '' : `  ${span.next.why}`}`),
    ...(span.leader === undefined ? [] : [field('leader', span.leader)]),
    ...(span.life > 1 ? [field('process', `life ${span.life}`)] : []),
    ...(span.revisedBy === undefined
      ? []
      : [field('revised', `by ${span.revisedBy}, revision ${span.revision}`)]),
    ...(span.provisional ? [field('', 'provisional: what comes late can still change it')] : []),
    ...list('notes', span.notes),
  ];
  return lines.map(clean).join('\n');
}

/** All of them with the legend; ends with a newline. */
export function detailText(spans: readonly Span[], changesOf: ChangesOf): string {
  return `${[...spans.map((span) => spanDetail(span, changesOf)), basisLegend].join('\n\n')}\n`;
}

function resultText(span: Span): string {
  const result = span.result ?? (span.end === undefined ? 'running' : 'unknown');
  const took = span.end === undefined ? '' : ` after ${durationWithin(span.durationMs)}`;
  return `${result}${took}`;
}

function wokenLines(span: Span): readonly string[] {
  return list(
    'woken by',
    span.triggerList.map((trigger) => {
      const { subject, writer } = trigger;
      const what = subject === undefined ? trigger.text : `${trigger.text}  ${subject}`;
      const who =
        writer === undefined
          ? ''
          : ` by ${writer.own ? 'the operator itself, ' : ''}${writer.manager}${writer.subresource === '' ? '' : ` (${writer.subresource})`}`;
      return `${basisMark(trigger.basis)} ${momentText(trigger.at)}  ${what}${who}${trigger.collapsed ? ' (collapsed into this run)' : ''}`;
    }),
  );
}

function readLines(span: Span): readonly string[] {
  if (!span.readsObservable)
    return [field('read', 'not observable: no audit log is here, and reads from the cache reach no server')];
  return list(
    'read',
    span.readList.map(
      (read) =>
        `${basisMark(read.basis)} ${momentText(read.at)}  ${read.verb} ${read.subject}${read.subresource === '' ? '' : `/${read.subresource}`}  ${read.code}`,
    ),
  );
}

function writeText(write: TraceWrite, changesOf: ChangesOf): string {
  const what = `${write.verb} ${write.subject}${write.subresource === '' ? '' : `/${write.subresource}`}`;
  const version =
    write.resourceVersion === undefined
      ? ''
      : `  ${write.before === undefined ? '' : `${write.before} → `}${write.resourceVersion}`;
  const changed = write.fields.length > 0 ? write : changesOf(write);
  const hidden = changed.changes - changed.fields.length;
  const more = hidden > 0 ? ` and ${hidden} more` : '';
  const fields = changed.fields.length === 0 ? '' : `  ${changed.fields.join(', ')}${more}`;
  const outcome =
    write.outcome === 'stored'
      ? ''
      : `  ${write.outcome === 'noChange' ? 'changed nothing' : write.outcome}${write.code === undefined ? '' : ` (${write.code})`}${write.message === undefined ? '' : `: ${write.message}`}`;
  return `${basisMark(write.basis)} ${momentText(write.at)}  ${what}${version}${fields}${outcome}`;
}

function logLines(span: Span): readonly string[] {
  const shown = span.lineList.slice(0, linesShown);
  const more = span.lines - shown.length;
  return [
    ...shown.map(
      ({ at, level, text }) => `${momentText(at)}  ${level === undefined ? '' : `${level}  `}${text}`,
    ),
    ...(more > 0 ? [`and ${more} more lines`] : []),
  ];
}

/** The first line with its name before it, the rest below. Nothing for nothing. */
function list(name: string, texts: readonly string[]): readonly string[] {
  return texts.map((text, index) => field(index === 0 ? name : '', text));
}

function field(name: string, text: string): string {
  return `  ${name.padEnd(9)} ${text}`;
}

const verdicts = { yes: '✓', no: '✖', unknown: '?' } as const;

/** The answer, then its steps; the one that decides is marked. Ends with a newline. */
export function walkText(walk: Walk): string {
  const question = walk.question === 'ran' ? 'Why did it run?' : 'Why does it not run?';
  const lines = [
    `${question}  ${walk.controller}  ${walk.key}`,
    walk.answer,
    '',
    ...walk.steps.map((step, index) => {
      const at = step.at === undefined ? '' : `  (${withinText(step.at)})`;
      const decides = walk.decides === index ? '  ← decides' : '';
      return `  ${verdicts[step.verdict]} ${basisMark(step.basis)} ${step.step.padEnd(9)} ${step.text}${at}${decides}`;
    }),
    '',
    basisLegend,
  ];
  return `${lines.map(clean).join('\n')}\n`;
}

/** A moment of a session for a head line, `2026-03-10 09:05:00.000 UTC`. */
export function momentOfDay(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 10)} ${clockText(ms)} UTC`;
}
