/** What the palette offers, in groups, best first. */
import { useContext, useEffect, useMemo, useState } from 'react';
import type { EventRow, ObjectHit } from '../../shared/contract/views/objects.ts';
import type { KeyRow } from '../../shared/contract/views/operators.ts';
import { linkScheme, type MomentLink, parseMomentLink } from '../../shared/model/momentLink.ts';
import { useEngine, useTableOf, useValueOf } from '../client/useEngine.tsx';
import { type Command, commands } from '../commands.ts';
import { useI18n } from '../i18n/i18n.tsx';
import { ClockContext } from '../state/clock.ts';
import { useController } from '../state/useOperator.ts';
import { isRecording } from '../state/usePlayback.ts';
import { useWindow } from '../state/useWindow.tsx';
import type { Place } from '../state/windowState.ts';
import { leadsSomewhere } from './followLink.ts';
import { rank, readMoment, readRecord } from './paletteRank.ts';
import { useCommandContext } from './useShortcuts.ts';

export type PaletteGroup = 'link' | 'moment' | 'recent' | 'key' | 'object' | 'view' | 'command';

export type Entry = { readonly id: string; readonly group: PaletteGroup } & (
  | { readonly kind: 'object'; readonly hit: ObjectHit }
  | { readonly kind: 'key'; readonly row: KeyRow }
  | { readonly kind: 'command'; readonly command: Command }
  | { readonly kind: 'place'; readonly place: Place }
  /** `near`: the last change held that is not after it. */
  | { readonly kind: 'record'; readonly seq: number; readonly near: EventRow | undefined }
  | { readonly kind: 'time'; readonly at: number; readonly near: EventRow | undefined }
  | { readonly kind: 'link'; readonly link: MomentLink | undefined }
);

export interface PaletteEntries {
  readonly entries: readonly Entry[];
  /** Objects are still looked for; what stands there answers the text before. */
  readonly searching: boolean;
  readonly failed: string | undefined;
}

const most: Readonly<Record<PaletteGroup, number>> = {
  link: 1,
  moment: 2,
  recent: 5,
  key: 6,
  object: 12,
  view: 9,
  command: 40,
};
/** Which group goes first when both fit as well. */
const groupOrder: readonly PaletteGroup[] = ['link', 'moment', 'recent', 'key', 'object', 'view', 'command'];

export function usePaletteEntries(text: string): PaletteEntries {
  const { t } = useI18n();
  const context = useCommandContext();
  const clock = useContext(ClockContext);
  const controller = useController();
  const search = useObjectHits(text, context.connected);
  const keys = useTableOf(
    'keys',
    controller === undefined || !context.connected ? undefined : { controller: controller.name },
    (s) => s.rows,
  );
  const here = useWindow((s) => s.place);
  const back = useWindow((s) => s.back);
  const seq = readRecord(text);
  const range = useValueOf('playback', {}, ({ value }) =>
    isRecording(value) ? { from: value?.from ?? 0, to: value?.to ?? 0 } : undefined,
  );
  const at = readMoment(text, range, clock.now());
  const near = useNearest(seq, at);
  const entries = useMemo<readonly Entry[]>(() => {
    const asked = text.trim();
    if (asked.startsWith(`${linkScheme}:`)) {
      const link = parseMomentLink(asked);
      const named = link !== undefined && leadsSomewhere(link) ? link : undefined;
      return [{ id: 'link', group: 'link', kind: 'link', link: named }];
    }
    const scored: { readonly entry: Entry; readonly score: number }[] = [];
    function offer(entry: Entry, title: string) {
      const score = asked === '' ? 1 : rank(asked, title);
      if (score > 0) scored.push({ entry, score });
    }
    if (seq !== undefined && context.connected)
      scored.push({ entry: { id: `record ${seq}`, group: 'moment', kind: 'record', seq, near }, score: 200 });
    if (at !== undefined && context.connected)
      // In a recording the moment itself is gone to, live the last change before it.
      scored.push({
        entry: { id: `time ${at}`, group: 'moment', kind: 'time', at, near: range ? undefined : near },
        score: 200,
      });
    if (asked === '') {
      for (const place of recentPlaces(back, here))
        offer({ id: `place ${place.tab} ${place.object}`, group: 'recent', kind: 'place', place }, '');
    } else {
      for (const row of keys) offer({ id: `key ${row.object}`, group: 'key', kind: 'key', row }, row.key);
      const known = new Set(keys.map((row) => row.object));
      for (const [index, hit] of search.hits.entries()) {
        if (known.has(hit.object.key)) continue;
        const { kind, namespace, name } = hit.object;
        // The engine's own order counts: it knows more than the letters of the name.
        const score = Math.max(1, rank(asked, `${namespace}/${name} ${kind}`)) - index / 100;
        scored.push({
          entry: { id: `object ${hit.object.key}`, group: 'object', kind: 'object', hit },
          score,
        });
      }
    }
    for (const command of commands) {
      if (command.keyOnly === true || (command.when !== undefined && !command.when(context))) continue;
      const group = command.id.startsWith('tab.') ? 'view' : 'command';
      offer({ id: `command ${command.id}`, group, kind: 'command', command }, t(command.title));
    }
    return grouped(scored);
  }, [text, seq, at, range, near, keys, search.hits, back, here, context, t]);
  return { entries, searching: search.searching, failed: search.failed };
}

