/** The engine as commands use it: opened by the connection flags, fed by the feed flags, connected to one context. */
import { dirname, isAbsolute, join } from 'node:path';
import type { LiveSession } from '../core/engine/liveSession.ts';
import { createNodeEngine, type NodeEngine } from '../core/node/createNodeEngine.ts';
import { metricsUrl } from '../core/node/metricsScrape.ts';
import { loadProfileFile } from '../core/profile/load.ts';
import { err, ok, type Result } from '../shared/base/result.ts';
import type { Problem } from '../shared/contract/views/connection.ts';
import type { ProfileFile } from '../shared/model/profile.ts';
import type { ParsedArgs } from './args.ts';
import type { Io } from './io.ts';

export interface OpenOptions {
  /** Where sessions go: a file in the user's data folder, or nowhere. */
  readonly record: 'file' | 'memory';
  /** The window connects by itself. */
  readonly autoConnect?: boolean;
}

export function openEngine(args: ParsedArgs, io: Io, options: OpenOptions): NodeEngine {
  const context = args.text('context');
  const namespaces = args.list('namespace');
  const kubeconfig = args.text('kubeconfig');
  return createNodeEngine({
    env: io.env,
    record: options.record,
    log: (line) => io.note(`note: ${line}`),
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
    ...(options.autoConnect ? { autoConnect: { context, namespaces } } : {}),
  });
}

/** The context of --context, or the current one. Problems of the kubeconfig are the user's to correct. */
export function chosenContext({ host }: NodeEngine, args: ParsedArgs): Result<string, Problem> {
  const wanted = args.text('context');
  const list = host.contexts.list();
  if (list.problem !== undefined) return err(list.problem);
  const found = list.contexts.find((context) =>
    wanted === undefined ? context.current : context.name === wanted,
  );
  if (found === undefined) {
    const names = list.contexts.map((context) => context.name);
    const known = names.length === 0 ? 'It has no context.' : `It has: ${names.join(', ')}.`;
    return err({
      code: 'no-such-context',
      message:
        wanted === undefined
          ? `The kubeconfig has no current context. Give one with --context. ${known}`
          : `The kubeconfig has no context ${wanted}. ${known}`,
    });
  }
  return ok(found.name);
}

/** Connects; an explicit --context is consent to its credential plugin, once. */
export async function connect(node: NodeEngine, args: ParsedArgs): Promise<Result<LiveSession, Problem>> {
  const context = chosenContext(node, args);
  if (!context.ok) return context;
  const connected = await node.engine.connect({
    context: context.value,
    namespaces: args.list('namespace'),
    ...(args.has('context') ? { consent: 'once' as const } : {}),
  });
  if (connected.ok || connected.error.code !== 'auth-consent') return connected;
  return err({
    code: connected.error.code,
    message: `${connected.error.message} Name the context with --context ${context.value} to allow it.`,
  });
}

export interface AttachedFeeds {
  readonly log: string | undefined;
  readonly metrics: string | undefined;
}

/**
 * Loads --profile and attaches --log and --metrics, or what the profile names for them (relative to the profile).
 * Everything is checked before anything is contacted. A command that has its log otherwise takes none.
 */
export async function attachFeeds(
  { engine, host }: NodeEngine,
  args: ParsedArgs,
  options: { readonly profilePath?: string | undefined; readonly withLog?: boolean } = {},
): Promise<Result<AttachedFeeds, Problem>> {
  const profilePath = args.text('profile') ?? options.profilePath;
  let sources: ProfileFile['sources'];
  if (profilePath !== undefined) {
    const text = await host.readText(profilePath);
    if (!text.ok) return err({ ...text.error, code: 'profile-invalid' });
    const loaded = loadProfileFile(text.value, host.parseYaml, profilePath);
    if (!loaded.ok) return loaded;
    engine.setProfileFile(loaded.value, profilePath);
    sources = loaded.value.sources;
  }
  const beside = (path: string) =>
    isAbsolute(path) || path === '-' ? path : join(dirname(profilePath ?? '.'), path);
  const named = args.text('log') ?? (sources?.log === undefined ? undefined : beside(sources.log));
  const log = options.withLog === false ? undefined : named;
  if (log !== undefined) {
    const there = await host.feeds.probe(log);
    if (!there.ok) return there;
    engine.attach({
      kind: log === '-' ? 'stdin' : 'log',
      label: log === '-' ? 'standard input' : log,
      start: (sink) => host.feeds.tail(log, sink),
    });
  }
  const metrics = args.text('metrics') ?? sources?.metrics;
  if (metrics !== undefined) {
    const url = metricsUrl(metrics);
    if (!url.ok) return url;
    attachMetrics({ engine, host }, url.value.href);
  }
  return ok({ log, metrics });
}

export function attachMetrics({ engine, host }: Pick<NodeEngine, 'engine' | 'host'>, url: string): void {
  engine.attach({ kind: 'metrics', label: url, start: (sink) => host.feeds.scrape(url, sink) });
}
