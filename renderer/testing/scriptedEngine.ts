/**
 * An engine that tells the invented incident of the pictures and stands still: for screenshots, for work on the window
 * without a cluster, for tests of the window against the real contract. Everything goes through client and serve.
 */
import type { Clock } from '../../shared/base/clock.ts';
import { toDisposable } from '../../shared/base/disposable.ts';
import { type EngineApi, engineApi } from '../../shared/contract/api.ts';
import { type Client, createClient } from '../../shared/contract/client.ts';
import { createPairTransport } from '../../shared/contract/pairTransport.ts';
import { type Handlers, serve } from '../../shared/contract/serve.ts';
import type { TableFeed } from '../../shared/contract/streams.ts';
import type { Connection } from '../../shared/contract/views/connection.ts';
import { eventSchema } from '../../shared/contract/views/eventFilter.ts';
import type { Playback } from '../../shared/contract/views/playback.ts';
import { compileFilter } from '../../shared/model/filter.ts';
import { conditionsOf } from './incident/conditions.ts';
import * as connection from './incident/connection.ts';
import * as findings from './incident/findings.ts';
import * as library from './incident/library.ts';
import * as objects from './incident/objects.ts';
import { keys, operators } from './incident/operator.ts';
import { emptyQueue, predictions, queueView } from './incident/queue.ts';
import * as rbac from './incident/rbac.ts';
import * as sourcePage from './incident/sourcePage.ts';
import * as sources from './incident/sources.ts';
import { ownershipOf } from './incident/structure.ts';
import { moment } from './incident/time.ts';
import * as tooMuch from './incident/tooMuch.ts';
import * as traces from './incident/traces.ts';
import { forbiddenWhy, whyOf } from './incident/why.ts';

export const scriptedStates = [
  'busy',
  'empty',
  'failing',
  'forbidden',
  'lost',
  'loading',
  'syncing',
  'consent',
  'idle',
  'nokubeconfig',
  'closed',
  'toomuch',
  'opened',
  'ended',
  'behind',
  'demo',
  'opening',
  'diskfull',
  'watchesonly',
  'deriving',
  'revised',
  'underived',
] as const;
export type ScriptedState = (typeof scriptedStates)[number];

const connections: Readonly<Record<ScriptedState, Connection>> = {
  busy: connection.live,
  empty: connection.live,
  failing: connection.failed,
  forbidden: connection.live,
  lost: connection.lost,
  loading: connection.live,
  syncing: connection.syncing,
  consent: connection.consent,
  idle: connection.idle,
  nokubeconfig: connection.idle,
  closed: connection.live,
  toomuch: connection.live,
  opened: connection.idle,
  ended: connection.idle,
  behind: connection.live,
  demo: connection.idle,
  opening: connection.idle,
  diskfull: connection.live,
  watchesonly: connection.live,
  deriving: connection.live,
  revised: connection.live,
  underived: connection.live,
};

const revisions: Readonly<Partial<Record<ScriptedState, typeof sourcePage.revision>>> = {
  deriving: sourcePage.deriving,
  revised: sourcePage.revised,
  underived: sourcePage.derivingCancelled,
};

const playbacks: Readonly<Partial<Record<ScriptedState, Playback>>> = {
  idle: library.nothingShown,
  nokubeconfig: library.nothingShown,
  consent: library.nothingShown,
  failing: library.nothingShown,
  opened: library.openedFile,
  ended: library.endedFile,
  behind: library.openedBehind,
  demo: library.demoPlaying,
  opening: library.openingFile,
};

const done = { ok: true } as const;

/** A client of the scripted engine in the given state. `preferences` is what preferences.get answers. */
export function createScriptedClient(
  state: ScriptedState,
  clock: Clock,
  preferences = '',
): Client<EngineApi> {
  const [windowEnd, engineEnd] = createPairTransport();
  serve(engineApi, handlersFor(state, preferences), engineEnd, {
    clock,
    onBug(where, error) {
      throw new Error(`scripted engine, ${where}: ${String(error)}`);
    },
  });
  return createClient(engineApi, windowEnd);
}

