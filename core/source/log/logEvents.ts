/** What a line reports of a controller's life, by its message. Spec: docs/spec/logs.md [LG7] */
import { asNamespacedKey, type LogFields, type LogKey } from './logFields.ts';
import type { RawLine } from './logFormats.ts';
import { parseGoDuration } from './logTime.ts';

/**
 * What the line reports. Of controller-runtime: reconcilerError, the V(5) lines reconciling, reconciled and requeued, and those
 * of its start and end. Of client-go's controllers, and knative's: syncError, dropped.
 */
export type LogEvent =
  | { readonly kind: 'reconcilerError' }
  | { readonly kind: 'reconciling' }
  | { readonly kind: 'reconciled' }
  /** Without `afterMs`: rate limited. */
  | { readonly kind: 'requeued'; readonly afterMs?: number }
  /** A controller that is not controller-runtime's failed with a key, and puts it back. */
  | { readonly kind: 'syncError' }
  /** It gave the key up: it is not tried again before something changes. */
  | { readonly kind: 'dropped' }
  /** `source` is the Go type, e.g. `*v1.Pod`; kind and version are read off it where it is a kind source. */
  | {
      readonly kind: 'startingEventSource';
      readonly source: string;
      readonly sourceKind?: string;
      readonly sourceVersion?: string;
    }
  | { readonly kind: 'startingController' }
  /** The same of a controller that is not controller-runtime's: "Starting deployment controller", "starting controller". */
  | { readonly kind: 'startingClassicController' }
  | { readonly kind: 'startingWorkers'; readonly workers?: number }
  | { readonly kind: 'workersFinished' }
  | { readonly kind: 'cacheSyncFailed' }
  | { readonly kind: 'panic' }
  /** Leader election: it tries, it leads, a renewal failed, it does not lead any more. */
  | { readonly kind: 'leader'; readonly state: 'trying' | 'leading' | 'renewFailed' | 'lost' };

export interface EventRead {
  readonly event: LogEvent;
  /** Where the message itself names the object. */
  readonly key?: LogKey;
  /** Where the message itself holds the error. */
  readonly error?: string;
}

/** `error`: the text of the line's error field; runtime.HandleError puts everything there. */
export function readEvent(
  raw: RawLine,
  fields: LogFields,
  hasReconcileId: boolean,
  error: string | undefined,
): EventRead | undefined {
  const event = knownMessages.get(raw.msg);
  if (event !== undefined) return isOfRuntime(event.kind, raw, hasReconcileId) ? { event } : undefined;
  const { msg } = raw;
  switch (msg) {
    case 'Starting workers':
      return { event: { kind: 'startingWorkers', ...workersOf(fields.peek('worker count')) } };
    case 'Starting EventSource':
      return { event: eventSource(fields.peek('source')) };
    case 'Reconcile succeeded':
    case 'Reconcile error':
      // knative's, which carries its own key.
      if (fields.peek('knative.dev/key') === undefined) return undefined;
      return { event: { kind: msg === 'Reconcile error' ? 'syncError' : 'reconciled' } };
    case 'Unhandled Error':
    case 'Unhandled error':
      return error === undefined ? undefined : syncFailure(error);
    default:
      return otherMessage(raw, fields, hasReconcileId);
  }
}

const knownMessages = new Map<string, LogEvent>([
  ['Reconciler error', { kind: 'reconcilerError' }],
  ['Reconciling', { kind: 'reconciling' }],
  ['Reconcile successful', { kind: 'reconciled' }],
  ['Reconcile done, requeueing', { kind: 'requeued' }],
  ['Starting Controller', { kind: 'startingController' }],
  ['All workers finished', { kind: 'workersFinished' }],
  ['Could not wait for Cache to sync', { kind: 'cacheSyncFailed' }],
  ['re-queuing item due to error processing', { kind: 'syncError' }],
  ['re-queuing item  due to error processing', { kind: 'syncError' }],
]);

/**
 * controller-runtime says at V(5) that a reconcile begins and ended well. Operators write the same words by themselves, at
 * other levels and somewhere inside their run: those are no start and no end. klog's text has no V level; there, and where an
 * encoder folds all V levels into one, the place in the code tells.
 */
function isOfRuntime(kind: LogEvent['kind'], raw: RawLine, hasReconcileId: boolean): boolean {
  if (kind !== 'reconciling' && kind !== 'reconciled' && kind !== 'requeued') return true;
  const { verbosity, level, caller } = raw;
  if (verbosity !== undefined && verbosity >= 5) return true;
  if (level === 'error' || level === 'warning') return false;
  if (caller !== undefined && /(?:^|[^\w])controller\/controller\.go:\d+$/.test(caller))
    return hasReconcileId;
  if (raw.format === 'klog') return hasReconcileId && caller?.startsWith('controller.go:') === true;
  return verbosity === undefined && level === undefined && hasReconcileId;
}

