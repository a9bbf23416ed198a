/** What the window asks about sessions, and how it opens them. The library itself is the engine's. */
import type { Problem } from '../../shared/contract/views/connection.ts';
import type { EngineClient } from '../client/engineClient.ts';
import { isRecording, shownPlayback } from './usePlayback.ts';
import type { WindowState, WindowStore } from './windowState.ts';

export interface SessionsUi {
  /** The one dialog about sessions that is open. `open`: a file to open is asked for. */
  readonly dialog: 'none' | 'list' | 'save' | 'open';
  /** The panel of the recording, under its time in the top bar. */
  readonly panel: boolean;
  /** What could not be opened, by the name the user knows it by. */
  readonly refused: { readonly name: string; readonly problem: Problem } | undefined;
  /** The start page begins with the recorded incidents: asked for at start. */
  readonly demosFirst: boolean;
  /** What the start page was told of the operator; attached as soon as a cluster is on screen. */
  readonly evidence: readonly Evidence[];
  /** Where the user was before a session or demo came on screen: there again when it is closed. */
  readonly before: PlaceBefore | undefined;
}

/** What belongs to the thing that is looked at, and means nothing in another one. */
const placeFields = [
  'place',
  'back',
  'forward',
  'controller',
  'version',
  'against',
  'eventSeq',
  'informer',
  'queueKey',
  'rbacRow',
  'finding',
  'landed',
] as const;
export type PlaceBefore = Pick<WindowState, (typeof placeFields)[number]>;

export type EvidenceKind = 'log' | 'metrics' | 'audit' | 'profile';

export interface Evidence {
  readonly kind: EvidenceKind;
  /** A path on the engine's computer, for metrics a URL. */
  readonly where: string;
}

export const firstSessionsUi: SessionsUi = {
  dialog: 'none',
  panel: false,
  refused: undefined,
  demosFirst: false,
  evidence: [],
  before: undefined,
};

export function setSessionsUi(store: WindowStore, change: Partial<SessionsUi>): void {
  store.setState((state) => ({ sessions: { ...state.sessions, ...change } }));
}

/** Opens a session file beside what is recorded. A refusal is kept for the window to show; never rejects. */
export async function openSession(
  engine: EngineClient,
  store: WindowStore,
  path: string,
  name = lastPart(path),
): Promise<boolean> {
  const opened = await show(engine, store, name, () => engine.call('session.open', { path }));
  // Another recording: nothing chosen in the one before means anything, and the window may land once.
  if (opened)
    store.setState({
      landed: false,
      version: undefined,
      against: undefined,
      eventSeq: undefined,
      finding: undefined,
    });
  return opened;
}

export async function startDemo(
  engine: EngineClient,
  store: WindowStore,
  id: string,
  name: string,
): Promise<boolean> {
  return show(engine, store, name, () => engine.call('demo.start', { id }));
}

/** Attaches one piece of evidence to the connection; never rejects. */
export async function attachEvidence(
  engine: EngineClient,
  { kind, where }: Evidence,
): Promise<Problem | undefined> {
  const answer = await attach(engine, kind, where).catch((error: unknown) => ({
    ok: false as const,
    problem: { code: 'engine', message: error instanceof Error ? error.message : String(error) },
  }));
  return answer.ok ? undefined : answer.problem;
}

function attach(engine: EngineClient, kind: EvidenceKind, where: string) {
  switch (kind) {
    case 'log':
      return engine.call('feed.attachLog', { path: where });
    case 'metrics':
      return engine.call('feed.attachMetrics', { url: where });
    case 'audit':
      return engine.call('feed.attachAudit', { path: where });
    case 'profile':
      return engine.call('profile.load', { path: where });
  }
}

async function show(
  engine: EngineClient,
  store: WindowStore,
  name: string,
  ask: () => Promise<{ readonly ok: true } | { readonly ok: false; readonly problem: Problem }>,
): Promise<boolean> {
  const { before } = store.getState().sessions;
  const leaves = before === undefined && !isRecording(shownPlayback(engine));
  setSessionsUi(store, {
    dialog: 'none',
    panel: false,
    refused: undefined,
    ...(leaves ? { before: placeOf(store.getState()) } : {}),
  });
  const answer = await ask().catch((error: unknown) => ({
    ok: false as const,
    problem: { code: 'engine', message: error instanceof Error ? error.message : String(error) },
  }));
  if (!answer.ok && answer.problem.code !== 'cancelled')
    setSessionsUi(store, { refused: { name, problem: answer.problem } });
  if (!answer.ok && leaves) setSessionsUi(store, { before: undefined });
  return answer.ok;
}

function placeOf(state: WindowState): PlaceBefore {
  return Object.fromEntries(placeFields.map((field) => [field, state[field]])) as unknown as PlaceBefore;
}

/** Goes back to where the user was before the session or demo that was just closed. */
export function returnToPlace(store: WindowStore): void {
  const { before } = store.getState().sessions;
  if (before === undefined) return;
  store.setState(before);
  setSessionsUi(store, { before: undefined });
}

export function lastPart(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}
