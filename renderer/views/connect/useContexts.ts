import { useCallback, useEffect, useState } from 'react';
import type { Contexts } from '../../../shared/contract/views/connection.ts';
import { useEngine } from '../../client/useEngine.tsx';

export interface ContextsState {
  readonly value: Contexts | undefined;
  readonly error: string | undefined;
  readonly reading: boolean;
  readonly reload: () => void;
}

/** The merged kubeconfig, read when the page opens and again on demand. */
export function useContexts(): ContextsState {
  const engine = useEngine();
  const [value, setValue] = useState<Contexts | undefined>(undefined);
  const [error, setError] = useState<string | undefined>(undefined);
  const [reading, setReading] = useState(true);
  const reload = useCallback(() => {
    setReading(true);
    engine
      .call('contexts.list', {})
      .then(
        (contexts) => {
          setValue(contexts);
          setError(undefined);
        },
        (reason: unknown) => setError(reason instanceof Error ? reason.message : String(reason)),
      )
      .finally(() => setReading(false));
  }, [engine]);
  useEffect(reload, [reload]);
  return { value, error, reading, reload };
}
