/**
 * The one table of what a window or a CLI may ask of the engine. Schema first; types by inference.
 * methods: one call, one answer. values: a stream whose items are each the whole current value (small, at most 4 a
 * second). tables: a stream of rows with keys; the first item resets, later ones carry the difference.
 */
import { z } from 'zod';
import { zFinding, zNotEvaluated } from '../model/finding.ts';
import { zDepthSample, zPrediction, zPredictionOutcome, zQueueSnapshot } from '../model/queue.ts';
import { zRbacLens } from '../model/rbac.ts';
import { zSpanRow } from '../model/trace.ts';
import { defineApi, method, table, value } from './define.ts';
import { zConnection, zConnectParams, zContexts, zProblem, zSessionStats } from './views/connection.ts';
import {
  zEventFilter,
  zEventRow,
  zObjectDiff,
  zObjectDocument,
  zObjectHistory,
  zObjectHit,
} from './views/objects.ts';
import { zKeyRow, zOperators, zProfileEdit } from './views/operators.ts';
import { zDemo, zPlayback } from './views/playback.ts';
import { zLibrary, zRetention, zSessionRow } from './views/sessions.ts';
import { zFeedRow, zGapRow, zInformerRow, zRequestRow } from './views/sources.ts';
import { zConditionsView, zOwnershipView } from './views/structure.ts';
import {
  zControllerHistory,
  zModelCheck,
  zRecordRuns,
  zRevisionState,
  zSourceOffers,
  zSourceRow,
  zSpanQuery,
  zSpanView,
  zWalkQuery,
  zWalkView,
} from './views/traces.ts';
import { zWhyView } from './views/why.ts';

const zNothing = z.object({});
const zDone = z.union([
  z.object({ ok: z.literal(true) }),
  z.object({ ok: z.literal(false), problem: zProblem }),
]);
const zController = z.object({ controller: z.string() });

/** A prediction and, once known, how it came out. */
export const zPredictionRow = z.object({ prediction: zPrediction, outcome: zPredictionOutcome.optional() });
export type PredictionRow = Readonly<z.infer<typeof zPredictionRow>>;

export const zQueueView = z.object({
  controller: z.string(),
  snapshot: zQueueSnapshot.optional(),
  history: z.array(zDepthSample).readonly(),
  /** Why there is no model yet: no operator chosen, kinds not readable … */
  reason: z.string().optional(),
  /** The limiter does not explain what was seen: of the last `of` judged predictions, `missed` came at another time. */
  doubt: z
    .object({
      missed: z.number().int(),
      of: z.number().int(),
      /** Distances between two error lines of one key, ascending, ms. */
      gapsMs: z.array(z.number()).readonly(),
    })
    .optional(),
});
export type QueueView = Readonly<z.infer<typeof zQueueView>>;

export const zFindingsView = z.object({
  findings: z.array(zFinding).readonly(),
  notEvaluated: z.array(zNotEvaluated).readonly(),
});
export type FindingsView = Readonly<z.infer<typeof zFindingsView>>;

export const zRbacView = z.object({ lens: zRbacLens.optional(), reason: z.string().optional() });
export type RbacView = Readonly<z.infer<typeof zRbacView>>;

export const zAppInfo = z.object({
  version: z.string(),
  platform: z.string(),
  /** Wall clock of the engine's host, ms: what countdowns are measured against. */
  now: z.number(),
  node: z.string(),
  /** What the command line asked for. */
  autoConnect: z
    .object({ context: z.string().optional(), namespaces: z.array(z.string()).readonly() })
    .optional(),
  /** A session file or a demo that the command line or the desktop asked to open. */
  autoOpen: z
    .union([
      z.object({ session: z.string() }),
      z.object({ demo: z.string() }),
      z.object({ demos: z.literal(true) }),
    ])
    .optional(),
});
export type AppInfo = Readonly<z.infer<typeof zAppInfo>>;

