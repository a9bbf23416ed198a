/**
 * Facts of log lines → facts of records: a line that came in pieces (what the runtime cut, klog's values over several lines)
 * is one fact, that of its first piece, read as a whole. Everything else passes through at once. Pure; one for each reader.
 * Spec: docs/spec/logs.md [LG14]
 */
import { createLineJoiner, type JoinedLines, type LineJoiner } from './joinLines.ts';
import { type LogEntry, parseLogLine } from './logEntry.ts';

interface LineFact {
  readonly entry: LogEntry;
  readonly source: string;
  readonly receivedAt: number;
}

export interface EntryStitcher<F extends LineFact> {
  /** What can be told now, in order within each source; nothing while pieces are missing. */
  push(fact: F): readonly F[];
  /** What is held, as it stands: nothing more is to come. */
  flush(): readonly F[];
}

/** `textOf`: the line of a fact as it came; asked only about lines in pieces. */
export function createEntryStitcher<F extends LineFact>(
  textOf: (fact: F) => string | undefined,
): EntryStitcher<F> {
  /** Sources of which a line is open, and since when. */
  const open = new Map<string, { readonly joiner: LineJoiner<F>; readonly since: number }>();

  function push(fact: F): readonly F[] {
    if (open.size === 0 && !isOpen(fact.entry)) return [fact];
    const overdue = flush(fact.receivedAt - patienceMs);
    const held = open.get(fact.source);
    const text = held !== undefined || isOpen(fact.entry) ? textOf(fact) : undefined;
    if (text === undefined) return [...overdue, fact];
    const joiner = held?.joiner ?? createLineJoiner<F>({ fold: false });
    const whole = joiner.push(text, fact).flatMap(factsOf);
    if (joiner.held === 0) open.delete(fact.source);
    else if (held === undefined) open.set(fact.source, { joiner, since: fact.receivedAt });
    return [...overdue, ...whole];
  }

  /** What has been open since before `until`, ms. */
  function flush(until: number): readonly F[] {
    const facts: F[] = [];
    for (const [source, { joiner, since }] of open) {
      if (since > until) continue;
      open.delete(source);
      facts.push(...joiner.flush().flatMap(factsOf));
    }
    return facts;
  }

  return { push, flush: () => flush(Number.POSITIVE_INFINITY) };
}

/** Pieces of one line are written in one go; ms. */
const patienceMs = 5_000;

function factsOf<F extends LineFact>({ text, parts }: JoinedLines<F>): readonly F[] {
  const facts = parts.map(({ tag }) => tag);
  const [first] = facts;
  if (first === undefined || facts.length === 1) return facts;
  return [{ ...first, entry: parseLogLine(text, { nearMs: first.receivedAt }) }];
}

/** The line goes on in the next one: cut by the runtime, or within a value of klog's. */
function isOpen({ prefix, format, error, fields }: LogEntry): boolean {
  if (prefix?.partial === true) return true;
  return format === 'klog' && (error === '<' || Object.values(fields).includes('<'));
}
