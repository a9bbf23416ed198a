/** Versions → tracks: one per condition type, spans of one status and reason. Spec: docs/spec/why.md, section Conditions. */
import type { ConditionSpan, ConditionsView, ConditionTrack } from '../../shared/contract/views/structure.ts';
import type { Condition } from '../../shared/model/kube.ts';
import { type Polarity, polarityOf } from './polarity.ts';
import { statusWriter, type VersionNote, wroteStatus } from './versions.ts';

export interface Span {
  readonly from: number;
  readonly to: number | undefined;
}

/** What other objects of the kind took, per type. */
export interface Usual {
  readonly medianMs: number;
  readonly longestMs: number;
  readonly count: number;
}

const observed = { kind: 'observed', from: 'watch' } as const;

/** Tracks in the order in which types first appeared, Ready first. `gaps`: stretches in which the kind was not seen. */
export function conditionTracks(
  notes: readonly VersionNote[],
  gaps: readonly Span[],
  usual: ReadonlyMap<string, Usual>,
  polarity: (type: string) => Polarity = polarityOf,
): readonly ConditionTrack[] {
  const types = new Map<string, Draft[]>();
  for (const [index, note] of notes.entries()) {
    if (note.conditions === undefined) continue;
    const at = note.at.hi;
    const seen = new Set<string>();
    for (const condition of note.conditions) {
      seen.add(condition.type);
      const spans = types.get(condition.type) ?? [];
      types.set(condition.type, spans);
      extend(spans, condition, note, at, index === 0 || isFirstFull(notes, index));
    }
    for (const [type, spans] of types) if (!seen.has(type)) close(spans, at);
    if (note.op === 'deleted' || note.op === 'vanished') for (const spans of types.values()) close(spans, at);
  }
  return [...types]
    .sort(([a], [b]) => rank(a) - rank(b))
    .map(([type, drafts]) => {
      const other = usual.get(type);
      return {
        type,
        polarity: polarity(type),
        spans: drafts.map((draft) => finish(draft, gaps)),
        changes: drafts.reduce(
          (count, draft, index) => count + (index > 0 && drafts[index - 1]?.status !== draft.status ? 1 : 0),
          0,
        ),
        ...(other === undefined ? {} : { usualMs: other.medianMs, longestMs: other.longestMs }),
        others: other?.count ?? 0,
      };
    });
}

type Draft = { -readonly [name in keyof Omit<ConditionSpan, 'gap' | 'basis'>]: ConditionSpan[name] };

function rank(type: string): number {
  const index = ['Ready', 'Available', 'Progressing', 'Degraded'].indexOf(type);
  return index < 0 ? 9 : index;
}

function isFirstFull(notes: readonly VersionNote[], index: number): boolean {
  return notes.slice(0, index).every(({ conditions }) => conditions === undefined);
}

function extend(spans: Draft[], condition: Condition, note: VersionNote, at: number, first: boolean): void {
  const reason = condition.reason ?? '';
  const last = spans.at(-1);
  if (
    last !== undefined &&
    last.to === undefined &&
    last.status === condition.status &&
    last.reason === reason
  ) {
    last.message = condition.message ?? '';
    // The newest one: an operator may move it without a change of status.
    if (condition.lastTransitionTime) last.lastTransitionTime = condition.lastTransitionTime;
    return;
  }
  close(spans, at);
  const writer = statusWriter(note);
  spans.push({
    from: at,
    status: condition.status,
    reason,
    message: condition.message ?? '',
    ...(condition.lastTransitionTime === undefined || condition.lastTransitionTime === ''
      ? {}
      : { lastTransitionTime: condition.lastTransitionTime }),
    seq: note.seq,
    openStart: first && !(note.op === 'added' && !note.initial),
    ...(writer === undefined ? {} : { writer }),
  });
}

function close(spans: Draft[], at: number): void {
  const last = spans.at(-1);
  if (last !== undefined && last.to === undefined) last.to = at;
}

function finish(draft: Draft, gaps: readonly Span[]): ConditionSpan {
  const end = draft.to ?? Number.POSITIVE_INFINITY;
  const gap = gaps.some(({ from, to }) => from < end && (to ?? Number.POSITIVE_INFINITY) > draft.from);
  return { ...draft, gap, basis: observed };
}

/** Of which generation the status spoke, over time. */
export function generationSpans(notes: readonly VersionNote[]): ConditionsView['generations'] {
  const spans: { from: number; to?: number; generation: number; observed: number; seq: number }[] = [];
  for (const { generation, observedGeneration, at, seq } of notes) {
    if (generation === undefined || observedGeneration === undefined) continue;
    const last = spans.at(-1);
    if (last?.generation === generation && last.observed === observedGeneration) continue;
    if (last !== undefined) last.to = at.hi;
    spans.push({ from: at.hi, generation, observed: observedGeneration, seq });
  }
  return spans;
}

/** Accepted status writes, oldest first. The first version seen tells of none. */
export function statusWrites(notes: readonly VersionNote[]): ConditionsView['writes'] {
  return notes.flatMap((note) => {
    if (!wroteStatus(note)) return [];
    const manager = statusWriter(note)?.manager;
    return [
      {
        at: note.at.hi,
        refused: false,
        seq: note.seq,
        ...(manager === undefined ? {} : { manager }),
        basis: observed,
      },
    ];
  });
}

/** A value of a type at a moment, cut to what the usual duration is learnt from. */
export interface SeenStatus {
  readonly at: number;
  readonly conditions: readonly { readonly type: string; readonly status: string }[];
}

/**
 * How long a type took from not as it should be to as it should, over the versions of one object, ms. A stretch whose
 * beginning was not seen does not count.
 */
export function recoveries(
  versions: readonly SeenStatus[],
  polarity: (type: string) => Polarity = polarityOf,
): readonly { readonly type: string; readonly ms: number }[] {
  const bad = new Map<string, number>();
  const was = new Map<string, boolean>();
  const found: { type: string; ms: number }[] = [];
  for (const { at, conditions } of versions)
    for (const { type, status } of conditions) {
      const way = polarity(type);
      if (way === 'neutral') continue;
      const good = status === (way === 'positive' ? 'True' : 'False');
      const before = was.get(type);
      was.set(type, good);
      if (!good) {
        if (before === true) bad.set(type, at);
        continue;
      }
      const since = bad.get(type);
      bad.delete(type);
      if (since !== undefined) found.push({ type, ms: at - since });
    }
  return found;
}

/** Median and longest per type. */
export function usualOf(
  found: Iterable<{ readonly type: string; readonly ms: number }>,
): ReadonlyMap<string, Usual> {
  const byType = new Map<string, number[]>();
  for (const { type, ms } of found) byType.set(type, [...(byType.get(type) ?? []), ms]);
  return new Map(
    [...byType].map(([type, all]) => {
      const sorted = all.sort((a, b) => a - b);
      return [
        type,
        {
          medianMs: sorted[Math.floor(sorted.length / 2)] ?? 0,
          longestMs: sorted.at(-1) ?? 0,
          count: sorted.length,
        },
      ];
    }),
  );
}
