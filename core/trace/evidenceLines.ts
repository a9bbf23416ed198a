/**
 * Log lines → evidence about keys. A line that has only a reconcileID belongs to the key that other lines of that run name,
 * whether they came before or after it. Pure; spec: docs/spec/revisions.md
 */
import { reconcileKey } from '../../shared/model/ids.ts';
import type { SpanResult, Within } from '../../shared/model/trace.ts';
import type { LogFact } from '../session/facts.ts';
import type { LogEntry } from '../source/log/logEntry.ts';
import { readProbeLine } from '../source/log/probeLine.ts';
import { isPodLine } from '../source/podLogs/podLine.ts';
import type { Scope, ScopeController } from './evidenceScope.ts';
import type { LineEvidence } from './traceTypes.ts';

const longestText = 300;
const mostNames = 40;

export interface LineTime {
  readonly at: Within;
  readonly ownClock: boolean;
}

/**
 * A fine time stamp is better than our receipt of the line, a coarse one worse, where there is a receipt: the record's own
 * time is the receipt of a followed line, and the time its node wrote down of a pod's. The probe says when by itself, finer than
 * the stamp of its line.
 */
export function lineTimeOf({ at, receivedAt, source, entry }: LogFact): LineTime {
  const probe = readProbeLine(entry.msg, entry.fields);
  if (probe !== undefined) return { at: { lo: probe.at, hi: probe.at }, ownClock: true };
  const stated = entry.at;
  const isReceipt = at.lo >= receivedAt - 1 && !isPodLine(source);
  const isFine = stated !== undefined && stated.hi - stated.lo <= fineMs;
  if (stated !== undefined && (isFine || stated.hi - stated.lo < at.hi - at.lo))
    return { at: stated, ownClock: true };
  return { at, ownClock: !isReceipt };
}

const fineMs = 10;

type Says = Pick<LineEvidence, 'says' | 'result' | 'afterMs' | 'probe'>;

const within: Says = { says: 'within', result: undefined, afterMs: undefined, probe: false };

/** What the line tells of the run it stands in. */
export function whatLineSays(entry: LogEntry): Says {
  const probe = readProbeLine(entry.msg, entry.fields);
  if (probe?.kind === 'start') return { ...within, says: 'started', probe: true };
  if (probe?.kind === 'end')
    return { says: 'ended', result: probe.result, afterMs: probe.afterMs, probe: true };
  if (probe !== undefined) return { ...within, probe: true };
  const ended = (result: SpanResult, afterMs?: number): Says => ({
    ...within,
    says: 'ended',
    result,
    afterMs,
  });
  switch (entry.event?.kind) {
    case 'reconciling':
      return { ...within, says: 'started' };
    case 'reconciled':
      return ended('success');
    case 'requeued':
      return entry.event.afterMs === undefined
        ? ended('requeue')
        : ended('requeue-after', entry.event.afterMs);
    case 'reconcilerError':
      return ended(errorResult(entry.error ?? ''));
    case 'panic':
      // Where it is not recovered the process ends with it; recovered, the error line of the run follows.
      return entry.msg.startsWith('Observed a panic in reconciler')
        ? ended('panic')
        : { ...within, result: 'panic' };
    default:
      return isClassicError(entry) ? ended('error') : within;
  }
}

/** controller-runtime's TerminalError puts its name before the text it wraps, and may itself be wrapped. */
function errorResult(error: string): SpanResult {
  if (/(^|: )panic: .*\[recovered\]/s.test(error)) return 'panic';
  return error.includes('terminal error: ') ? 'terminal' : 'error';
}

/** What client-go controllers say in their worker loops when a sync failed and the key goes back with a delay. */
function isClassicError({ level, msg, error }: LogEntry): boolean {
  if (level !== 'error' && error === undefined) return false;
  return /\bre-?queu(e|ing|eing)\b.*\b(error|failed|due to)|\berror (syncing|processing|reconciling)\b|\b(sync|reconcile) failed\b/i.test(
    msg,
  );
}

/** The line in few words: the message, and the error's first line. */
export function textOfLine({ msg, error }: LogEntry): string {
  const first = (text: string) => text.trimStart().split('\n', 1)[0]?.trimEnd() ?? '';
  const text = error === undefined ? first(msg) : `${first(msg)}: ${first(error)}`;
  return text.length > longestText ? `${text.slice(0, longestText - 1)}…` : text;
}