/** Entries by group: the group with the best entry first, inside one the best first, each group cut to its most. */
function grouped(scored: readonly { readonly entry: Entry; readonly score: number }[]): readonly Entry[] {
  const groups = groupOrder
    .map((group) => {
      const members = scored.filter(({ entry }) => entry.group === group);
      return { members: members.sort((a, b) => b.score - a.score).slice(0, most[group]) };
    })
    .filter(({ members }) => members.length > 0);
  // Array.sort keeps the order of equals, so that groupOrder decides between them.
  groups.sort((a, b) => Math.round((b.members[0]?.score ?? 0) - (a.members[0]?.score ?? 0)));
  return groups.flatMap(({ members }) => members.map(({ entry }) => entry));
}

/** Newest first, each once, without where the window is. */
function recentPlaces(back: readonly Place[], here: Place): readonly Place[] {
  const seen = new Set([`${here.tab} ${here.object}`]);
  return [...back].reverse().filter((place) => {
    const id = `${place.tab} ${place.object}`;
    if (seen.has(id)) return false;
    seen.add(id);
    return true;
  });
}

/** The last change that is held and not after the record or moment. Nothing is asked for while neither is meant. */
function useNearest(seq: number | undefined, at: number | undefined): EventRow | undefined {
  const asked = seq !== undefined || at !== undefined;
  return useTableOf('events', asked ? { text: '', initial: true, limit: 5000 } : undefined, ({ rows }) => {
    let found: EventRow | undefined;
    for (const row of rows) {
      const counts = seq === undefined ? row.at <= (at ?? 0) : row.seq <= seq;
      if (counts && (found === undefined || row.seq > found.seq)) found = row;
    }
    return found;
  });
}

interface Search {
  readonly hits: readonly ObjectHit[];
  readonly searching: boolean;
  readonly failed: string | undefined;
}

/** Hits for the text, asked once the typing rests for 80 ms; what is on screen stays until the answer is there. */
function useObjectHits(text: string, connected: boolean): Search {
  const engine = useEngine();
  const [search, setSearch] = useState<Search>(nothing);
  useEffect(() => {
    if (!connected || text.trim() === '') {
      setSearch(nothing);
      return;
    }
    const abort = new AbortController();
    setSearch((before) => ({ ...before, searching: true }));
    const timer = setTimeout(() => {
      engine.call('object.search', { text: text.trim(), limit: most.object }, { signal: abort.signal }).then(
        (answer) => setSearch({ hits: answer.hits, searching: false, failed: undefined }),
        (error: unknown) => {
          if (abort.signal.aborted) return;
          setSearch({
            hits: [],
            searching: false,
            failed: error instanceof Error ? error.message : String(error),
          });
        },
      );
    }, 80);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [engine, text, connected]);
  return search;
}

const nothing: Search = { hits: [], searching: false, failed: undefined };
