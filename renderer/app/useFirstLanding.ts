import { useEffect, useRef } from 'react';
import type { Finding } from '../../shared/model/finding.ts';
import { useTableOf, useValueOf } from '../client/useEngine.tsx';
import { useConnection } from '../state/useConnection.ts';
import { useController } from '../state/useOperator.ts';
import { useIsRecording } from '../state/usePlayback.ts';
import { useWindow, useWindowStore } from '../state/useWindow.tsx';
import type { Tab, WindowStore } from '../state/windowState.ts';

/** How long after the first sync what is wrong may still turn up, ms. */
const settleMs = 1000;

/** Where a window that was just connected opens: at an open error, else at keys that fail, else at what happens. */
export function landingTab(findings: readonly Finding[], failing: boolean): Tab {
  const hasError = findings.some(({ severity, closedAt }) => severity === 'error' && closedAt === undefined);
  return hasError ? 'findings' : failing ? 'queue' : 'events';
}

/** Takes the window once to what is wrong, right after the first sync, unless the user has touched anything before. */
export function useFirstLanding(): void {
  const store = useWindowStore();
  const landed = useWindow((s) => s.landed);
  const phase = useConnection()?.phase;
  const recording = useIsRecording();
  // A session is told to its moment before it is on screen.
  const live = phase === 'live' || recording;
  const controller = useController();
  const findings = useValueOf('findings', {}, (s) => s.value?.findings);
  const failing = useTableOf(
    'keys',
    landed || controller === undefined ? undefined : { controller: controller.name },
    ({ rows }) => rows.some((row) => row.failures > 0),
  );
  const tab = landingTab(findings ?? [], failing);
  const latest = useRef(tab);
  latest.current = tab;

  useEffect(() => {
    if (landed) return;
    const stay = () => store.setState({ landed: true });
    const events = ['pointerdown', 'keydown', 'wheel'] as const;
    for (const name of events) window.addEventListener(name, stay, { capture: true, passive: true });
    return () => {
      for (const name of events) window.removeEventListener(name, stay, { capture: true });
    };
  }, [landed, store]);

  useEffect(() => {
    if (landed || !live) return;
    const timer = setTimeout(() => land(store, latest.current), settleMs);
    return () => clearTimeout(timer);
  }, [landed, live, store]);

  // An error needs no waiting: nothing ranks before it.
  useEffect(() => {
    if (!landed && live && tab === 'findings') land(store, tab);
  }, [landed, live, tab, store]);
}

function land(store: WindowStore, tab: Tab): void {
  store.setState((state) => ({ landed: true, place: { ...state.place, tab } }));
}
