/** The engine as commands use it: opened by the connection flags, fed by the feed flags, connected to one context. */
import { dirname, isAbsolute, join } from 'node:path';
import type { LiveSession } from '../core/engine/liveSession.ts';
import { createNodeEngine, type NodeEngine, type NodeEngineOptions } from '../core/node/createNodeEngine.ts';
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
  /** What the window opens by itself. */
  readonly autoOpen?: NodeEngineOptions['autoOpen'];
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
    ...(options.autoOpen === undefined ? {} : { autoOpen: options.autoOpen }),
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

interface FeedOptions {
  readonly profilePath?: string | undefined;
  readonly withLog?: boolean;
}

interface FeedPlan extends AttachedFeeds {
  readonly audit: string | undefined;
  readonly profile: { readonly file: ProfileFile; readonly path: string } | undefined;
}

/**
 * What --profile, --log, --audit and --metrics name, or the profile for them (relative to the profile). Everything is
 * checked, nothing is attached or contacted. A command that has its log otherwise takes none.
 */
export async function planFeeds(
  { host }: Pick<NodeEngine, 'host'>,
  args: ParsedArgs,
  options: FeedOptions = {},
): Promise<Result<FeedPlan, Problem>> {
  const profilePath = args.text('profile') ?? options.profilePath;
  let profile: FeedPlan['profile'];
  if (profilePath !== undefined) {
    const text = await host.readText(profilePath);
    if (!text.ok) return err({ ...text.error, code: 'profile-invalid' });
    const loaded = loadProfileFile(text.value, host.parseYaml, profilePath);
    if (!loaded.ok) return loaded;
    profile = { file: loaded.value, path: profilePath };
  }
  const sources = profile?.file.sources;
  const beside = (path: string) =>
    isAbsolute(path) || path === '-' ? path : join(dirname(profilePath ?? '.'), path);
  const named = args.text('log') ?? (sources?.log === undefined ? undefined : beside(sources.log));
  const log = options.withLog === false ? undefined : named;
  const audit = args.text('audit');
  for (const file of [log, audit]) {
    if (file === undefined) continue;
    const there = await host.feeds.probe(file);
    if (!there.ok) return there;
  }
  const metrics = args.text('metrics') ?? sources?.metrics;
  if (metrics === undefined) return ok({ log, audit, metrics, profile });
  const url = metricsUrl(metrics);
  if (!url.ok) return url;
  return ok({ log, audit, metrics: url.value.href, profile });
}

/** Attaches what planFeeds finds; nothing when any of it is wrong. */
export async function attachFeeds(
  { engine, host }: NodeEngine,
  args: ParsedArgs,
  options: FeedOptions = {},
): Promise<Result<AttachedFeeds, Problem>> {
  const planned = await planFeeds({ host }, args, options);
  if (!planned.ok) return planned;
  const { log, audit, metrics, profile } = planned.value;
  if (profile !== undefined) engine.setProfileFile(profile.file, profile.path);
  if (log !== undefined) {
    engine.attach({
      kind: log === '-' ? 'stdin' : 'log',
      label: log === '-' ? 'standard input' : log,
      start: (sink) => host.feeds.tail(log, sink),
    });
  }
  if (audit !== undefined) {
    engine.attach({ kind: 'audit', label: audit, start: (sink) => host.feeds.tail(audit, sink) });
  }
  if (metrics !== undefined) attachMetrics({ engine, host }, metrics);
  return ok({ log, metrics });
}

export function attachMetrics({ engine, host }: Pick<NodeEngine, 'engine' | 'host'>, url: string): void {
  engine.attach({ kind: 'metrics', label: url, start: (sink) => host.feeds.scrape(url, sink) });
}
