/** What the window shows of a session, as plain values: to compare a played session with the live one it recorded. */

import type { ObjectKey } from '../../shared/model/ids.ts';
import type { EngineSession } from '../engine/engineSession.ts';

/** Times that only the host knows (how long work took) are left out. */
export function sessionViews(
  session: EngineSession,
  controllers: readonly string[],
  key: ObjectKey,
): unknown {
  const { operators, verdicts, shadows, informers, gaps, requests, events } = session;
  session.traces.settle();
  const { findings, notEvaluated } = verdicts.findings();
  const { sync: _sync, ...connection } = session.connection();
  const { id: _id, bytes: _bytes, ...stats } = session.stats();
  return plain({
    connection,
    sync: session
      .connection()
      .sync?.steps.map(({ ms: _ms, ...step }) => step)
      .sort(byId),
    stats,
    operators: operators.view(),
    findings: [...findings].sort(byId),
    notEvaluated,
    rbac: verdicts.rbac(),
    informers: [...informers.rows].sort(byId),
    gaps: [...gaps.rows].sort(byId),
    requests: requests.rows,
    feeds: session.feeds(),
    queues: controllers.map((name) => shadows.view(name)),
    keys: controllers.map((name) => [...shadows.keys(name).rows].sort((a, b) => (a.key < b.key ? -1 : 1))),
    predictions: controllers.map((name) => shadows.predictions(name).rows),
    spans: session.traces.spans({}).map(({ provisional: _provisional, ...span }) => span),
    revision: session.traces.revision().revision,
    events: events.recent({ text: '', initial: true, limit: 5000 }),
    history: session.history(key),
    hits: session.search('orders', 20),
    resources: session.watching.resources(),
    unreadable: session.watching.unreadable(),
  });
}

function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return a.id < b.id ? -1 : 1;
}

/** Absent and undefined are the same, as on the wire. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
