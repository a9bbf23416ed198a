import { useCallback, useEffect, useState } from 'react';
import type { Contexts } from '../../../shared/contract/views/connection.ts';
import { replaceEqualDeep } from '../../client/replaceEqualDeep.ts';
import { useEngine } from '../../client/useEngine.tsx';

/** How often the files are looked at while the page is open, ms. */
const lookAgainMs = 3000;

export interface ContextsState {
  readonly value: Contexts | undefined;
  readonly error: string | undefined;
  readonly reading: boolean;
  readonly reload: () => void;
}

/** The file of `--kubeconfig`, when the list comes from it. */
export function flaggedFile(contexts: Contexts | undefined): string | undefined {
  return contexts?.origin === 'flag' ? contexts.files[0]?.path : undefined;
}

/**
 * The merged kubeconfig, read when the page opens and on demand; and while it is on screen, so that a card never shows
 * the address of before. What is read unasked says nothing when it fails.
 */
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
          setValue((before) => replaceEqualDeep(before, contexts));
          setError(undefined);
        },
        (reason: unknown) => setError(reason instanceof Error ? reason.message : String(reason)),
      )
      .finally(() => setReading(false));
  }, [engine]);
  useEffect(reload, [reload]);
  useEffect(() => {
    const look = () => {
      if (document.visibilityState !== 'visible') return;
      engine.call('contexts.list', {}).then(
        (contexts) => setValue((before) => replaceEqualDeep(before, contexts)),
        () => undefined,
      );
    };
    const timer = setInterval(look, lookAgainMs);
    window.addEventListener('focus', look);
    return () => {
      clearInterval(timer);
      window.removeEventListener('focus', look);
    };
  }, [engine]);
  return { value, error, reading, reload };
}
