/**
 * Runs a credential plugin of a kubeconfig (client.authentication.k8s.io v1, v1beta1). Stricter than client-go: standard
 * input is closed, time is limited, and its whole process group ends with it. What it prints on standard error is kept
 * short and stripped of whatever could be a credential. Source: client-go plugin/pkg/client/auth/exec/exec.go.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Clock } from '../../shared/base/clock.ts';
import { err, ok, type Result } from '../../shared/base/result.ts';
import { type KubeconfigExec, zExecCredential } from '../../shared/model/kubeconfig.ts';
import type { TransportError } from '../source/transport.ts';

export interface ExecCredential {
  readonly token: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
  /** ms since the epoch; undefined: valid until refused. */
  readonly expiresAt: number | undefined;
}

/** What KUBERNETES_EXEC_INFO tells of the cluster, where the plugin asks for it. */
export type ExecClusterInfo = Readonly<Record<string, unknown>>;

export interface ExecOptions {
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cluster: ExecClusterInfo | undefined;
  /** Default 60 s. */
  readonly timeoutMs?: number;
}

const defaultTimeoutMs = 60_000;
const graceMs = 2000;
const maxOutput = 1024 * 1024;
const maxStderr = 4096;

/** Never throws; no message holds what the plugin printed on standard output, nor a value of its environment. */
export async function runExecPlugin(
  exec: KubeconfigExec,
  options: ExecOptions,
): Promise<Result<ExecCredential, TransportError>> {
  if (exec.interactiveMode === 'Always') {
    return failed(
      `${exec.command} needs a terminal (interactiveMode: Always), which Loopscope has not: log in with it in a shell first.`,
    );
  }
  const run = await runToEnd(exec, options);
  if (!run.ok) return run;
  return parseCredential(exec, run.value);
}

function runToEnd(exec: KubeconfigExec, options: ExecOptions): Promise<Result<string, TransportError>> {
  const timeoutMs = options.timeoutMs ?? defaultTimeoutMs;
  return new Promise((resolve) => {
    let child: ChildProcess;
    try {
      child = start(exec, options);
    } catch (error) {
      // A NUL in a name, an environment that is too large: thrown, not emitted.
      resolve(notStarted(exec, error));
      return;
    }
    let out = '';
    let complaint = '';
    let failure: Result<never, TransportError> | undefined;
    const give = (up: Result<never, TransportError>) => {
      if (failure !== undefined) return;
      failure = up;
      endGroup(child, 'SIGTERM');
      options.clock.setTimer(graceMs, () => {
        endGroup(child, 'SIGKILL');
        // A helper that left the group may hold the pipes open for ever.
        child.stdout?.destroy();
        child.stderr?.destroy();
        resolve(up);
      });
    };
    const timer = options.clock.setTimer(timeoutMs, () =>
      give(
        failed(
          `${exec.command} did not finish within ${timeoutMs / 1000} s: run it in a shell to see what it waits for.`,
        ),
      ),
    );
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      if (failure !== undefined) return;
      out += text;
      if (out.length > maxOutput)
        give(failed(`${exec.command} printed more than 1 MB instead of a credential.`));
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      complaint = (complaint + text).slice(-maxStderr);
    });
    child.once('error', (error) => {
      timer.dispose();
      resolve(notStarted(exec, error));
    });
    child.once('close', (code, signal) => {
      timer.dispose();
      if (failure !== undefined) resolve(failure);
      else if (code === 0) resolve(ok(out));
      else
        resolve(
          failed(
            `${exec.command} ended with ${code === null ? `signal ${signal}` : `exit code ${code}`}${said(complaint, exec)}`,
          ),
        );
    });
  });
}

function start(exec: KubeconfigExec, options: ExecOptions): ChildProcess {
  const info = {
    apiVersion: exec.apiVersion,
    kind: 'ExecCredential',
    spec: { ...(options.cluster === undefined ? {} : { cluster: options.cluster }), interactive: false },
  };
  return spawn(exec.command, exec.args ?? [], {
    env: {
      ...options.env,
      ...Object.fromEntries((exec.env ?? []).map((entry) => [entry.name, entry.value])),
      KUBERNETES_EXEC_INFO: JSON.stringify(info),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
    // A group of its own, so that a helper the plugin started ends with it.
    detached: process.platform !== 'win32',
  });
}

function endGroup(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  // The group may outlive the plugin itself: a helper it left behind.
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // All of it has ended.
  }
}

function parseCredential(exec: KubeconfigExec, output: string): Result<ExecCredential, TransportError> {
  let value: unknown;
  try {
    value = JSON.parse(output);
  } catch {
    return failed(`${exec.command} printed no ExecCredential: its output is not JSON.`);
  }
  const parsed = zExecCredential.safeParse(value);
  if (!parsed.success) {
    const at = parsed.error.issues[0]?.path.join('.') ?? '';
    return failed(`${exec.command} printed no valid ExecCredential${at === '' ? '' : ` (${at})`}.`);
  }
  const { apiVersion, status } = parsed.data;
  if (apiVersion !== exec.apiVersion) {
    return failed(
      `${exec.command} answered in another version (apiVersion) than the kubeconfig asks for, ${exec.apiVersion}.`,
    );
  }
  const { token, clientCertificateData: cert, clientKeyData: key } = status;
  if (!token && !cert && !key) return failed(`${exec.command} returned neither a token nor a certificate.`);
  if (!cert !== !key)
    return failed(`${exec.command} returned a certificate without key, or a key without certificate.`);
  const expires = status.expirationTimestamp ? Date.parse(status.expirationTimestamp) : undefined;
  if (Number.isNaN(expires))
    return failed(`${exec.command} returned an expirationTimestamp that is no time.`);
  return ok({
    token: token || undefined,
    cert: cert || undefined,
    key: key || undefined,
    expiresAt: expires,
  });
}

function notStarted(exec: KubeconfigExec, error: unknown): Result<never, TransportError> {
  const code = error instanceof Error ? ('code' in error ? String(error.code) : error.name) : 'unknown';
  if (code !== 'ENOENT') return failed(`${exec.command} cannot be run (${code}).`);
  const hint = exec.installHint
    ? ` ${clean(exec.installHint)}`
    : ' Install it, or correct the command in the kubeconfig.';
  return err({
    code: 'auth-plugin-missing',
    message: `The credential plugin ${exec.command} is not installed.${hint}`,
  });
}

function failed(message: string): Result<never, TransportError> {
  return err({ code: 'auth-plugin-failed', message: `The credential plugin ${message}` });
}

function said(stderr: string, exec: KubeconfigExec): string {
  let text = clean(stderr);
  for (const { value } of exec.env ?? []) if (value.length >= 4) text = text.replaceAll(value, '…');
  text = text.replace(
    /\b(bearer +|[\w-]*(?:token|pass|pw|secret|key|credential)[\w-]*["']?\s*[:=]\s*)\S+/gi,
    '$1…',
  );
  // Anything long without a space may be a token, a key or a signed URL.
  text = text.replace(/[^\s'"]{24,}/g, '…');
  if (text === '') return ' and said nothing: run it in a shell to see why.';
  return `: ${text.length > 200 ? `…${text.slice(-200)}` : text}`;
}

/** One line without escape sequences and control characters. */
function clean(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach a terminal
      .replace(/\u001b\[[0-9;?]*[ -/]*[@-~]/g, '')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach a terminal
      .replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')
      .trim()
  );
}
