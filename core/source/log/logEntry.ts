/**
 * LogEntry: one line of an operator's output, with what controller-runtime says in it brought under one spelling.
 * Pure and total: a line that is no known shape is kept as text. Spec: docs/spec/logs.md
 */
import type { TimeInterval } from '../../session/record.ts';
import { type LogFormat, type LogLevel, splitLine } from './logFormats.ts';
import { parseGoDuration } from './logTime.ts';

export type { LogFormat, LogLevel } from './logFormats.ts';

/** What controller-runtime reports by this line. V(5) lines: reconciling, reconciled, requeued. */
export type LogEvent =
  | { readonly kind: 'reconcilerError' }
  | { readonly kind: 'reconciling' }
  | { readonly kind: 'reconciled' }
  /** Without `afterMs`: rate limited. */
  | { readonly kind: 'requeued'; readonly afterMs?: number }
  /** `source` is the Go type, e.g. `*v1.Pod`; kind and version are read off it where it is a kind source. */
  | {
      readonly kind: 'startingEventSource';
      readonly source: string;
      readonly sourceKind?: string;
      readonly sourceVersion?: string;
    }
  | { readonly kind: 'startingController' }
  | { readonly kind: 'startingWorkers'; readonly workers?: number }
  | { readonly kind: 'workersFinished' }
  | { readonly kind: 'cacheSyncFailed' }
  | { readonly kind: 'panic' };

export interface LogEntry {
  readonly format: LogFormat;
  /** The time the line states, ms; absent where it states none. Not when it was received. */
  readonly at?: TimeInterval;
  readonly level?: LogLevel;
  /** V level: 0 info, 1 debug … */
  readonly verbosity?: number;
  readonly logger?: string;
  readonly caller?: string;
  readonly msg: string;
  readonly error?: string;
  readonly controller?: string;
  readonly controllerGroup?: string;
  readonly controllerKind?: string;
  /** The object being reconciled; namespace empty for a cluster-scoped one. */
  readonly key?: { readonly namespace: string; readonly name: string };
  readonly reconcileId?: string;
  readonly event?: LogEvent;
  /** The remaining fields under their own names; stack traces are left out. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** `nearMs`: when the line was received; it gives klog's dates their year. */
export function parseLogLine(line: string, options: { readonly nearMs?: number } = {}): LogEntry {
  const raw = splitLine(line, options.nearMs);
  const fields = new Fields(raw.fields);
  const controller = fields.takeText('controller');
  const controllerGroup = fields.takeText('controllerGroup', 'reconcilerGroup');
  const controllerKind = fields.takeText('controllerKind', 'reconcilerKind');
  const reconcileId = fields.takeText('reconcileID');
  const error = errorText(fields.take('error', 'err'));
  fields.take('stacktrace', 'errorVerbose');
  const key = readKey(fields, controllerKind, controller !== undefined || reconcileId !== undefined);
  const event = readEvent(raw.msg, fields);
  return {
    format: raw.format,
    ...defined('at', raw.at),
    ...defined('level', raw.level),
    ...defined('verbosity', raw.verbosity),
    ...defined('logger', raw.logger),
    ...defined('caller', raw.caller),
    msg: raw.msg,
    ...defined('error', error),
    ...defined('controller', controller),
    ...defined('controllerGroup', controllerGroup),
    ...defined('controllerKind', controllerKind),
    ...defined('key', key),
    ...defined('reconcileId', reconcileId),
    ...defined('event', event),
    fields: fields.rest(),
  };
}

/** The text in which a refusal can stand: the error, else the message. */
export function refusalText(entry: LogEntry): string {
  return entry.error ?? entry.msg;
}

/** Field look-up that ignores case, spaces, dashes and underscores; what was taken is not left over. */
class Fields {
  private readonly byName = new Map<string, string>();
  private readonly fields: Readonly<Record<string, unknown>>;
  private readonly taken = new Set<string>();

  constructor(fields: Readonly<Record<string, unknown>>) {
    this.fields = fields;
    for (const name of Object.keys(fields)) this.byName.set(plain(name), name);
  }

  peek(name: string): unknown {
    const own = this.byName.get(plain(name));
    return own === undefined ? undefined : this.fields[own];
  }

