import { useEffect, useState, useSyncExternalStore } from 'react';
import type { MethodName, MethodParams, MethodResult } from './engineClient.ts';
import { useEngine } from './useEngine.tsx';

export interface CallState<T> {
  readonly state: 'loading' | 'ready' | 'failed';
  /** The last answer: stays while the next one is on its way, `for` says which parameters it belongs to. */
  readonly value: T | undefined;
  readonly error: string | undefined;
}

/** Asks a method whenever its parameters change or another engine answers; the answer before stays on screen until the next one is there. */
export function useCall<M extends MethodName>(
  name: M,
  params: MethodParams<M> | undefined,
): CallState<MethodResult<M>> {
  const engine = useEngine();
  const id = params === undefined ? undefined : JSON.stringify(params);
  const [answer, setAnswer] = useState<CallState<MethodResult<M>>>(nothing);
  const attachment = useSyncExternalStore(engine.onAttach, engine.attachment, engine.attachment);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new engine is asked again
  useEffect(() => {
    if (id === undefined) {
      setAnswer(nothing);
      return;
    }
    const abort = new AbortController();
    setAnswer((before) => ({ ...before, state: 'loading' }));
    engine.call(name, JSON.parse(id) as MethodParams<M>, { signal: abort.signal }).then(
      (value) => setAnswer({ state: 'ready', value, error: undefined }),
      (error: unknown) => {
        if (abort.signal.aborted) return;
        const message = error instanceof Error ? error.message : String(error);
        setAnswer({ state: 'failed', value: undefined, error: message });
      },
    );
    return () => abort.abort();
  }, [engine, name, id, attachment]);
  return answer;
}

const nothing: CallState<never> = { state: 'loading', value: undefined, error: undefined };
