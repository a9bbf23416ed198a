import { useMemo } from 'react';
import type { SessionRow } from '../../../shared/contract/views/sessions.ts';
import { useTable } from '../../client/useEngine.tsx';
import { orderSessions } from './sessionWords.ts';

export interface SessionsState {
  readonly state: 'loading' | 'ready' | 'failed';
  /** Newest first. */
  readonly rows: readonly SessionRow[];
  readonly error: string | undefined;
}

export function useSessions(): SessionsState {
  const table = useTable('sessions', {});
  const rows = useMemo(() => orderSessions(table.rows, { by: 'started', down: true }), [table.rows]);
  const error = table.state === 'failed' ? (table.error ?? '') : undefined;
  return { state: table.state, rows, error };
}
