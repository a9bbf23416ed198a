/**
 * MetricsHistory: scrapes of an operator over time → the reported side of a controller's history charts. Counters are
 * compared with the scrape before, process by process: what they grew by lies somewhere between the two and is spread
 * evenly over that time. Nothing is made up: a stretch without scrapes has no points, and a slot tells less than what
 * happened rather than more.
 * Source: controller-runtime pkg/internal/controller/metrics, client-go util/workqueue/metrics.go. Spec: docs/spec/sourcesWindow.md
 */
import type { HistorySeries } from '../../shared/contract/views/traces.ts';
import { growthOf, isRestart, type KnownBounds, readScrape, type ScrapeCounters } from './scrape.ts';
import { halved, pointsOf, type Stretch } from './stretches.ts';

export interface MetricsHistory {
  /**
   * One scrape: its text as it came, and when, ms. `source` tells replicas and addresses apart. A scrape that is not later
   * than the last one of its source is passed over. Never throws.
   */
  apply(text: string, at: number, source?: string): void;
  /**
   * What was reported of `controller`, in slots [k·slotMs, (k+1)·slotMs), ascending; replicas are summed. A slot of which
   * less than half is covered by scrapes has no counts, one with nothing at all no point. Undefined: no scrape told of it.
   */
  series(controller: string, slotMs: number): HistorySeries | undefined;
  /** Controllers that scrapes told of, sorted. */
  controllers(): readonly string[];
}

interface Source {
  at: number;
  counters: ScrapeCounters;
  /** Distances of the newest scrapes, ms. */
  readonly intervals: number[];
}

interface Answer {
  readonly slotMs: number;
  readonly series: HistorySeries;
  /** From here on it is out of date; undefined: it is not. */
  staleFrom: number | undefined;
}

interface Series {
  readonly controller: string;
  stretches: Stretch[];
}

/** Kept for each source and controller, and of all; beyond it the older half is kept at half the resolution. */
const maxStretches = 4096;
const maxTotal = 120_000;
/** Over all sources; beyond it the one that fell silent first is forgotten. */
const maxSeries = 512;
const keptIntervals = 16;
/** Nothing shorter is a gap; three usual distances are where they are longer. */
const leastGapMs = 45_000;
const unknownGapMs = 600_000;

export function createMetricsHistory(): MetricsHistory {
  const sources = new Map<string, Source>();
  const series = new Map<string, Series>();
  const bounds: KnownBounds = new Map();
  let total = 0;
  /** By controller: views ask several times a second, scrapes come every few seconds. */
  const answers = new Map<string, Answer>();

  function add(id: string, controller: string, stretch: Stretch): void {
    const key = `${id}\n${controller}`;
    const entry = series.get(key) ?? { controller, stretches: [] };
    const answer = answers.get(controller);
    if (answer !== undefined) {
      // A source that is heard again was silent since its last stretch: that too is known only now.
      const from = Math.min(stretch.from, entry.stretches.at(-1)?.to ?? stretch.from);
      answer.staleFrom = Math.min(from, answer.staleFrom ?? from);
    }
    // The one that was told of last stands last: the first is the one to forget.
    series.delete(key);
    series.set(key, entry);
    entry.stretches.push(stretch);
    total++;
    if (entry.stretches.length > maxStretches) thin(entry);
    if (series.size > maxSeries) forgetSilent();
    if (total > maxTotal) thin(longest());
  }

  /** The older half at half the resolution; where nothing can be joined, the oldest go. */
  function thin(entry: Series): void {
    const before = entry.stretches.length;
    entry.stretches = halved(entry.stretches).slice(-Math.floor(before * 0.8));
    total -= before - entry.stretches.length;
    answers.delete(entry.controller);
  }

  function forgetSilent(): void {
    const [key] = series.keys();
    const silent = key === undefined ? undefined : series.get(key);
    if (key === undefined || silent === undefined) return;
    answers.delete(silent.controller);
    total -= silent.stretches.length;
    series.delete(key);
  }

  function longest(): Series {
    return [...series.values()].reduce((a, b) => (b.stretches.length > a.stretches.length ? b : a));
  }

  return {
    apply(text, at, id = '') {
      const last = sources.get(id);
      if (last !== undefined && at <= last.at) return;
      const counters = readScrape(text, bounds);
      const intervals = last?.intervals ?? [];
      const fresh = last === undefined || isRestart(last.counters, counters);
      const limit = last === undefined ? leastGapMs : gapLimit(intervals);
      const from = fromOf(last, counters, fresh, at);
      const told = from !== undefined && at - from <= limit;
      for (const [controller, now] of counters.controllers) {
        const growth = growthOf(fresh ? undefined : last.counters.controllers.get(controller), now);
        const stretch: Stretch = told
          ? { from, to: at, ...growth }
          : { from: at, to: at, runs: undefined, errors: undefined, buckets: undefined, depth: growth.depth };
        add(id, controller, stretch);
      }
      if (last !== undefined) {
        intervals.push(at - last.at);
        if (intervals.length > keptIntervals) intervals.shift();
      }
      sources.set(id, { at, counters, intervals });
    },
    series(controller, slotMs) {
      const cached = answers.get(controller);
      const known = cached?.slotMs === slotMs ? cached : undefined;
      if (known !== undefined && known.staleFrom === undefined) return known.series;
      const own = [...series.values()].filter((entry) => entry.controller === controller);
      if (own.length === 0) return undefined;
      const since =
        known?.staleFrom === undefined ? undefined : Math.floor(known.staleFrom / slotMs) * slotMs;
      const points = pointsOf(
        own.map(({ stretches }) => stretches),
        slotMs,
        since,
      );
      const before = since === undefined ? [] : (known?.series.points.filter(({ at }) => at < since) ?? []);
      const answer: HistorySeries = {
        from: 'metrics',
        basis: { kind: 'reported', from: 'metrics' },
        points: [...before, ...points],
      };
      answers.set(controller, { slotMs, series: answer, staleFrom: undefined });
      return answer;
    },
    controllers() {
      return [...new Set([...series.values()].map(({ controller }) => controller))].sort();
    },
  };
}

/**
 * Since when the counters of this scrape count what the last one did not have: the last scrape, or the start of the
 * process where that is later. Undefined: it began somewhere before we looked.
 */
function fromOf(
  last: Source | undefined,
  { startedAt }: ScrapeCounters,
  fresh: boolean,
  at: number,
): number | undefined {
  const started = fresh && startedAt !== undefined && startedAt <= at ? startedAt : undefined;
  if (last === undefined) return started;
  return Math.max(last.at, started ?? last.at);
}

/** Scrapes further apart have a gap between them. Before there were two of them, nobody knows how often they come. */
function gapLimit(intervals: readonly number[]): number {
  const usual = [...intervals].sort((a, b) => a - b)[Math.floor(intervals.length / 2)];
  return usual === undefined ? unknownGapMs : Math.max(leastGapMs, 3 * usual);
}
