import { useEffect, useRef } from 'react';
import type { KeyRow } from '../../shared/contract/views/operators.ts';
import type { Finding } from '../../shared/model/finding.ts';
import { useTableOf, useValueOf } from '../client/useEngine.tsx';
import { useConnection } from '../state/useConnection.ts';
import { useController } from '../state/useOperator.ts';
import { useIsRecording } from '../state/usePlayback.ts';
import { useWindow, useWindowStore } from '../state/useWindow.tsx';
import type { Tab, WindowStore } from '../state/windowState.ts';
import { compareKeys } from './keyOrder.ts';

/** How long after the first sync what is wrong may still turn up, ms. */
const settleMs = 1000;

/**
 * Where a window that was just connected opens: at Why of the key that fails worst, else at an open error, else at what
 * happens.
 */
export function landingPlace(
  findings: readonly Finding[],
  worst: Pick<KeyRow, 'key' | 'object'> | undefined,
): { readonly tab: Tab; readonly object?: string } {
  if (worst !== undefined) return { tab: 'why', object: worst.object };
  return { tab: hasOpenError(findings) ? 'findings' : 'events' };
}

function hasOpenError(findings: readonly Finding[]): boolean {
  return findings.some(({ severity, closedAt }) => severity === 'error' && closedAt === undefined);
}

/** The key that fails worst; one that is only deleted, or works, does not fail. */
export function worstFailing(rows: readonly KeyRow[]): KeyRow | undefined {
  return rows.filter(({ failures, health }) => failures > 0 || health === 'failed').sort(compareKeys)[0];
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
  const worst = useTableOf(
    'keys',
    landed || controller === undefined ? undefined : { controller: controller.name },
    ({ rows }) => {
      const row = worstFailing(rows);
      return row && { key: row.key, object: row.object };
    },
  );
  const place = landingPlace(findings ?? [], worst);
  // An error and the key it makes fail need no waiting: nothing ranks before them.
  const sure = worst !== undefined && hasOpenError(findings ?? []);
  const latest = useRef({ place, worst });
  latest.current = { place, worst };

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
    const timer = setTimeout(() => land(store, latest.current.place, latest.current.worst?.key), settleMs);
    return () => clearTimeout(timer);
  }, [landed, live, store]);

  useEffect(() => {
    if (!landed && live && sure) land(store, latest.current.place, latest.current.worst?.key);
  }, [landed, live, sure, store]);
}

function land(
  store: WindowStore,
  place: ReturnType<typeof landingPlace>,
  queueKey: string | undefined,
): void {
  store.setState((state) => ({
    landed: true,
    place: { ...state.place, ...place },
    ...(queueKey === undefined ? {} : { queueKey }),
  }));
}