function otherMessage(raw: RawLine, fields: LogFields, hasReconcileId: boolean): EventRead | undefined {
  const { msg } = raw;
  switch (msg.charCodeAt(0)) {
    case 79: // O
      return msg.startsWith('Observed a panic') ? { event: { kind: 'panic' } } : undefined;
    case 82: {
      // R
      if (!msg.startsWith('Reconcile')) break;
      const after = /^Reconcile done, requeueing after (\S+)$/.exec(msg)?.[1];
      const afterMs = after === undefined ? undefined : parseGoDuration(after);
      if (afterMs !== undefined && isOfRuntime('requeued', raw, hasReconcileId))
        return { event: { kind: 'requeued', afterMs } };
      // knative before its structured form: the time is in the message.
      if (msg.startsWith('Reconcile succeeded. Time taken') && fields.peek('knative.dev/key') !== undefined)
        return { event: { kind: 'reconciled' } };
      return undefined;
    }
    default:
  }
  if (msg.length > 4_000) return undefined;
  const leader = leaderState(msg);
  if (leader !== undefined) return { event: { kind: 'leader', state: leader } };
  if (/^(?:panic: |fatal error: )/.test(msg) && raw.format === 'text') return { event: { kind: 'panic' } };
  const begins = /^(?:Starting|starting|Started|started) /.test(msg) ? startOf(msg, fields) : undefined;
  return begins === undefined ? syncFailure(msg) : { event: begins };
}

/** client-go tools/leaderelection, and what its users say of it. */
function leaderState(msg: string): Extract<LogEvent, { kind: 'leader' }>['state'] | undefined {
  if (!/lease|leader|leading|lock/i.test(msg)) return undefined;
  if (/^["']?attempting to acquire (?:a )?leader(?: lease)?\b/i.test(msg)) return 'trying';
  if (/^(?:successfully acquired lease\b|became leader\b|started leading\b)/i.test(msg)) return 'leading';
  if (/^(?:failed to renew lease\b|error retrieving resource lock\b|failed to update lock\b)/i.test(msg))
    return 'renewFailed';
  if (/^(?:leader election lost\b|stopped leading\b|leaderelection lost\b|lost leader lease\b)/i.test(msg))
    return 'lost';
  return undefined;
}

/** `Starting workers`, `Starting deployment controller`, `Starting controllers`, and older spellings. */
function startOf(msg: string, fields: LogFields): LogEvent | undefined {
  if (/^start(?:ing|ed) (?:[\w.-]+ )?workers\b/i.test(msg))
    return {
      kind: 'startingWorkers',
      ...workersOf(fields.peek('worker count') ?? fields.peek('workers') ?? fields.peek('count')),
    };
  return /^start(?:ing|ed) (?:[\w./-]+ )?controllers?\.?$/i.test(msg)
    ? { kind: 'startingClassicController' }
    : undefined;
}

const name = String.raw`['"]?([a-z0-9][\w.-]*\/[a-z0-9][\w.:-]*)['"]?`;
const quotedName = String.raw`['"]([a-z0-9][\w.:-]*(?:\/[a-z0-9][\w.:-]*)?)['"]`;
const failures: readonly { readonly pattern: RegExp; readonly event: 'syncError' | 'dropped' }[] = [
  // Dropping deployment "ns/name" out of the queue: err
  {
    pattern: new RegExp(
      `^dropping (?:[\\w. ]+? )?(?:${name}|${quotedName}) out of (?:the )?(?:\\w+ )?queue(?:: (.*))?$`,
      'is',
    ),
    event: 'dropped',
  },
  { pattern: /^dropping (?:[\w.]+ )*()()out of (?:the )?(?:\w+ )?queue(?:: (.*))?$/is, event: 'dropped' },
  // error syncing 'ns/name': err, requeuing · Error syncing deployment ns/name: err · failed to sync "ns/name": err
  {
    pattern: new RegExp(
      `^(?:error syncing|failed to sync|error processing|sync|syncing)(?: [a-z]\\w*)?(?: (?:${name}|${quotedName}))(?: failed(?: with)?| \\((?:will retry|giving up)\\)|, requeuing)?(?::?\\s*: ?| with: )(.*)$`,
      'is',
    ),
    event: 'syncError',
  },
  // orders controller: Re-queuing item "ns/name" due to error processing: err
  {
    pattern: new RegExp(
      `^(?:[\\w -]+: )?re-?queuing item (?:${name}|${quotedName})\\s+due to error processing: (.*)$`,
      'is',
    ),
    event: 'syncError',
  },
  {
    pattern: /^()()error syncing(?: [a-z]\w*)?(?:; requeuing for later retry|, requeuing)?(?:: (.*))?$/is,
    event: 'syncError',
  },
];

/** client-go's way: handleErr of its controllers, and of those that were written after them. */
function syncFailure(text: string): EventRead | undefined {
  if (!/sync|queu|processing/i.test(text)) return undefined;
  for (const { pattern, event } of failures) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const key = match[1] ? asNamespacedKey(match[1]) : clusterKey(match[2]);
    const givenUp = event === 'syncError' && /\(giving up\)/.test(text);
    const error = match[3]?.replace(/,? ?(?:re-?queuing|will retry)\.?$/i, '');
    return {
      event: { kind: givenUp ? 'dropped' : event },
      ...(key === undefined ? {} : { key }),
      ...(error === undefined || error === '' ? {} : { error }),
    };
  }
  return undefined;
}

function clusterKey(text: string | undefined): LogKey | undefined {
  if (text === undefined || text === '') return undefined;
  const slash = text.indexOf('/');
  return { namespace: slash < 0 ? '' : text.slice(0, slash), name: text.slice(slash + 1) };
}

function eventSource(value: unknown): LogEvent {
  const source = (typeof value === 'string' ? value : '').replace(/^kind source: /, '');
  const match = /^\*(?:[\w.]*\/)?(\w+)\.(\w+)$/.exec(source);
  return match === null
    ? { kind: 'startingEventSource', source }
    : { kind: 'startingEventSource', source, sourceVersion: match[1] ?? '', sourceKind: match[2] ?? '' };
}

function workersOf(value: unknown): { readonly workers?: number } {
  const count = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof count === 'number' && Number.isInteger(count) ? { workers: count } : {};
}
