/** The conditions of one object over time, read from its versions in the session log. */
import type { ConditionsView } from '../../shared/contract/views/structure.ts';
import type { Basis } from '../../shared/model/basis.ts';
import type { ObjectKey } from '../../shared/model/ids.ts';
import { resourceName } from '../../shared/model/resource.ts';
import { lastStatusWrite } from '../why/cause.ts';
import { conditionTracks, generationSpans, statusWrites } from '../why/conditionTracks.ts';
import type { EngineSession } from './engineSession.ts';
import { objectRefView } from './objectViews.ts';
import { reconcilerOf } from './whyAround.ts';
import { keyNotesOf, usualOfKind, versionsOf } from './whyFacts.ts';
import { gapsOfKind } from './whyView.ts';

/** Writes sent to the window; the rest is counted. */
const writesShown = 400;

export function conditionsView(session: EngineSession | undefined, key: ObjectKey): ConditionsView {
  const object = objectRefView(key);
  const state = session?.index.get(key);
  const empty: ConditionsView = {
    object,
    known: state !== undefined,
    ...(session?.watching.detailOf(key) ?? { detail: 'metadata', upgrading: false }),
    tracks: [],
    generations: [],
    writes: [],
    writesTotal: 0,
    gaps: [],
  };
  if (session === undefined || state === undefined) return empty;
  const { log } = session.recorder;
  const notes = versionsOf(log, key);
  const resource = session.watching.resourceOfKind(object.kind, { group: object.group });
  const operator =
    resource === undefined ? undefined : reconcilerOf(session, resourceName(resource))?.operator;
  const gaps = gapsOfKind(session, object.group, resource?.resource);
  const usual = usualOfKind(log, session.index, { ...object, except: key }, session.clock.now());
  const tracks = conditionTracks(notes, gaps, usual);
  const { from: source, all: refused } = keyNotesOf(log).allRefusals({
    ...object,
    resource: resource?.resource ?? '',
  });
  const accepted =
    lastStatusWrite(notes, operator?.fieldManagers.value ?? [])?.at.hi ?? Number.NEGATIVE_INFINITY;
  const held = refused.filter(({ at, precise }) => at + (precise ? 0 : 999) > accepted);
  const [first] = held;
  const basis: Basis =
    source === 'audit' ? { kind: 'observed', from: source } : { kind: 'reported', from: source };
  const writes = [
    ...statusWrites(notes),
    ...refused.map(({ at, seq }) => ({ at, refused: true, seq, basis })),
  ].sort((a, b) => a.at - b.at);
  const from = notes[0]?.at.hi;
  return {
    ...empty,
    ...(from === undefined ? {} : { from }),
    tracks,
    generations: generationSpans(notes),
    ...(first === undefined || state.deleted
      ? {}
      : {
          held: {
            from: first.at,
            refusals: held.length,
            basis,
          },
        }),
    writes: writes.slice(-writesShown),
    writesTotal: writes.length,
    gaps: gaps.map(({ from: start, to }) => ({ from: start, ...(to === undefined ? {} : { to }) })),
  };
}
