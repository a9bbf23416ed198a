/** What keys, palette and the playback bar do to the recording on screen. Refusals change nothing on screen. */
import { speeds } from '../../shared/contract/views/playback.ts';
import type { EngineClient, MethodName, MethodParams } from '../client/engineClient.ts';
import { isRecording, shownPlayback } from './usePlayback.ts';

/** A window whose engine is gone says so in its banner: nobody is there to answer. */
async function ask<M extends MethodName>(
  engine: EngineClient,
  name: M,
  params: MethodParams<M>,
): Promise<void> {
  await engine.call(name, params).catch(() => undefined);
}

export async function togglePlayback(engine: EngineClient): Promise<void> {
  const playback = shownPlayback(engine);
  if (playback === undefined || !isRecording(playback)) return;
  if (playback.state === 'ended') await restartPlayback(engine);
  else await ask(engine, 'playback.set', { playing: playback.state !== 'playing' });
}

export async function restartPlayback(engine: EngineClient): Promise<void> {
  const from = shownPlayback(engine)?.from;
  if (from === undefined) return;
  await ask(engine, 'playback.seek', { at: from });
  await ask(engine, 'playback.set', { playing: true });
}

export async function setSpeed(engine: EngineClient, speed: number): Promise<void> {
  await ask(engine, 'playback.set', { speed });
}

/** The next speed of the contract's list above (1) or below (−1) `speed`; its end stays. */
export function nextSpeed(speed: number, step: 1 | -1): number {
  const all = step === 1 ? speeds : [...speeds].reverse();
  return all.find((each) => (step === 1 ? each > speed : each < speed)) ?? speed;
}

/** Back to the recording that runs behind, or to the start page. */
export async function closeShown(engine: EngineClient): Promise<void> {
  await ask(engine, 'session.close', {});
}
