/**
 * ErrorNotes: what the "Reconciler error" lines of a session say per key: the text of the last one, and how far apart
 * they came. Of log facts alone, so that a profile that changes, or comes later, finds them.
 */
import type { ControllerProfile } from '../../shared/model/profile.ts';
import type { LogFact } from '../session/facts.ts';
import type { ControllerSources } from './controllerSources.ts';
import { isOfController, lineTime, wasThere } from './shadowSteps.ts';

export interface ErrorNotes {
  add(fact: LogFact): void;
  /** First line of the last error of a key, at most 300 characters. Undefined: none was logged. */
  lastError(controller: NotedController, key: string): string | undefined;
  /**
   * The distances between two error lines of one key, in ms to two digits, ascending, each once; the six most frequent.
   * Those that the time stamps do not tell to a tenth are left out.
   */
  gapsMs(controller: NotedController): readonly number[];
}

export interface NotedController {
  readonly profile: ControllerProfile;
  readonly sources: ControllerSources;
}

/** Keys remembered of one controller; the one that failed longest ago goes first. */
const keysKept = 5000;
/** Error lines remembered of one key: enough to see a limiter grow from its base to its cap. */
const linesKept = 16;
const longestError = 300;
const gapsShown = 6;

interface Line {
  readonly at: number;
  /** How much `at` may be off, ms. */
  readonly within: number;
}

interface Note {
  error: string | undefined;
  /** In order of time. */
  readonly lines: Line[];
}

interface Speaker {
  /** Any of its lines: tells which controller it is. */
  readonly entry: LogFact['entry'];
  readonly keys: Map<string, Note>;
}

export function createErrorNotes(): ErrorNotes {
  const speakers = new Map<string, Speaker>();

  function* of({ profile, sources }: NotedController): Generator<Speaker> {
    for (const speaker of speakers.values())
      if (isOfController(speaker.entry, profile, sources)) yield speaker;
  }

  return {
    add(fact) {
      const { entry } = fact;
      if (entry.event?.kind !== 'reconcilerError' || entry.key === undefined) return;
      const name = [entry.controller, entry.controllerGroup, entry.controllerKind].join('|');
      let speaker = speakers.get(name);
      if (speaker === undefined) {
        speaker = { entry, keys: new Map() };
        speakers.set(name, speaker);
      }
      const { namespace, name: object } = entry.key;
      const key = namespace === '' ? object : `${namespace}/${object}`;
      const note = speaker.keys.get(key) ?? { error: undefined, lines: [] };
      speaker.keys.delete(key);
      speaker.keys.set(key, note);
      if (speaker.keys.size > keysKept) speaker.keys.delete(speaker.keys.keys().next().value ?? '');
      const at = lineTime(fact);
      // A log that is read from its beginning may tell of the past after what was followed.
      let index = note.lines.length;
      while (index > 0 && (note.lines[index - 1]?.at ?? 0) > at) index--;
      if (index === note.lines.length) note.error = firstLine(entry.error ?? entry.msg);
      note.lines.splice(index, 0, { at, within: wasThere(fact) ? fact.at.hi - fact.at.lo : 0 });
      if (note.lines.length > linesKept) note.lines.shift();
    },
    lastError(controller, key) {
      for (const speaker of of(controller)) {
        const error = speaker.keys.get(key)?.error;
        if (error !== undefined) return error;
      }
      return undefined;
    },
    gapsMs(controller) {
      const gaps: number[] = [];
      for (const speaker of of(controller))
        for (const { lines } of speaker.keys.values())
          for (const [index, line] of lines.entries()) {
            const before = lines[index - 1];
            const gap = before === undefined ? 0 : line.at - before.at;
            if (before !== undefined && gap > 0 && (before.within + line.within) / 2 <= gap / 10)
              gaps.push(gap);
          }
      return mostFrequent(gaps);
    },
  };
}

/** Gaps within a tenth of each other are one. */
function mostFrequent(gaps: number[]): readonly number[] {
  const groups: { least: number; members: number[] }[] = [];
  for (const gap of gaps.sort((a, b) => a - b)) {
    const group = groups.at(-1);
    if (group !== undefined && gap <= group.least * 1.1 + 20) group.members.push(gap);
    else groups.push({ least: gap, members: [gap] });
  }
  return groups
    .sort((a, b) => b.members.length - a.members.length)
    .slice(0, gapsShown)
    .map(({ members }) => twoDigits(members[Math.floor(members.length / 2)] ?? 0))
    .sort((a, b) => a - b);
}

function twoDigits(ms: number): number {
  return Number(ms.toPrecision(2));
}

function firstLine(text: string): string {
  const line = text.trimStart().split('\n', 1)[0]?.trimEnd() ?? '';
  return line.length > longestError ? `${line.slice(0, longestError - 1)}…` : line;
}
