/**
 * LateTransport: the transport of a session that was there before its cluster could be reached again: what is asked
 * meanwhile is refused with the reason, and the real one takes its place when it comes.
 */
import type { Disposable } from '../../shared/base/disposable.ts';
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

  function leave(): void {
    inner?.traces.dispose();
    inner?.transport.dispose();
    inner = undefined;
  }

  return {
    use(transport) {
      leave();
      inner = { transport, traces: transport.onRequest((trace) => onRequest.emit(trace)) };
    },
    leave,
    async request(request) {
      if (inner !== undefined) return inner.transport.request(request);
      return err({ code: 'unreachable', message: 'The cluster is not connected yet.' });
    },
    onRequest: (listener) => onRequest.on(listener),
    dispose() {
      leave();
      onRequest.dispose();
    },
  };
}
