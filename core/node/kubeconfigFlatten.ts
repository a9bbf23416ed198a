/**
 * One context of a merged kubeconfig, checked and ready to connect with. A field we do not support is an error, never
 * ignored; relative paths are relative to the file that names them (client-go clientcmd loader.go, validation.go).
 */
import { dirname, isAbsolute, resolve, sep } from 'node:path';
import type { z } from 'zod';
import { err, ok, type Result } from '../../shared/base/result.ts';
import type { ContextSummary, ExecCommand } from '../../shared/contract/views/connection.ts';
import {
  type KubeconfigCluster,
  type KubeconfigUser,
  zKubeconfigCluster,
  zKubeconfigContext,
  zKubeconfigUser,
} from '../../shared/model/kubeconfig.ts';
import type { Kubeconfig, KubeconfigEntry, KubeconfigError } from './kubeconfigLoad.ts';

export interface FlatContext {
  readonly name: string;
  readonly clusterName: string;
  readonly userName: string;
  /** '' when the context sets none. */
  readonly namespace: string;
  readonly server: URL;
  /** Paths in it are absolute. */
  readonly cluster: KubeconfigCluster;
  /** Paths in it are absolute; that of a command only if it held a separator. */
  readonly user: KubeconfigUser;
  readonly userFile: string;
}

/** The context called `name`, or the current one. Reads no file but what the kubeconfig was read from. */
export function flattenContext(config: Kubeconfig, name?: string): Result<FlatContext, KubeconfigError> {
  const chosen = name ?? config.currentContext;
  const entry = config.contexts.get(chosen);
  if (entry === undefined) return err(noSuchContext(config, chosen));
  const context = check(zKubeconfigContext, entry, `context ${chosen}`);
  if (!context.ok) return context;
  const clusterName = context.value.cluster ?? '';
  const userName = context.value.user ?? '';
  const clusterEntry = config.clusters.get(clusterName);
  if (clusterEntry === undefined) return err(unnamed(entry, chosen, 'cluster', clusterName));
  const userEntry = config.users.get(userName);
  if (userEntry === undefined) return err(unnamed(entry, chosen, 'user', userName));
  const cluster = check(zKubeconfigCluster, clusterEntry, `cluster ${clusterName}`);
  if (!cluster.ok) return cluster;
  const user = check(zKubeconfigUser, userEntry, `user ${userName}`);
  if (!user.ok) return user;
  const server = parseServer(cluster.value.server ?? '', clusterEntry, clusterName);
  if (!server.ok) return server;
  const wrong = contradiction(user.value);
  if (wrong !== undefined) return err(problem('unsupported', userEntry, [], `user ${userName} ${wrong}`));
  return ok({
    name: chosen,
    clusterName,
    userName,
    namespace: context.value.namespace ?? '',
    server: server.value,
    cluster: withPaths(cluster.value, ['certificate-authority'], clusterEntry.file),
    user: withCommandPath(
      withPaths(user.value, ['client-certificate', 'client-key', 'tokenFile'], userEntry.file),
      userEntry.file,
    ),
    userFile: userEntry.file,
  });
}

/** How the context's user proves who it is, in the words of the window. */
export function authOf(flat: FlatContext): ContextSummary['auth'] {
  const { user } = flat;
  if (has(user.tokenFile)) return 'token file';
  if (has(user.token)) return 'token';
  if (has(user.username)) return 'basic';
  if (user.exec) return 'exec';
  if (user['auth-provider']) return user['auth-provider'].name === 'oidc' ? 'oidc' : 'unsupported';
  if (has(user['client-certificate']) || has(user['client-certificate-data'])) return 'client certificate';
  return 'none';
}

/** The command that would run for this context's credentials; undefined when none would. Values of env stay here. */
export function execCommandOf(flat: FlatContext): ExecCommand | undefined {
  const { exec } = flat.user;
  if (!exec || authOf(flat) !== 'exec' || flat.server.protocol !== 'https:') return undefined;
  return {
    command: exec.command,
    args: exec.args ?? [],
    envNames: (exec.env ?? []).map((entry) => entry.name),
    file: flat.userFile,
    user: flat.userName,
  };
}

export function has(text: string | undefined): text is string {
  return text !== undefined && text !== '';
}