export function handlersFor(state: ScriptedState, preferences: string): Handlers<EngineApi> {
  const quiet = state === 'loading';
  const empty = state === 'empty';
  const forbidden = state === 'forbidden';
  const much = state === 'toomuch';
  function emit<T>(value: T, send: (value: T) => void) {
    if (!quiet) send(value);
    return toDisposable(() => {});
  }
  function rows<Row>(list: readonly Row[], total = list.length): TableFeed<Row> {
    return { snapshot: () => list, total: () => total, dispose() {} };
  }
  return {
    methods: {
      'app.info': () => ({ version: '0.1.0', platform: 'linux', now: moment, node: 'v24.21.0' }),
      'contexts.list': () => (state === 'nokubeconfig' ? connection.noContexts : connection.contexts),
      'connection.connect': () => done,
      'connection.cancel': () => done,
      'connection.disconnect': () => done,
      'connection.retry': () => done,
      'object.open': ({ key }) => objects.historyOf(key),
      'object.diff': ({ to, from }) => objects.diffOf(to, from),
      'object.document': ({ seq }) => objects.documentOf(seq),
      'object.search': ({ text, limit }) => ({
        hits: objects.searchable
          .filter((o) => `${o.kind} ${o.namespace}/${o.name}`.toLowerCase().includes(text.toLowerCase()))
          .slice(0, limit)
          .map((object, index) => ({ object, versions: (index % 6) + 1, deleted: false })),
      }),
      'operator.choose': () => done,
      'operator.useIdentity': () => done,
      'profile.edit': ({ field }) =>
        field === 'limiter'
          ? done
          : { ok: false, problem: { code: 'scripted', message: 'This gallery keeps no edits.' } },
      'profile.load': () => done,
      'feed.attachLog': ({ path }) => missing(path),
      'feed.attachMetrics': () => done,
      'feed.attachAudit': ({ path }) => missing(path),
      'feed.detach': () => done,
      'session.open': () => done,
      'session.close': () => done,
      'session.rename': () => done,
      'session.keep': () => done,
      'session.delete': () => done,
      'session.save': ({ name }) => ({ ok: true, path: `/home/ada/${name}.loopscope` }),
      'library.setRetention': () => done,
      'demo.list': () => ({ demos: library.demos }),
      'demo.start': () => done,
      'playback.set': () => done,
      'playback.seek': () => done,
      'feed.importAudit': ({ path }) => missing(path),
      'feed.attachOffer': () => done,
      'revision.cancel': () => done,
      'revision.again': () => done,
      'preferences.get': () => ({ json: preferences }),
      'preferences.set': () => done,
    },
    values: {
      connection: (_, send) => {
        send(connections[state]);
        return toDisposable(() => {});
      },
      session: (_, send) =>
        emit(
          state === 'diskfull'
            ? connection.pausedSession
            : { ...connection.session, ...(empty ? { gaps: 0, records: 412 } : {}) },
          send,
        ),
      operators: (_, send) =>
        emit(empty ? { operators: [], problems: [] } : { ...operators, problems: [] }, send),
      queue: ({ controller }, send) =>
        emit(
          empty || controller !== 'database'
            ? { ...emptyQueue, controller }
            : forbidden
              ? {
                  controller,
                  history: [],
                  reason: 'Databases cannot be listed: 403. Without them there is nothing to queue.',
                }
              : much
                ? tooMuch.manyWaiting
                : queueView,
          send,
        ),
      rbac: (_, send) =>
        emit(
          empty
            ? { reason: 'choose-operator' }
            : forbidden
              ? rbac.unreadableRbac
              : state === 'closed'
                ? rbac.cleanRbac
                : much
                  ? tooMuch.manyNeeds
                  : rbac.rbacView,
          send,
        ),
      findings: (_, send) =>
        emit(
          empty
            ? findings.noFindings
            : forbidden
              ? findings.unjudged
              : state === 'closed'
                ? findings.closedFindings
                : much
                  ? tooMuch.manyFindings
                  : findings.findingsView,
          send,
        ),
      feeds: (_, send) => emit({ feeds: empty ? [] : sources.feeds }, send),
      history: ({ key }, send) => emit(much ? tooMuch.longHistoryOf(key) : objects.historyOf(key), send),
      playback: (_, send) => emit(playbacks[state] ?? library.playback, send),
      library: (_, send) => emit(library.info, send),
      why: ({ key }, send) => emit(forbidden ? forbiddenWhy(key) : whyOf(key), send),
      conditions: ({ key }, send) => emit(conditionsOf(forbidden ? '' : key), send),
      ownership: ({ key }, send) => emit(ownershipOf(key), send),
      span: ({ id }, send) => emit(empty ? { id, state: 'unknown' } : traces.spanOf(id), send),
      walk: (query, send) =>
        emit(empty || forbidden ? { reason: traces.noWalk(forbidden) } : traces.walkOf(query), send),
      runOf: ({ seq }, send) => emit(empty || forbidden ? { seq } : traces.runsOf(seq), send),
      revision: (_, send) => emit(revisions[state] ?? sourcePage.revision, send),
      controllerHistory: ({ controller }, send) =>
        emit(
          empty || forbidden
            ? sourcePage.emptyHistory(controller)
            : sourcePage.historyOf(controller, state === 'watchesonly' ? 'spans' : undefined),
          send,
        ),
      modelCheck: ({ controller }, send) =>
        emit(
          empty || forbidden
            ? { controller, rows: [], reason: 'no-operator' }
            : sourcePage.modelCheckOf(controller, state !== 'watchesonly'),
          send,
        ),
      offers: (_, send) =>
        emit(
          empty
            ? sourcePage.formsOnly
            : forbidden
              ? sourcePage.forbiddenOffers
              : much
                ? sourcePage.manyOffers
                : sourcePage.offers,
          send,
        ),
    },
    tables: {
      events: ({ text, limit }) => {
        const { test } = compileFilter(text, eventSchema);
        const all = much ? tooMuch.manyEvents(limit) : objects.events;
        return rows(empty || quiet ? [] : all.filter(test), much ? 184_213 : undefined);
      },
      informers: () =>
        rows(
          forbidden
            ? sources.forbiddenInformers
            : empty
              ? sources.calmInformers
              : much
                ? tooMuch.manyInformers
                : sources.informers,
        ),
      gaps: () => rows(empty || forbidden ? [] : sources.gaps),
      keys: () => rows(empty || forbidden ? [] : much ? tooMuch.manyKeys : keys),
      predictions: () => rows(empty || forbidden ? [] : predictions),
      requests: () => rows(sources.requests),
      spans: (query) => {
        const found = empty || forbidden || quiet ? [] : traces.find(query, much);
        return rows(found.slice(0, query.limit), found.length);
      },
      sources: () =>
        rows(
          empty
            ? []
            : forbidden
              ? sourcePage.forbiddenSources
              : much
                ? sourcePage.manySources
                : state === 'watchesonly'
                  ? sourcePage.watchesOnly
                  : revisions[state] !== undefined
                    ? sourcePage.importedSources
                    : sourcePage.sourceRows,
        ),
      sessions: () =>
        rows(
          empty
            ? []
            : connections[state].phase === 'live'
              ? [library.recordingRow, ...library.sessions]
              : library.sessions,
        ),
    },
  };
}

function missing(path: string) {
  const message = `There is no file ${path}. Check the path; it is read on the computer where Loopscope runs.`;
  return { ok: false as const, problem: { code: 'not-found', message } };
}
