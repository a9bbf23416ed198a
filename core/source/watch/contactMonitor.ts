/**
 * ContactMonitor: whether there is contact with the API server as a whole. While every source has lost it, the server is
 * asked every few seconds whether it is back; then everyone tries at once instead of waiting for their own backoff.
 */
import type { Clock } from '../../../shared/base/clock.ts';
import type { Disposable } from '../../../shared/base/disposable.ts';
import type { ApiStatus } from '../listerWatcher.ts';
import type { KubeTransport } from '../transport.ts';
import type { Contact, SourceStatus } from './watchTypes.ts';

export interface ContactMonitorOptions {
  readonly transport: KubeTransport;
  readonly clock: Clock;
  readonly onChange: (contact: Contact) => void;
  /** The server answers again. */
  readonly onBack: () => void;
}

const firstAskMs = 1000;
const maxAskMs = 5000;
const askTimeoutMs = 5000;

export class ContactMonitor implements Disposable {
  private readonly options: ContactMonitorOptions;
  private readonly stop = new AbortController();
  private current: Contact = { kind: 'connected' };
  private timer: Disposable | undefined;
  private isAsking = false;
  private delayMs = firstAskMs;
  private attempt = 0;
  private nextTryAt: number | undefined;

  constructor(options: ContactMonitorOptions) {
    this.options = options;
  }

  get contact(): Contact {
    return this.current;
  }

  /** Looks at all sources; called whenever one changed. */
  update(sources: readonly SourceStatus[]): void {
    if (this.stop.signal.aborted) return;
    const lost = sources.filter((source) => source.state === 'lost' && isContactLost(source.error));
    const [worst] = lost;
    // While one is live the server is there: what the others lack is theirs.
    if (worst === undefined || sources.some((source) => source.state === 'live')) {
      this.timer?.dispose();
      this.timer = undefined;
      this.delayMs = firstAskMs;
      this.attempt = 0;
      this.nextTryAt = undefined;
      const wasLost = this.current.kind === 'lost';
      this.set({ kind: 'connected' });
      // The first one back may have tried before we asked: the others would sit out their own backoff.
      if (wasLost && worst !== undefined) this.options.onBack();
      return;
    }
    // A quiet source may have heard nothing for long; contact lasted as long as any of them heard something.
    const since = Math.max(...lost.map((source) => source.lostSince ?? source.since));
    if (this.timer === undefined && !this.isAsking) this.arm();
    this.set({ kind: 'lost', since, attempt: this.attempt, nextTryAt: this.nextTryAt, error: worst.error });
  }

  dispose(): void {
    this.stop.abort();
    this.timer?.dispose();
    this.timer = undefined;
  }

  private arm(): void {
    const { clock } = this.options;
    this.nextTryAt = clock.now() + this.delayMs;
    this.timer = clock.setTimer(this.delayMs, () => {
      this.timer = undefined;
      void this.ask();
    });
    this.delayMs = Math.min(maxAskMs, this.delayMs * 1.5);
  }

  private async ask(): Promise<void> {
    this.isAsking = true;
    this.attempt++;
    const { transport, onBack } = this.options;
    const request = {
      method: 'GET',
      path: '/readyz',
      timeoutMs: askTimeoutMs,
      signal: this.stop.signal,
    } as const;
    const answer = await transport.request(request);
    this.isAsking = false;
    if (this.stop.signal.aborted) return;
    const status = answer.ok ? answer.value.status : undefined;
    if (answer.ok) answer.value.dispose();
    // 5xx: there, but not ready. A refusal (401, 403) is an answer of a server that works.
    if (status !== undefined && status < 500) onBack();
    if (this.current.kind === 'connected') return;
    this.arm();
    this.set({ ...this.current, attempt: this.attempt, nextTryAt: this.nextTryAt });
  }

  private set(next: Contact): void {
    if (JSON.stringify(next) === JSON.stringify(this.current)) return;
    this.current = next;
    this.options.onChange(next);
  }
}

/** No answer at all, or one that refuses our credentials: not the failure of one resource. */
function isContactLost(error: ApiStatus | undefined): boolean {
  if (error === undefined) return false;
  return error.code === 401 || (error.code === 0 && error.reason !== 'VeryShortWatch');
}