function check<T extends z.ZodType>(
  schema: T,
  entry: KubeconfigEntry,
  what: string,
): Result<z.infer<T>, KubeconfigError> {
  const checked = schema.safeParse(entry.value ?? {});
  if (checked.success) return ok(checked.data);
  const issue = checked.error.issues[0];
  const path = (issue?.path ?? []).filter((step) => typeof step !== 'symbol');
  if (issue?.code === 'unrecognized_keys') {
    const at = [...path, ...issue.keys.slice(0, 1)];
    return err(
      problem('unsupported', entry, at, `${what} sets ${at.join('.')}, which Loopscope does not support`),
    );
  }
  return err(
    problem(
      'malformed',
      entry,
      path,
      `${path.join('.') || 'the entry'} of ${what} is not what a kubeconfig holds there`,
    ),
  );
}

/** Combinations kubectl refuses too. */
function contradiction(user: KubeconfigUser): string | undefined {
  const { exec } = user;
  if (has(user.token) && has(user.username)) return 'has both a token and a user name: only one is allowed';
  if (exec && user['auth-provider']) return 'has both exec and auth-provider: only one is allowed';
  if (user['auth-provider'] && user['auth-provider'].name !== 'oidc') {
    return `uses auth-provider ${user['auth-provider'].name}, which kubectl has dropped: use its exec plugin`;
  }
  if ((has(user['as-uid']) || user['as-groups']?.length || user['as-user-extra']) && !has(user.as)) {
    return 'impersonates a uid, groups or extra without a user (as)';
  }
  const cert = has(user['client-certificate']) || has(user['client-certificate-data']);
  const key = has(user['client-key']) || has(user['client-key-data']);
  if (cert && !key) return 'has a client certificate without its key';
  if (!exec) return undefined;
  if (exec.command === '') return 'has an exec plugin without a command';
  if (exec.apiVersion === 'client.authentication.k8s.io/v1' && !exec.interactiveMode) {
    return 'has an exec plugin without interactiveMode, which v1 demands';
  }
  if (!/^client\.authentication\.k8s\.io\/v1(beta1)?$/.test(exec.apiVersion ?? '')) {
    return 'has an exec plugin with an apiVersion other than client.authentication.k8s.io/v1 and v1beta1';
  }
  return undefined;
}

function parseServer(text: string, entry: KubeconfigEntry, cluster: string): Result<URL, KubeconfigError> {
  if (text === '') return err(problem('malformed', entry, ['server'], `cluster ${cluster} names no server`));
  // As client-go: an address without a scheme means http.
  const server = URL.parse(text.includes('://') ? text : `http://${text}`);
  if (
    server === null ||
    (server.protocol !== 'https:' && server.protocol !== 'http:') ||
    server.hostname === ''
  ) {
    return err(
      problem(
        'malformed',
        entry,
        ['server'],
        `the server of cluster ${cluster} is not an http or https address`,
      ),
    );
  }
  if (server.username !== '' || server.password !== '') {
    return err(
      problem(
        'unsupported',
        entry,
        ['server'],
        `the server of cluster ${cluster} holds a user name or password, which Loopscope does not support: they belong to the user`,
      ),
    );
  }
  server.search = '';
  server.hash = '';
  return ok(server);
}

function withPaths<T extends object>(value: T, fields: readonly (keyof T)[], file: string): T {
  const changed = { ...value };
  for (const field of fields) {
    const path = value[field];
    if (typeof path === 'string' && path !== '' && !isAbsolute(path)) {
      changed[field] = resolve(dirname(file), path) as T[keyof T];
    }
  }
  return changed;
}

function withCommandPath(user: KubeconfigUser, file: string): KubeconfigUser {
  if (!user.exec?.command.includes(sep)) return user;
  return { ...user, exec: withPaths(user.exec, ['command'], file) };
}

function problem(
  code: KubeconfigError['code'],
  entry: KubeconfigEntry,
  path: readonly (string | number)[],
  what: string,
): KubeconfigError {
  return { code, message: `In ${entry.file}, line ${entry.lineOf(path)}: ${what}.` };
}

function unnamed(
  entry: KubeconfigEntry,
  context: string,
  field: 'cluster' | 'user',
  name: string,
): KubeconfigError {
  const what =
    name === ''
      ? `context ${context} names no ${field}`
      : `context ${context} names the ${field} ${name}, which no kubeconfig file defines`;
  return problem('malformed', entry, [field], what);
}

function noSuchContext(config: Kubeconfig, name: string): KubeconfigError {
  const names = [...config.contexts.keys()].sort();
  const files = config.files
    .filter((file) => file.state === 'read')
    .map((file) => file.path)
    .join(', ');
  const choice = names.length === 0 ? 'It defines no context.' : `Choose one of: ${names.join(', ')}.`;
  const what =
    name === '' ? `${files} sets no current-context` : `There is no context named ${name} in ${files}`;
  return { code: 'no-such-context', message: `${what}. ${choice}` };
}
