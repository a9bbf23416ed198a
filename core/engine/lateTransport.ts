/**
 * LateTransport: the transport of a session that was there before its cluster could be reached again: what is asked
 * meanwhile is refused with the reason, and the real one takes its place when it comes.
 */
import { type Disposable, toDisposable } from '../../shared/base/disposable.ts';
import { Emitter } from '../../shared/base/emitter.ts';
import { err } from '../../shared/base/result.ts';
import type { KubeTransport, RequestTrace } from '../source/transport.ts';

export interface LateTransport extends KubeTransport {
  /** From now on requests go there. What was used before ends. */
  use(transport: KubeTransport): void;
  /** Nothing can be reached: what was used ends. */
  leave(): void;
}

export function createLateTransport(): LateTransport {
  const onRequest = new Emitter<RequestTrace>();
  let inner: { readonly transport: KubeTransport; readonly traces: Disposable } | undefined;
  /** What the user allowed, whichever transport is there. */
  const allowed = new Map<object, { readonly target: string; given: Disposable | undefined }>();

  function leave(): void {
    inner?.traces.dispose();
    inner?.transport.dispose();
    inner = undefined;
    for (const one of allowed.values()) one.given = undefined;
  }

  return {
    use(transport) {
      leave();
      inner = { transport, traces: transport.onRequest((trace) => onRequest.emit(trace)) };
      for (const one of allowed.values()) one.given = transport.allowPodMetrics?.(one.target);
    },
    leave,
    async request(request) {
      if (inner !== undefined) return inner.transport.request(request);
      return err({ code: 'unreachable', message: 'The cluster is not connected yet.' });
    },
    onRequest: (listener) => onRequest.on(listener),
    allowPodMetrics(target) {
      const key = {};
      allowed.set(key, { target, given: inner?.transport.allowPodMetrics?.(target) });
      return toDisposable(() => {
        allowed.get(key)?.given?.dispose();
        allowed.delete(key);
      });
    },
    dispose() {
      leave();
      onRequest.dispose();
    },
  };
}
