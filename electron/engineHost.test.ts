import { describe, expect, test } from 'vitest';
import { FakeClock, settlePromises } from '../core/testing/fakeClock.ts';
import { EngineHost, type EngineProcess } from './engineHost.ts';
import type { ToEngine } from './engineMessages.ts';

class ScriptedProcess implements EngineProcess<string> {
  readonly posted: { readonly message: ToEngine; readonly ports: readonly string[] }[] = [];
  killed = false;
  say: (message: unknown) => void = () => {};
  exit: (code: number) => void = () => {};

  post(message: ToEngine, ports: readonly string[]): void {
    this.posted.push({ message, ports });
  }
  onMessage(listener: (message: unknown) => void): void {
    this.say = listener;
  }
  onExit(listener: (code: number) => void): void {
    this.exit = listener;
  }
  kill(): void {
    this.killed = true;
    this.exit(15);
  }
  types(): string[] {
    return this.posted.map(({ message }) => message.type);
  }
}

function world() {
  const clock = new FakeClock(1_000);
  const processes: ScriptedProcess[] = [];
  const gone: number[] = [];
  let ports = 0;
  const host = new EngineHost<string>({
    clock,
    fork: () => {
      const process = new ScriptedProcess();
      processes.push(process);
      return process;
    },
    channel: () => {
      ports += 1;
      return { engine: `engine${ports}`, window: `window${ports}` };
    },
    request: { namespaces: [], kubeconfig: '/k', context: 'dev', log: '/l' },
    onGone: (_why, restartMs) => gone.push(restartMs),
    log: () => {},
  });
  const at = (index: number) => {
    const process = processes[index];
    if (process === undefined) throw new Error(`process ${index} was not started`);
    return process;
  };
  return { clock, host, processes, at, gone };
}

describe('EngineHost', () => {
  test('starts the process when a window asks, and brokers a port once it is ready', async () => {
    const { host, processes, at } = world();
    expect(processes).toHaveLength(0);
    const connecting = host.connect(false);
    expect(at(0).types()).toEqual(['start']);
    at(0).say({ type: 'ready' });
    expect(await connecting).toEqual({ connected: true, port: 'window1' });
    expect(at(0).posted.at(-1)).toEqual({ message: { type: 'window' }, ports: ['engine1'] });
    expect(await host.connect(false)).toEqual({ connected: true, port: 'window2' });
    expect(processes).toHaveLength(1);
  });

  test('after a crash: told with the pause, started again by itself with what the last one left', async () => {
    const { host, at, clock, gone, processes } = world();
    void host.connect(false);
    at(0).say({ type: 'ready' });
    at(0).say({ type: 'recovery', recovery: { live: 1 } });
    at(0).say({ type: 'recovery', recovery: { live: 2 } });
    at(0).say({ type: 'recording', recording: { context: 'dev', since: 5 } });
    expect(host.recording).toEqual({ context: 'dev', since: 5 });
    at(0).exit(9);
    expect(gone).toEqual([500]);
    expect(host.recording).toBeUndefined();
    expect(await host.connect(false)).toMatchObject({ connected: false, retryMs: 500 });
    await clock.advance(500);
    expect(processes).toHaveLength(2);
    // The command line's wishes were fulfilled once; only where the kubeconfig lies still counts.
    expect(at(1).posted[0]?.message).toEqual({
      type: 'start',
      request: { namespaces: [], kubeconfig: '/k' },
      recovery: { live: 2 },
    });
  });

  test('pauses grow with each crash and begin anew after a minute of work', async () => {
    const { host, at, clock, gone } = world();
    void host.connect(false);
    for (let round = 0; round < 7; round += 1) {
      at(round).say({ type: 'ready' });
      at(round).exit(1);
      await clock.advance(gone.at(-1) ?? 0);
    }
    expect(gone).toEqual([500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000]);
    await clock.advance(60_000);
    at(7).exit(1);
    expect(gone.at(-1)).toBe(500);
  });

  test('a window that hurries ends the pause', async () => {
    const { host, at, processes } = world();
    void host.connect(false);
    at(0).exit(1);
    const hurried = host.connect(true);
    expect(processes).toHaveLength(2);
    at(1).say({ type: 'ready' });
    expect(await hurried).toMatchObject({ connected: true });
  });

  test('an engine that ends while it starts is no connection, and no hang', async () => {
    const { host, at } = world();
    const connecting = host.connect(false);
    at(0).exit(7);
    expect(await connecting).toEqual({
      connected: false,
      why: 'The engine’s process ended by itself (code 7).'.replace('’', "'"),
      retryMs: 500,
    });
  });

  test('PATH goes to the process that runs and to every later one', async () => {
    const { host, at, clock } = world();
    void host.connect(false);
    host.setPath('/login/bin');
    expect(at(0).types()).toEqual(['start', 'path']);
    at(0).exit(1);
    await clock.advance(500);
    expect(at(1).types()).toEqual(['start', 'path']);
  });

  test('stop: asks once, waits for the end, starts nothing again', async () => {
    const { host, at, clock, processes } = world();
    void host.connect(false);
    at(0).say({ type: 'ready' });
    const stopped = host.stop();
    expect(host.stop()).toBe(stopped);
    expect(at(0).types()).toEqual(['start', 'stop']);
    at(0).exit(0);
    await stopped;
    await clock.advance(60_000);
    expect(processes).toHaveLength(1);
    expect(await host.connect(true)).toMatchObject({ connected: false });
  });

  test('an engine that does not end within five seconds is ended', async () => {
    const { host, at, clock } = world();
    void host.connect(false);
    let ended = false;
    void host.stop().then(() => {
      ended = true;
    });
    await clock.advance(4_999);
    expect([at(0).killed, ended]).toEqual([false, false]);
    await clock.advance(1);
    await settlePromises();
    expect([at(0).killed, ended]).toEqual([true, true]);
  });
});
