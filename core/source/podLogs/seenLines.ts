/**
 * SeenLines: the newest lines of one log, to tell what of it comes a second time. `sinceTime` of a log request has whole
 * seconds, so each answer begins with lines that are on record already; they are known by exact time and text, and by
 * how often both occurred. Pure. Spec: docs/spec/sources.md (SRC10–SRC14)
 */
import type { StampedLine } from './stampedLine.ts';

export interface SeenLines {
  add(line: StampedLine): void;
  /** The last line, undefined before there was one. */
  readonly last: StampedLine | undefined;
  /** What to ask for: the whole second of the last line, ms; undefined before there was one. */
  readonly since: number | undefined;
  /** For one answer: says of each of its lines, in order, whether it is on record. */
  matcher(): (line: StampedLine) => boolean;
}

/** Kept beyond the last second: a node's clock that is set back asks for them again. */
const keptLines = 2000;
/** More lines than that in one second are told apart no longer. */
const mostLines = 500_000;

export function createSeenLines(before: readonly StampedLine[] = []): SeenLines {
  /** Oldest first; `start` is where it begins. */
  let lines: { readonly key: string; readonly ms: number }[] = [];
  let start = 0;
  const counts = new Map<string, number>();
  let last: StampedLine | undefined;

  function add(line: StampedLine): void {
    last = line;
    const key = keyOf(line);
    lines.push({ key, ms: line.ms });
    counts.set(key, (counts.get(key) ?? 0) + 1);
    const since = wholeSecond(line.ms);
    for (;;) {
      const oldest = lines[start];
      const held = lines.length - start;
      if (oldest === undefined || held <= keptLines) break;
      if (oldest.ms >= since && held <= mostLines) break;
      start++;
      const count = counts.get(oldest.key) ?? 0;
      if (count > 1) counts.set(oldest.key, count - 1);
      else counts.delete(oldest.key);
    }
    if (start > keptLines) {
      lines = lines.slice(start);
      start = 0;
    }
  }

  for (const line of before) add(line);
  return {
    add,
    get last() {
      return last;
    },
    get since() {
      return last === undefined ? undefined : wholeSecond(last.ms);
    },
    matcher() {
      const left = new Map(counts);
      return (line) => {
        const key = keyOf(line);
        const count = left.get(key) ?? 0;
        if (count === 0) return false;
        left.set(key, count - 1);
        return true;
      };
    },
  };
}

function wholeSecond(ms: number): number {
  return Math.floor(ms / 1000) * 1000;
}

/** Time and a 53-bit digest of the text (cyrb53): lines may be long, and only those of one instant are compared. */
function keyOf({ ms, text }: StampedLine): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return `${ms} ${4294967296 * (2097151 & low) + (high >>> 0)} ${text.length}`;
}
