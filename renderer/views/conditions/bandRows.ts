/** Conditions as bands: colour by polarity, what is held cut out of the stored span, the stretch of time shown. Pure. */
import type {
  ConditionSpan,
  ConditionsView,
  ConditionTrack,
} from '../../../shared/contract/views/structure.ts';
import type { BandRow, BandSpan, BandTone } from '../../widgets/ConditionBands.tsx';

/** Colour follows polarity (ui.md, "Colour"): Progressing True is progressing, False is grey. */
export function toneOf(polarity: ConditionTrack['polarity'], status: string): BandTone {
  if (status !== 'True' && status !== 'False') return 'unknown';
  if (polarity === 'neutral') return status === 'True' ? 'progressing' : 'neutral';
  return (status === 'True') === (polarity === 'positive') ? 'ok' : 'failed';
}

export interface BandWords {
  /** `False · Upgrading`. */
  readonly value: (status: string, reason: string) => string;
  readonly held: (value: string) => string;
  readonly name: (span: ConditionSpan, value: string) => string;
  readonly generation: (observed: number, generation: number) => string;
  readonly generationLabel: string;
}

/** Id of a band: `Ready:152240`, and `Ready:152240:held` for the part that cannot be updated. */
export function bandId(type: string, seq: number, held = false): string {
  return `${type}:${seq}${held ? ':held' : ''}`;
}

/** One row per type, spans in order; what is stored since the first refusal is a band of its own. */
export function bandRows(
  view: ConditionsView,
  words: BandWords,
  /** mini: what is past in one word, and conditions alone. */
  size: 'mini' | 'full',
): readonly BandRow[] {
  const rows: BandRow[] = view.tracks.map((track) => ({
    id: track.type,
    label: track.type,
    spans: track.spans.flatMap((span): BandSpan[] => {
      const tone = toneOf(track.polarity, span.status);
      const value = words.value(span.status, span.reason);
      const name = words.name(span, value);
      const band = {
        id: bandId(track.type, span.seq),
        from: span.from,
        to: span.to,
        tone,
        text: value,
        name,
      };
      const { held } = view;
      const past = size === 'mini' ? span.status : value;
      if (held === undefined || span.to !== undefined)
        return [{ ...band, text: span.to === undefined ? value : past }];
      const text = words.held(value);
      const rest: BandSpan = {
        ...band,
        id: bandId(track.type, span.seq, true),
        from: Math.max(span.from, held.from),
        text,
        name: `${text}. ${name}`,
        held: true,
      };
      return held.from <= span.from ? [rest] : [{ ...band, text: past, to: held.from }, rest];
    }),
  }));
  if (size === 'full' && view.generations.length > 0)
    rows.push({
      id: 'observedGeneration',
      label: words.generationLabel,
      spans: view.generations.map(({ from, to, generation, observed, seq }) => {
        const text = words.generation(observed, generation);
        return {
          id: bandId('observedGeneration', seq),
          from,
          to,
          tone: observed >= generation ? 'ok' : 'degraded',
          text,
          name: text,
        };
      }),
    });
  return rows;
}

/** The span a band belongs to. */
export function spanOfBand(
  view: ConditionsView,
  id: string | undefined,
): { readonly track: ConditionTrack; readonly span: ConditionSpan } | undefined {
  for (const track of view.tracks)
    for (const span of track.spans)
      if (id === bandId(track.type, span.seq) || id === bandId(track.type, span.seq, true))
        return { track, span };
  return undefined;
}

const minute = 60_000;

/**
 * What to show: from a little before what matters (the cause, the first refusal, the last change) to `until`, on whole
 * minutes where that is no loss; never before the object was first seen.
 */
export function bandRange(
  view: ConditionsView,
  now: number,
  about: { readonly causeAt?: number | undefined; readonly until: number },
): { readonly from: number; readonly to: number } {
  const first = view.from ?? now - 10 * minute;
  const changes = view.tracks.flatMap(({ spans }) =>
    spans.flatMap(({ from, openStart }) => (openStart ? [] : [from])),
  );
  const known = [about.causeAt, view.held?.from, ...lastOf(changes)].filter((at) => at !== undefined);
  const recent = known.filter((at) => at > now - 12 * 60 * minute);
  // Nothing happened: as far back as says something of its calm.
  const focus = Math.max(
    first,
    Math.min(now - minute, ...(recent.length === 0 ? [now - 30 * minute] : recent)),
  );
  const span = now - focus;
  const wanted = focus - span * 0.2;
  const unit = span > 4 * minute ? minute : 10_000;
  const from = Math.floor(Math.max(first, wanted) / unit) * unit;
  return { from, to: Math.max(about.until, from + unit) };
}

/** The newest change of each kind of moment: what changed longest ago of the newest few. */
function lastOf(changes: readonly number[]): readonly number[] {
  const newest = [...changes].sort((a, b) => b - a);
  const [latest] = newest;
  if (latest === undefined) return [];
  // Changes close to the newest belong to it.
  const group = newest.filter((at) => latest - at < 5 * minute);
  return [group.at(-1) ?? latest];
}