  take(...names: readonly string[]): unknown {
    let found: unknown;
    for (const name of names) {
      const own = this.byName.get(plain(name));
      if (own === undefined) continue;
      this.taken.add(own);
      found ??= this.fields[own];
    }
    return found;
  }

  takeText(...names: readonly string[]): string | undefined {
    const value = this.take(...names);
    return typeof value === 'string' ? value : undefined;
  }

  rest(): Readonly<Record<string, unknown>> {
    return Object.fromEntries(Object.entries(this.fields).filter(([name]) => !this.taken.has(name)));
  }
}

type Key = { readonly namespace: string; readonly name: string };

function readKey(
  fields: Fields,
  controllerKind: string | undefined,
  aboutReconcile: boolean,
): Key | undefined {
  const candidates = controllerKind === undefined ? [] : [controllerKind];
  // `request` is what controller-runtime wrote before 0.9.
  for (const name of [...candidates, 'object', 'request']) {
    const key = asKey(fields.peek(name));
    if (key === undefined) continue;
    fields.take(name, 'namespace', 'name');
    return key;
  }
  if (!aboutReconcile) return undefined;
  const name = fields.peek('name');
  const namespace = fields.peek('namespace');
  if (typeof name !== 'string') return undefined;
  fields.take('namespace', 'name');
  return { namespace: typeof namespace === 'string' ? namespace : '', name };
}

function asKey(value: unknown): Key | undefined {
  if (typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string') {
    const namespace = 'namespace' in value && typeof value.namespace === 'string' ? value.namespace : '';
    return { namespace, name: value.name };
  }
  if (typeof value !== 'string' || !/^([a-z0-9.-]*\/)?[a-z0-9.:-]+$/i.test(value)) return undefined;
  const slash = value.indexOf('/');
  return { namespace: slash < 0 ? '' : value.slice(0, slash), name: value.slice(slash + 1) };
}

function readEvent(msg: string, fields: Fields): LogEvent | undefined {
  switch (msg) {
    case 'Reconciler error':
      return { kind: 'reconcilerError' };
    case 'Reconciling':
      return { kind: 'reconciling' };
    case 'Reconcile successful':
      return { kind: 'reconciled' };
    case 'Reconcile done, requeueing':
      return { kind: 'requeued' };
    case 'Starting Controller':
      return { kind: 'startingController' };
    case 'Starting workers':
      return { kind: 'startingWorkers', ...defined('workers', asCount(fields.peek('worker count'))) };
    case 'Starting EventSource':
      return eventSource(fields.peek('source'));
    case 'All workers finished':
      return { kind: 'workersFinished' };
    case 'Could not wait for Cache to sync':
      return { kind: 'cacheSyncFailed' };
    default: {
      if (msg.startsWith('Observed a panic')) return { kind: 'panic' };
      const after = /^Reconcile done, requeueing after (\S+)$/.exec(msg)?.[1];
      const afterMs = after === undefined ? undefined : parseGoDuration(after);
      return afterMs === undefined ? undefined : { kind: 'requeued', afterMs };
    }
  }
}

function eventSource(value: unknown): LogEvent {
  const source = (typeof value === 'string' ? value : '').replace(/^kind source: /, '');
  const match = /^\*(?:[\w.]*\/)?(\w+)\.(\w+)$/.exec(source);
  return match === null
    ? { kind: 'startingEventSource', source }
    : { kind: 'startingEventSource', source, sourceVersion: match[1] ?? '', sourceKind: match[2] ?? '' };
}

function asCount(value: unknown): number | undefined {
  const count = typeof value === 'string' ? Number(value) : value;
  return typeof count === 'number' && Number.isInteger(count) ? count : undefined;
}

function errorText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Lines of one operator use the same few names, over and over. */
const plainNames = new Map<string, string>();
const mostPlainNames = 1000;

function plain(name: string): string {
  let found = plainNames.get(name);
  if (found === undefined) {
    if (plainNames.size >= mostPlainNames) plainNames.clear();
    found = name.toLowerCase().replace(/[\s_-]/g, '');
    plainNames.set(name, found);
  }
  return found;
}

function defined<K extends string, V>(name: K, value: V | undefined): { [P in K]?: V } {
  return (value === undefined ? {} : { [name]: value }) as { [P in K]?: V };
}
