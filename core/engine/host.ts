/**
 * What the engine needs from the machine it runs on. core/node/createNodeEngine.ts gives the real one; tests give
 * scripted ones. Everything impure enters here.
 */
import type { Clock } from '../../shared/base/clock.ts';
import type { Disposable } from '../../shared/base/disposable.ts';
import type { Result } from '../../shared/base/result.ts';
import type { Contexts, ExecCommand, Problem } from '../../shared/contract/views/connection.ts';
import type { ParseYaml } from '../profile/load.ts';
import type { SessionLog } from '../session/record.ts';
import type { KubeTransport } from '../source/transport.ts';
import type { DemoShelf, SessionLibrary } from './library.ts';

export interface EngineHost {
  readonly clock: Clock;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly version: string;
  readonly platform: string;
  readonly node: string;
  readonly contexts: ContextSource;
  readonly feeds: FeedHost;
  readonly preferences: { get(): string; set(json: string): Result<void, Problem> };
  /**
   * Starts a new session, stamped with what it is recorded from; with `resume`, the path of a session file that a crash
   * left behind, goes on in that one where it can. Never fails: see stats().paused.
   */
  openSession(stamp: { readonly context: string; readonly server: string }, resume?: string): SessionLog;
  readonly library: SessionLibrary;
  readonly demos: DemoShelf;
  /** Keyed digest for what must not reach the disk; the key dies with the process. */
  readonly digest: (text: string) => string;
  readonly parseYaml: ParseYaml;
  toYaml(value: unknown): string;
  readText(path: string): Promise<Result<string, Problem>>;
  /** A bug in a derivation: the record is kept, what it would have changed is not; the session goes on. */
  onBug(where: string, error: unknown): void;
  /** For what a person should know and no view shows. Never a credential. */
  log(line: string): void;
}

export interface ContextSource {
  list(): Contexts;
  /** `context` '' means the current one. Nothing is contacted but what the credentials need. Problem code `auth-consent` carries the command. */
  open(
    context: string,
    consent: 'once' | 'always' | undefined,
  ): Promise<Result<OpenContext, Problem & { readonly consent?: ExecCommand }>>;
}

export interface OpenContext {
  /** Its name; where '' was asked for, the current context's. */
  readonly context: string;
  readonly transport: KubeTransport;
  readonly server: string;
  /** Name of the kubeconfig's user entry; who we are to the server comes from SelfSubjectReview. */
  readonly user: string;
  /** The context's namespace, `default` when it has none. */
  readonly namespace: string;
}

/** One line of a feed. `receivedAt` is our clock at the moment the bytes were there, ms. */
export interface FeedLine {
  readonly text: string;
  readonly receivedAt: number;
  /** It stood there before we looked: when it was written, only the line itself can tell. */
  readonly backlog: boolean;
  /** When it was written by the clock of who keeps it (the container runtime of a node), ms with fractions. */
  readonly at?: number;
}

export interface FeedSink {
  lines(lines: readonly FeedLine[]): void;
  /**
   * The feed lost something: rotation, truncation, an overrun. `restart`: the file is read from its beginning again.
   * `from`: what is missing lies between there and `at`; default: at `at`.
   */
  gap(text: string, at: number, restart?: boolean, from?: number): void;
  state(state: 'waiting' | 'live' | 'ended' | 'failed', detail: string, problem?: Problem): void;
}

export interface FeedHost {
  /** Whether a file is there and may be read; '-' always is. A sentence otherwise. */
  probe(path: string): Promise<Result<void, Problem>>;
  /** Follows a file from its start; '-' is standard input. */
  tail(path: string, sink: FeedSink): Disposable;
  /** Reads a whole file, in slices, and ends. */
  read(path: string, sink: FeedSink): Disposable;
  /** Scrapes a URL every few seconds; each scrape is one line with the whole text. */
  scrape(url: string, sink: FeedSink): Disposable;
}
