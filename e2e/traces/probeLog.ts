/** The operator's own log of a run of the test bed, with the lines of the probe: exact starts, ends and writes. */
import { parseLogLine } from '../../core/source/log/logEntry.ts';
import { type ProbeLine, probeMessage, readProbeLine } from '../../core/source/log/probeLine.ts';
import type { TrueError, TrueSpan } from './truth.ts';

export interface ProbedWrite {
  /** When the answer had come, and how long before the request went out, ms. */
  readonly at: number;
  readonly tookMs: number;
  readonly subject: string;
  readonly verb: string;
  readonly subresource: string;
  readonly resourceVersion: string;
  readonly changed: boolean;
  readonly key: string;
  readonly controller: string;
  readonly reconcileId: string;
}

export interface ProbedRun {
  readonly spans: readonly TrueSpan[];
  /** Those that were stored. */
  readonly writes: readonly ProbedWrite[];
  readonly errors: readonly TrueError[];
  /** The log as an operator without the probe writes it. */
  readonly plainLines: readonly string[];
}

/**
 * Throws where a line of the probe is damaged: a run without its truth is none. A run that was cut by force ends with the last that
 * was said of it.
 */
export function readProbeLog(text: string): ProbedRun {
  const spans: TrueSpan[] = [];
  const writes: ProbedWrite[] = [];
  const errors: TrueError[] = [];
  const plainLines: string[] = [];
  const open = new Map<string, TrueSpan>();
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const entry = parseLogLine(line);
    const key = entry.key === undefined ? '' : keyText(entry.key);
    const { controller, reconcileId } = entry;
    const going = open.get(reconcileId ?? '');
    if (going !== undefined && entry.at !== undefined)
      open.set(going.reconcileId, { ...going, end: Math.max(going.end, entry.at.lo) });
    if (entry.msg !== probeMessage) {
      plainLines.push(line);
      if (entry.event?.kind === 'reconcilerError' && entry.at !== undefined)
        errors.push({
          lo: entry.at.lo,
          hi: entry.at.hi,
          key,
          ...(controller === undefined ? {} : { controller }),
          ...(reconcileId === undefined ? {} : { reconcileId }),
        });
      continue;
    }
    const said = readProbeLine(entry.msg, entry.fields);
    if (said === undefined || controller === undefined || reconcileId === undefined)
      throw new Error(`a damaged line of the probe: ${line.slice(0, 300)}`);
    if (said.kind === 'start') {
      const span = {
        controller,
        key: said.key,
        start: said.at,
        end: said.at,
        result: 'unknown',
        reconcileId,
      };
      open.set(reconcileId, span);
    } else if (said.kind === 'end') {
      open.delete(reconcileId);
      spans.push({
        controller,
        key: said.key,
        start: said.at - said.tookMs,
        end: said.at,
        result: said.result,
        reconcileId,
      });
    } else if (said.kind === 'write') {
      const write = probedWrite(said, key, controller, reconcileId);
      if (write !== undefined) writes.push(write);
    }
  }
  spans.push(...open.values());
  return { spans, writes, errors, plainLines };
}

function probedWrite(
  said: Extract<ProbeLine, { kind: 'write' }>,
  key: string,
  controller: string,
  reconcileId: string,
): ProbedWrite | undefined {
  if (said.failed !== undefined) return undefined;
  const { at, tookMs, subject, verb, subresource, before = '', resourceVersion = '' } = said;
  const changed = before !== resourceVersion;
  return { at, tookMs, subject, verb, subresource, resourceVersion, changed, key, controller, reconcileId };
}

function keyText({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}

/**
 * The log of the same run as an operator with controller-runtime's defaults writes it: without the lines of V levels, and
 * with times of whole seconds. Lines of zap JSON; others are left as they are.
 */
export function asDefaultLog(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => {
    if (!line.startsWith('{')) return [line];
    if ((parseLogLine(line).verbosity ?? 0) > 0) return [];
    return [line.replace(/("ts":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d+/, '$1')];
  });
}
