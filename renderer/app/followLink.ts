/** Goes to the moment that a `loopscope://` link names: its session if another is shown, then object, view, record, time. */
import type { EngineApi } from '../../shared/contract/api.ts';
import type { RowOf } from '../../shared/contract/define.ts';
import type { MomentLink } from '../../shared/model/momentLink.ts';
import type { EngineClient } from '../client/engineClient.ts';
import { openSession, setSessionsUi } from '../state/sessionsUi.ts';
import { goTo, selectSpan, tabs, type WindowStore } from '../state/windowState.ts';

type SessionRow = RowOf<EngineApi['tables']['sessions']>;

/** `refusal`: what is said when no session of this computer has the name. Never rejects. */
export async function followLink(
  engine: EngineClient,
  store: WindowStore,
  link: MomentLink,
  refusal: (name: string) => string,
): Promise<void> {
  const { session, object, seq, span, at } = link;
  if (session !== undefined) {
    const rows = await firstOf(engine.table('sessions', {}), (snapshot) =>
      snapshot.state === 'loading' ? undefined : snapshot.rows,
    );
    const row = rows.find(({ id }) => id === session);
    if (row === undefined) {
      const problem = { code: 'no-session', message: refusal(session) };
      setSessionsUi(store, { refused: { name: session, problem } });
      return;
    }
    if (!(await isShown(engine, row)) && !(await openSession(engine, store, row.path, row.name))) return;
  }
  const tab = tabs.find((one) => one === link.tab);
  if (object !== undefined || tab !== undefined) {
    goTo(store, { ...(object === undefined ? {} : { object }), tab: tab ?? 'why' });
  }
  if (seq !== undefined)
    store.setState(tab === 'timeline' ? { version: seq, against: undefined } : { eventSeq: seq });
  if (span !== undefined) selectSpan(store, span);
  store.setState({ landed: true });
  if (at !== undefined) await engine.call('playback.seek', { at }).catch(() => undefined);
}

/** The recording that goes on is shown live; a file is shown by its path. */
async function isShown(engine: EngineClient, row: SessionRow): Promise<boolean> {
  const playback = await firstOf(engine.value('playback', {}), ({ value }) => value);
  if (row.state === 'recording') return playback.origin === 'cluster';
  return playback.origin === 'file' && playback.path === row.path;
}

interface Readable<S> {
  get(): S;
  subscribe(listener: () => void): () => void;
}

/** The first answer that is there; listens until then. */
function firstOf<S, T>(replica: Readable<S>, read: (snapshot: S) => T | undefined): Promise<T> {
  return new Promise((resolve) => {
    const stop = replica.subscribe(() => look());
    function look(): void {
      const value = read(replica.get());
      if (value === undefined) return;
      queueMicrotask(stop);
      resolve(value);
    }
    look();
  });
}

/** Whether a link names anything at all that this window could go to: a view it does not know is nothing. */
export function leadsSomewhere({ tab, ...rest }: MomentLink): boolean {
  return tabs.some((one) => one === tab) || Object.values(rest).some((value) => value !== undefined);
}