export const engineApi = defineApi({
  methods: {
    'app.info': method(zNothing, zAppInfo),
    'contexts.list': method(zNothing, zContexts),
    'connection.connect': method(zConnectParams, zDone),
    'connection.cancel': method(zNothing, zDone),
    'connection.disconnect': method(zNothing, zDone),
    'connection.retry': method(zNothing, zDone),
    'object.open': method(z.object({ key: z.string() }), zObjectHistory),
    'object.diff': method(z.object({ from: z.number().int().optional(), to: z.number().int() }), zObjectDiff),
    'object.document': method(z.object({ seq: z.number().int() }), zObjectDocument),
    'object.search': method(
      z.object({ text: z.string(), limit: z.number().int().max(200) }),
      z.object({ hits: z.array(zObjectHit).readonly() }),
    ),
    'operator.choose': method(z.object({ id: z.string() }), zDone),
    'operator.useIdentity': method(
      z.object({ user: z.string(), controllers: z.array(z.string()).readonly() }),
      zDone,
    ),
    'profile.edit': method(zProfileEdit, zDone),
    'profile.load': method(z.object({ path: z.string() }), zDone),
    'feed.attachLog': method(z.object({ path: z.string() }), zDone),
    'feed.attachMetrics': method(z.object({ url: z.string() }), zDone),
    'feed.attachAudit': method(z.object({ path: z.string() }), zDone),
    /** Reads a whole audit file and ends; the past is derived again with it. */
    'feed.importAudit': method(z.object({ path: z.string() }), zDone),
    /** `consent`: the user allowed what the offer needs. */
    'feed.attachOffer': method(z.object({ id: z.string(), consent: z.boolean() }), zDone),
    'feed.detach': method(z.object({ id: z.string() }), zDone),
    /** Gives up deriving the past again; what is shown stays as it was. */
    'revision.cancel': method(zNothing, zDone),
    /** Derives the past again with the late records that are on record and not in the spans. */
    'revision.again': method(zNothing, zDone),
    /** Opens a session file beside a running recording, which goes on. */
    'session.open': method(z.object({ path: z.string() }), zDone),
    /** Leaves an opened session or a demo: back to the live recording, or to the start page. */
    'session.close': method(zNothing, zDone),
    'session.rename': method(z.object({ id: z.string(), name: z.string() }), zDone),
    'session.keep': method(z.object({ id: z.string(), kept: z.boolean() }), zDone),
    'session.delete': method(z.object({ id: z.string() }), zDone),
    /** Writes what is shown, as it is now, to a file of its own. `path` absent: among the sessions. */
    'session.save': method(
      z.object({ name: z.string(), path: z.string().optional() }),
      z.union([
        z.object({ ok: z.literal(true), path: z.string() }),
        z.object({ ok: z.literal(false), problem: zProblem }),
      ]),
    ),
    'library.setRetention': method(zRetention, zDone),
    'demo.list': method(zNothing, z.object({ demos: z.array(zDemo).readonly() })),
    'demo.start': method(z.object({ id: z.string() }), zDone),
    'playback.set': method(
      z.object({ playing: z.boolean().optional(), speed: z.number().positive().max(100).optional() }),
      zDone,
    ),
    /** Goes to a moment of an opened session or demo, ms; beyond its ends means the end. */
    'playback.seek': method(z.object({ at: z.number() }), zDone),
    'preferences.get': method(zNothing, z.object({ json: z.string() })),
    'preferences.set': method(z.object({ json: z.string() }), zDone),
  },
  values: {
    connection: value(zNothing, zConnection),
    session: value(zNothing, zSessionStats),
    operators: value(zNothing, zOperators),
    queue: value(zController, zQueueView),
    rbac: value(zNothing, zRbacView),
    findings: value(zNothing, zFindingsView),
    feeds: value(zNothing, z.object({ feeds: z.array(zFeedRow).readonly() })),
    history: value(z.object({ key: z.string() }), zObjectHistory),
    playback: value(zNothing, zPlayback),
    library: value(zNothing, zLibrary),
    why: value(z.object({ key: z.string() }), zWhyView),
    conditions: value(z.object({ key: z.string() }), zConditionsView),
    ownership: value(z.object({ key: z.string() }), zOwnershipView),
    span: value(z.object({ id: z.string() }), zSpanView),
    walk: value(zWalkQuery, zWalkView),
    /** In which run a record stands, and which one it woke. */
    runOf: value(z.object({ seq: z.number().int() }), zRecordRuns),
    revision: value(zNothing, zRevisionState),
    controllerHistory: value(zController, zControllerHistory),
    modelCheck: value(zController, zModelCheck),
    offers: value(zNothing, zSourceOffers),
  },
  tables: {
    events: table(zEventFilter, zEventRow, 'seq'),
    informers: table(zNothing, zInformerRow, 'id'),
    gaps: table(zNothing, zGapRow, 'id'),
    keys: table(zController, zKeyRow, 'key'),
    predictions: table(zController, zPredictionRow, 'prediction.id'),
    requests: table(zNothing, zRequestRow, 'id'),
    sessions: table(zNothing, zSessionRow, 'id'),
    spans: table(zSpanQuery, zSpanRow, 'id'),
    sources: table(zNothing, zSourceRow, 'id'),
  },
});
export type EngineApi = typeof engineApi;
