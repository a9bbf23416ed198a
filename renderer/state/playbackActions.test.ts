import { describe, expect, it } from 'vitest';
import type { Playback } from '../../shared/contract/views/playback.ts';
import type { EngineClient } from '../client/engineClient.ts';
import { endedFile, playback as live, openedBehind, openedFile } from '../testing/incident/library.ts';
import { nextSpeed, restartPlayback, togglePlayback } from './playbackActions.ts';
import { attachEvidence, openSession, returnToPlace, startDemo } from './sessionsUi.ts';
import { createWindowStore } from './windowState.ts';

/** An engine that shows `playback` and writes down what it is asked; `answer` 'gone': nobody is there. */
function engineShowing(playback: Playback, answer: unknown = { ok: true }) {
  const calls: unknown[] = [];
  const engine = {
    value: () => ({ get: () => ({ state: 'ready', value: playback }) }),
    call(name: string, params: unknown) {
      calls.push([name, params]);
      return answer === 'gone' ? Promise.reject(new Error('gone')) : Promise.resolve(answer);
    },
  } as unknown as EngineClient;
  return { engine, calls };
}

describe('playback', () => {
  it('toggles between play and pause', async () => {
    const paused = engineShowing(openedFile);
    await togglePlayback(paused.engine);
    const playing = engineShowing(openedBehind);
    await togglePlayback(playing.engine);
    expect([...paused.calls, ...playing.calls]).toEqual([
      ['playback.set', { playing: true }],
      ['playback.set', { playing: false }],
    ]);
  });
  it('plays an ended recording from its start', async () => {
    const { engine, calls } = engineShowing(endedFile);
    await togglePlayback(engine);
    expect(calls).toEqual([
      ['playback.seek', { at: endedFile.from }],
      ['playback.set', { playing: true }],
    ]);
  });
  it('leaves a cluster alone, and does not reject without an engine', async () => {
    const cluster = engineShowing(live);
    await togglePlayback(cluster.engine);
    await restartPlayback(cluster.engine);
    expect(cluster.calls).toEqual([]);
    await expect(togglePlayback(engineShowing(openedFile, 'gone').engine)).resolves.toBeUndefined();
  });
  it('steps through the speeds and stays at their ends', () => {
    expect([nextSpeed(1, 1), nextSpeed(1, -1), nextSpeed(50, 1), nextSpeed(0.5, -1)]).toEqual([
      2, 0.5, 50, 0.5,
    ]);
    expect([nextSpeed(3, 1), nextSpeed(3, -1)]).toEqual([5, 2]);
  });
});

describe('opening', () => {
  const problem = { code: 'session-newer', message: 'Update Loopscope.' };
  it('keeps a refusal under the name the user knows, and closes the list', async () => {
    const { engine, calls } = engineShowing(live, { ok: false, problem });
    const store = createWindowStore({ landed: true });
    store.setState((s) => ({ sessions: { ...s.sessions, dialog: 'list' } }));
    expect(await openSession(engine, store, '/tmp/a/lab.loopscope')).toBe(false);
    expect(calls).toEqual([['session.open', { path: '/tmp/a/lab.loopscope' }]]);
    expect(store.getState()).toMatchObject({
      landed: true,
      sessions: { dialog: 'none', refused: { name: 'lab.loopscope', problem } },
    });
  });
  it('lets the window land once in a session that opened', async () => {
    const store = createWindowStore({ landed: true });
    expect(await openSession(engineShowing(live).engine, store, 'a.loopscope', 'an incident')).toBe(true);
    expect(store.getState()).toMatchObject({ landed: false, sessions: { refused: undefined } });
  });
  it('says so when nobody answers, and nothing when the user cancelled', async () => {
    const store = createWindowStore();
    await startDemo(engineShowing(live, 'gone').engine, store, 'hot-loop', 'Woken by its own write');
    expect(store.getState().sessions.refused).toEqual({
      name: 'Woken by its own write',
      problem: { code: 'engine', message: 'gone' },
    });
    const cancelled = { ok: false, problem: { code: 'cancelled', message: 'Cancelled.' } };
    await startDemo(engineShowing(live, cancelled).engine, store, 'hot-loop', 'x');
    expect(store.getState().sessions.refused).toBeUndefined();
  });
});

describe('the place before', () => {
  const place = { tab: 'queue', object: 'g/K/ns/a' } as const;
  const elsewhere = { place: { tab: 'why', object: 'g/K/ns/b' }, version: 7, landed: true } as const;
  it('is taken up again when the last recording is closed', async () => {
    const store = createWindowStore({ place, version: 3 });
    await openSession(engineShowing(live).engine, store, 'a.loopscope');
    store.setState(elsewhere);
    // A demo over the session: what counts is where the user was before both.
    await startDemo(engineShowing(openedFile).engine, store, 'hot-loop', 'x');
    returnToPlace(store);
    expect(store.getState()).toMatchObject({ place, version: 3, landed: false });
    store.setState(elsewhere);
    returnToPlace(store);
    expect(store.getState()).toMatchObject(elsewhere);
  });
  it('is not kept for what was not opened', async () => {
    const store = createWindowStore({ place });
    const refused = { ok: false, problem: { code: 'damaged', message: 'Damaged.' } };
    await openSession(engineShowing(live, refused).engine, store, 'a.loopscope');
    store.setState(elsewhere);
    returnToPlace(store);
    expect(store.getState()).toMatchObject(elsewhere);
  });
});

it('each kind of evidence has its own call', async () => {
  const { engine, calls } = engineShowing(live);
  for (const kind of ['log', 'metrics', 'audit', 'profile'] as const)
    expect(await attachEvidence(engine, { kind, where: 'x' })).toBeUndefined();
  expect(calls).toEqual([
    ['feed.attachLog', { path: 'x' }],
    ['feed.attachMetrics', { url: 'x' }],
    ['feed.attachAudit', { path: 'x' }],
    ['profile.load', { path: 'x' }],
  ]);
});
