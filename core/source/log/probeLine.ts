/**
 * Lines of the probe that an author may wrap around their Reconciler and client (probe/probe.go): exact starts, ends, reads
 * and writes, said by the operator. Pure; spec: docs/spec/probe.md
 */
import { parseGoDuration, parseLogTime } from './logTime.ts';

export const probeMessage = 'loopscope.probe';

interface ProbeBase {
  /** When it ended (a start: when it began), ms by the operator's clock, finer than the line's own time stamp. */
  readonly at: number;
  /** How long it took, ms; 0 for a start. `at` − `tookMs` is when it began. */
  readonly tookMs: number;
  /** Why the request or the run failed. */
  readonly failed?: string;
}

export type ProbeLine = ProbeBase &
  (
    | { readonly kind: 'start'; readonly key: string }
    | {
        readonly kind: 'end';
        /** `namespace/name` or `name`. */
        readonly key: string;
        readonly result: 'success' | 'error' | 'terminal' | 'requeue' | 'requeue-after' | 'panic';
        /** With requeue-after. */
        readonly afterMs?: number;
      }
    | {
        readonly kind: 'read';
        readonly verb: 'get' | 'list';
        /** `cache` never reached the API server. */
        readonly from: 'cache' | 'live';
        /** `Kind/namespace/name`, `-` for no namespace; of a list the kind ends in List and the name is empty. */
        readonly subject: string;
        readonly resourceVersion?: string;
        /** Of a list. */
        readonly items?: number;
      }
    | {
        readonly kind: 'write';
        readonly verb: 'create' | 'update' | 'patch' | 'apply' | 'delete' | 'deletecollection';
        readonly subresource: string;
        readonly subject: string;
        /** The version the object carried into the request. */
        readonly before?: string;
        /** The version it had afterwards: equal to `before` where nothing changed, or where it failed. */
        readonly resourceVersion?: string;
      }
  );

const results = ['success', 'error', 'terminal', 'requeue', 'requeue-after', 'panic'] as const;
const verbs = ['create', 'update', 'patch', 'apply', 'delete', 'deletecollection'] as const;

/** `msg` and the fields that are left of a line; undefined for any other line, and for one of the probe that is damaged. */
export function readProbeLine(msg: string, fields: Readonly<Record<string, unknown>>): ProbeLine | undefined {
  if (msg !== probeMessage) return undefined;
  const at = parseLogTime(fields.at);
  const tookMs = numberOf(fields.tookMs);
  if (at === undefined || tookMs === undefined) return undefined;
  const failed = textOf(fields.failed);
  const base = { at: at.lo, tookMs, ...(failed === undefined ? {} : { failed }) };
  const verb = textOf(fields.verb);
  switch (fields.probe) {
    case 'start':
    case 'end': {
      const key = keyOf(fields.key);
      if (key === undefined) return undefined;
      if (fields.probe === 'start') return { ...base, kind: 'start', key };
      const result = results.find((one) => one === fields.result);
      if (result === undefined) return undefined;
      const afterMs = result === 'requeue-after' ? parseGoDuration(textOf(fields.after) ?? '') : undefined;
      return { ...base, kind: 'end', key, result, ...(afterMs === undefined ? {} : { afterMs }) };
    }
    case 'read': {
      const subject = subjectOf(fields);
      const from = fields.from === 'live' ? 'live' : 'cache';
      if (subject === undefined || (verb !== 'get' && verb !== 'list')) return undefined;
      const items = numberOf(fields.items);
      const read = {
        ...base,
        kind: 'read',
        verb,
        from,
        subject,
        ...version('resourceVersion', fields.version),
      } as const;
      return items === undefined ? read : { ...read, items };
    }
    case 'write': {
      const subject = subjectOf(fields);
      const known = verbs.find((one) => one === verb);
      if (subject === undefined || known === undefined) return undefined;
      return {
        ...base,
        kind: 'write',
        verb: known,
        subresource: textOf(fields.subresource) ?? '',
        subject,
        ...version('before', fields.before),
        ...version('resourceVersion', fields.version),
      };
    }
    default:
      return undefined;
  }
}

/** Text forms of logs write numbers as text. */
function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The probe writes `/name` where there is no namespace. */
function keyOf(value: unknown): string | undefined {
  const text = textOf(value);
  if (text === undefined || !text.includes('/')) return undefined;
  return text.startsWith('/') ? text.slice(1) : text;
}

function subjectOf({ kind, of }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof kind !== 'string' || typeof of !== 'string') return undefined;
  return `${kind}/${of.startsWith('/') ? '-' : ''}${of === '' ? '-/' : of}`;
}

/** Numbers of a text log may have lost their quotes. */
function version<K extends string>(name: K, value: unknown): { readonly [P in K]?: string } {
  const text = typeof value === 'number' ? String(value) : textOf(value);
  return (text === undefined || text === '' ? {} : { [name]: text }) as { readonly [P in K]?: string };
}
