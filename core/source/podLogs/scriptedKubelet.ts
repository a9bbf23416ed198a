/**
 * A scripted kubelet behind a KubeTransport, for tests: the log of one container, whose instances write, end and are
 * started again, whose files rotate, and whose answers break. The allow-list stands before it as before a real one.
 */
import { ok, type Result } from '../../../shared/base/result.ts';
import { checkAllowed } from '../allowList.ts';
import {
  type KubeResponse,
  type KubeTransport,
  type TransportError,
  TransportFailure,
} from '../transport.ts';

interface Instance {
  /** Of the file that is served; lines that rotated away are not in it. */
  lines: string[];
  running: boolean;
}

interface OpenAnswer {
  push(line: string): void;
  /** `how`: the connection breaks, or the answer ends as if that were all, possibly in a line. */
  end(how: 'reset' | 'clean' | { readonly inLine: string }): void;
}

export class ScriptedKubelet implements KubeTransport {
  /** Paths asked for, in order. */
  readonly requests: string[] = [];
  /** Answers instead of lines, first come first served. */
  readonly refusals: { readonly status: number; readonly body: string; readonly retryAfter?: string }[] = [];
  down = false;
  private readonly instances: Instance[] = [];
  private readonly answers = new Set<OpenAnswer>();

  start(): void {
    this.instances.push({ lines: [], running: true });
  }

  /** `2026-05-01T08:00:00.000000001Z text`, as the runtime stamped it. */
  write(...stamped: readonly string[]): void {
    this.current().lines.push(...stamped);
    for (const answer of this.answers) for (const line of stamped) answer.push(line);
  }

  /** The container ends; its log stays until it was started twice more. */
  exit(): void {
    this.current().running = false;
    this.cut('clean');
  }

  cut(how: Parameters<OpenAnswer['end']>[0]): void {
    for (const answer of this.answers) answer.end(how);
    this.answers.clear();
  }

  /** The file is renamed and a new one begun: what was in it is served no longer. */
  rotate(): void {
    this.current().lines = [];
  }

  get following(): number {
    return this.answers.size;
  }

  onRequest(): { dispose(): void } {
    return { dispose: () => undefined };
  }

  dispose(): void {}

  async request(
    request: Parameters<KubeTransport['request']>[0],
  ): Promise<Result<KubeResponse, TransportError>> {
    checkAllowed(request);
    this.requests.push(request.path);
    if (this.down) return { ok: false, error: { code: 'refused', message: 'Nothing listens.' } };
    const refusal = this.refusals.shift();
    if (refusal !== undefined) return ok(answerOf(refusal.status, refusal.body, refusal.retryAfter));
    const query = new Map(
      (request.path.split('?')[1] ?? '').split('&').map((part) => {
        const [name = '', value = ''] = part.split('=');
        return [name, decodeURIComponent(value)] as const;
      }),
    );
    const isPrevious = query.get('previous') === 'true';
    const instance = this.instances.at(isPrevious ? -2 : -1);
    if (instance === undefined) {
      const body = JSON.stringify({
        kind: 'Status',
        message: isPrevious
          ? 'previous terminated container "manager" in pod "p" not found'
          : 'container "manager" in pod "p" is waiting to start: ContainerCreating',
      });
      return ok(answerOf(400, body));
    }
    const since = query.get('sinceTime');
    const from = since === undefined ? Number.NEGATIVE_INFINITY : Date.parse(since);
    const lines = instance.lines.filter((line) => !(Date.parse(line.split(' ')[0] ?? '') < from));
    const follows = query.get('follow') === 'true' && instance.running && !isPrevious;
    return ok(this.stream(lines, follows, request.signal));
  }

  private current(): Instance {
    const last = this.instances.at(-1);
    if (last === undefined) throw new Error('the container was not started');
    return last;
  }

  private stream(first: readonly string[], follows: boolean, signal: AbortSignal | undefined): KubeResponse {
    const queue = [...first];
    let ended: Parameters<OpenAnswer['end']>[0] | undefined = follows ? undefined : 'clean';
    let wake: (() => void) | undefined;
    let endedInLine = false;
    const answer: OpenAnswer = {
      push(line) {
        queue.push(line);
        wake?.();
      },
      end(how) {
        ended ??= how;
        wake?.();
      },
    };
    if (follows) this.answers.add(answer);
    signal?.addEventListener('abort', () => answer.end('reset'));
    const leave = () => void this.answers.delete(answer);
    return {
      status: 200,
      get endedInLine() {
        return endedInLine;
      },
      header: () => undefined,
      text: () => Promise.reject(new Error('a stream')),
      async *lines() {
        for (;;) {
          const line = queue.shift();
          if (line !== undefined) {
            yield line;
            continue;
          }
          if (ended === 'reset')
            throw new TransportFailure({ code: 'reset', message: 'The connection broke.' });
          if (typeof ended === 'object') {
            endedInLine = true;
            yield ended.inLine;
          }
          if (ended !== undefined) return;
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      },
      dispose: leave,
    };
  }
}

function answerOf(status: number, body: string, retryAfter?: string): KubeResponse {
  return {
    status,
    header: (name) => (name === 'retry-after' ? retryAfter : undefined),
    text: async () => body,
    // biome-ignore lint/correctness/useYield: an answer without lines
    async *lines() {
      throw new Error('read as text');
    },
    dispose: () => undefined,
  };
}