/** Whole words alone: of `Reconciling` nothing is a name. A kind may stand before the name, as in `Secret/shop/orders`. */
const dnsName =
  /(?<!\w)(?:[A-Z][A-Za-z0-9]*\/)?[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?:\/[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)*(?!\w)/g;

/** Words of the line that may be names of objects; `ns/name` stands as a whole and as its name. */
export function namesOfLine(entry: LogEntry): readonly string[] {
  const names = new Set<string>();
  const take = (text: string) => {
    for (const [word] of text.matchAll(dnsName)) {
      if (names.size >= mostNames) return;
      if (word.length < 2 || /^[\d.]+$/.test(word)) continue;
      names.add(word);
      const slash = word.lastIndexOf('/');
      if (slash >= 0) names.add(word.slice(slash + 1));
    }
  };
  const read = (value: unknown, depth: number): void => {
    if (typeof value === 'string') take(value.slice(0, 2000));
    else if (typeof value === 'object' && value !== null && depth < 3)
      for (const part of Object.values(value)) read(part, depth + 1);
  };
  read(entry.fields, 0);
  take(entry.msg.slice(0, 2000));
  take((entry.error ?? '').slice(0, 2000));
  return [...names];
}

/** A line placed at a key. `controller` as the profile names it. */
export interface LinePlace {
  readonly controller: string;
  readonly key: string;
}

export function placeLine(entry: LogEntry, scope: Scope): LinePlace | undefined {
  const controller = scope.given.controllers.find((one) => one.says(entry));
  if (controller === undefined) return placeClassic(entry, scope);
  const probe = readProbeLine(entry.msg, entry.fields);
  if (probe !== undefined && 'key' in probe) return { controller: controller.name, key: probe.key };
  if (entry.key === undefined) return undefined;
  return { controller: controller.name, key: reconcileKey(entry.key.namespace, entry.key.name) };
}

/**
 * Lines of client-go controllers: the key stands under the name of its kind (`certificate="shop/cart"`), or as `key`
 * where the logger or the file of the line names one controller.
 */
function placeClassic(entry: LogEntry, scope: Scope): LinePlace | undefined {
  const { controllers } = scope.given;
  for (const [name, value] of Object.entries(entry.fields)) {
    if (typeof value !== 'string' || !isKey(value)) continue;
    const plain = name.toLowerCase();
    const ofKind = controllers.filter(({ forKind }) => forKind?.kind.toLowerCase() === plain);
    const named = plain === 'key' ? namedController(entry, scope) : undefined;
    const only = named ?? (ofKind.length === 1 ? ofKind[0]?.name : undefined);
    if (only !== undefined) return { controller: only, key: value };
  }
  if (entry.key === undefined) return undefined;
  const [single, ...others] = controllers;
  const lone =
    others.length === 0 && single !== undefined && mayBeOf(entry, single) ? single.name : undefined;
  const only = namedController(entry, scope) ?? lone;
  return only === undefined
    ? undefined
    : { controller: only, key: reconcileKey(entry.key.namespace, entry.key.name) };
}

/** A line that names a controller of another name is of another one, which the profile does not know. */
function mayBeOf({ controller }: LogEntry, { name, forKind }: ScopeController): boolean {
  if (controller === undefined) return true;
  const said = letters(controller);
  return [name, forKind?.kind ?? name].map(letters).some((own) => said.includes(own) || own.includes(said));
}

function letters(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, '');
}

function isKey(value: string): boolean {
  return /^([a-z0-9][a-z0-9.-]*\/)?[a-z0-9][a-z0-9.-]*$/.test(value);
}

/** By `controller`, by the end of the logger's name, by the file that wrote it (`trigger_controller.go`). */
export function namedController(entry: LogEntry, scope: Scope): string | undefined {
  const { controllers } = scope.given;
  const logger = entry.logger?.split(/[./]/).at(-1);
  const file = /([\w-]+?)(_controller)?\.go(:\d+)?$/.exec(entry.caller ?? '')?.[1]?.replaceAll('_', '-');
  for (const word of [entry.controller, logger, file]) {
    if (word === undefined || word === 'controller') continue;
    const fits = controllers.filter(({ name }) => name === word || name.endsWith(`-${word}`));
    if (fits.length === 1) return fits[0]?.name;
  }
  return undefined;
}

/**
 * The object that the error of a worker loop is about, by the API server's own words (`secrets "cart-flpnk" is forbidden: …`,
 * `Operation cannot be fulfilled on certificates.cert-manager.io "cart": …`). Undefined for any other line.
 */
export function namedInError(entry: LogEntry): string | undefined {
  const { error } = entry;
  if (error === undefined || !/re-?queu|sync|reconcil/i.test(entry.msg)) return undefined;
  return /(?:^|\s)[a-z][a-z0-9.-]* \\?"([a-z0-9][a-z0-9.-]*)\\?"/.exec(error)?.[1];
}

export function lineEvidence(fact: LogFact, place: LinePlace): LineEvidence {
  const { entry } = fact;
  return {
    evidence: 'line',
    seq: fact.seq,
    source: fact.source,
    ...lineTimeOf(fact),
    receivedAt: fact.receivedAt,
    ...place,
    reconcileId: entry.reconcileId,
    ...whatLineSays(entry),
    error: entry.error,
    level: levelOf(entry),
    text: textOfLine(entry),
    names: namesOfLine(entry),
  };
}

function levelOf({ level, verbosity }: LogEntry): LineEvidence['level'] {
  if (level === undefined) return undefined;
  if (level === 'info') return (verbosity ?? 0) > 0 ? 'debug' : 'info';
  return level === 'error' || level === 'warning' || level === 'debug' ? level : 'error';
}
