/**
 * LogEntry: one line of an operator's output, with what it says of a reconcile brought under one spelling.
 * Pure and total: a line that is no known shape is kept as text. Spec: docs/spec/logs.md
 */
import type { TimeInterval } from '../../session/record.ts';
import type { LinePrefix } from './linePrefix.ts';
import { type LogEvent, readEvent } from './logEvents.ts';
import { LogFields, type LogKey, takeKey } from './logFields.ts';
import { type LogFormat, type LogLevel, splitLine } from './logFormats.ts';

export type { LinePrefix } from './linePrefix.ts';
export type { LogEvent } from './logEvents.ts';
export type { LogFormat, LogLevel } from './logFormats.ts';

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
  readonly key?: LogKey;
  readonly reconcileId?: string;
  readonly event?: LogEvent;
  /**
   * It belongs to the last line of its source that has no such mark: a stack frame, a value over several lines. Nothing is to
   * be concluded from it alone.
   */
  readonly continues?: true;
  /** What the container runtime or a tool wrote before the line. With `partial` the line goes on in the next of its source. */
  readonly prefix?: LinePrefix;
  /** Characters of the line that are not in `msg`, because it is too long; the record has them. */
  readonly cut?: number;
  /** The remaining fields under their own names; stack traces are left out. */
  readonly fields: Readonly<Record<string, unknown>>;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * Never throws. `nearMs`: when the line was received; it gives klog's dates their year. A text of several lines is read as
 * the one record it is (joinLines.ts puts them together).
 */
export function parseLogLine(line: string, options: { readonly nearMs?: number } = {}): LogEntry {
  const raw = splitLine(line, options.nearMs);
  const entry: Writable<LogEntry> = { format: raw.format, msg: raw.msg, fields: raw.fields };
  if (raw.at !== undefined) entry.at = raw.at;
  if (raw.level !== undefined) entry.level = raw.level;
  if (raw.verbosity !== undefined) entry.verbosity = raw.verbosity;
  if (raw.logger !== undefined) entry.logger = raw.logger;
  if (raw.caller !== undefined) entry.caller = raw.caller;
  if (raw.prefix !== undefined) entry.prefix = raw.prefix;
  if (raw.continues) entry.continues = true;
  if (raw.cut !== undefined) entry.cut = raw.cut;
  if (raw.continues || raw.prefix?.partial || raw.cut !== undefined) return entry;
  readFields(entry, new LogFields(raw.fields));
  return entry;
}

/** The text in which a refusal can stand: the error, else the message. */
export function refusalText(entry: LogEntry): string {
  return entry.error ?? entry.msg;
}

function readFields(entry: Writable<LogEntry>, fields: LogFields): void {
  const gvk = readGvk(fields);
  const named = fields.takeText('controller', 'knative.dev/controller');
  const controllerGroup = fields.takeText('controllerGroup', 'reconcilerGroup') ?? gvk?.group;
  const controllerKind =
    fields.takeText('controllerKind', 'reconcilerKind') ?? gvk?.kind ?? kindOfLogger(entry.logger, fields);
  const reconcileId = fields.takeText('reconcileID', 'knative.dev/traceid');
  const error = errorText(fields.take('error', 'err'));
  fields.take('stacktrace', 'errorVerbose');
  const read = readEvent(entry, fields, reconcileId !== undefined, error);
  const controller = named ?? controllerOfLogger(entry, controllerKind, read?.event);
  const aboutReconcile = named !== undefined || reconcileId !== undefined || gvk !== undefined;
  const key = takeKey(fields, {
    controller,
    controllerKind,
    aboutReconcile: aboutReconcile || controller !== undefined,
  });
  if (error !== undefined || read?.error !== undefined) entry.error = error ?? read?.error ?? '';
  if (controller !== undefined) entry.controller = controller;
  if (controllerGroup !== undefined) entry.controllerGroup = controllerGroup;
  if (controllerKind !== undefined) entry.controllerKind = controllerKind;
  const about = key ?? read?.key;
  if (about !== undefined) entry.key = about;
  if (reconcileId !== undefined) entry.reconcileId = reconcileId;
  if (read !== undefined) entry.event = read.event;
  entry.fields = fields.rest();
}

/** operator-sdk for Ansible and Helm: `gvk: "group/version, Kind=Name"`. */
function readGvk(fields: LogFields): { readonly group: string; readonly kind: string } | undefined {
  const text = fields.peekText('gvk');
  const match = text === undefined ? null : /^(?:([\w.-]*)\/)?\w+, Kind=(\w+)$/.exec(text);
  return match === null ? undefined : { group: match[1] ?? '', kind: match[2] ?? '' };
}

/**
 * kubebuilder's scaffold gave each reconciler the logger `controllers.Kind` and a field of the kind's name; Helm operators
 * write the kind beside name and namespace.
 */
function kindOfLogger(logger: string | undefined, fields: LogFields): string | undefined {
  if (logger === undefined) return undefined;
  const kind = /(?:^|\.)controllers\.([A-Z]\w*)$/.exec(logger)?.[1];
  if (kind !== undefined) return fields.peek(kind) === undefined ? undefined : kind;
  return logger === 'helm.controller' ? fields.peekText('kind') : undefined;
}

/** controller-runtime before 0.13 named the controller in the logger alone; client-go's controllers do so still. */
function controllerOfLogger(
  { logger }: { readonly logger?: string },
  controllerKind: string | undefined,
  event: LogEvent | undefined,
): string | undefined {
  if (logger === undefined) return undefined;
  const runtime = /^(?:controller-runtime\.manager\.)?controller\.([\w-]+)$/.exec(logger)?.[1];
  if (runtime !== undefined && (controllerKind !== undefined || event !== undefined)) return runtime;
  if (event?.kind !== 'syncError' && event?.kind !== 'dropped') return undefined;
  const last = logger.split(/[./]/).at(-1) ?? '';
  return generalLoggers.has(last.toLowerCase()) ? undefined : last;
}

/** Names of loggers that many controllers share. */
const generalLoggers = new Set([
  '',
  'controller',
  'controllers',
  'unhandlederror',
  'cert-manager',
  'main',
  'manager',
]);

function errorText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
