/** Credentials of one kubeconfig user: static, from a file that is read again, from a plugin, or OIDC. */
import { readFileSync } from 'node:fs';
import type { Clock } from '../../shared/base/clock.ts';
import { err, ok, type Result } from '../../shared/base/result.ts';
import type { TransportError } from '../source/transport.ts';
import { type ExecClusterInfo, type ExecCredential, runExecPlugin } from './execPlugin.ts';
import { type FlatContext, has } from './kubeconfigFlatten.ts';
import type { CredentialValues, KubeCredentials } from './kubeTransport.ts';

export interface CredentialOptions {
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly execTimeoutMs?: number;
  /** Called before a plugin runs, each time; not called when none does. */
  readonly onExec?: () => void;
}

/** A file is read again this often: ServiceAccount tokens rotate. Source: client-go transport/token_source.go. */
const tokenFileMs = 10_000;
/** A plugin's token is renewed this long before it expires. */
const earlyMs = 5000;

/** Reads certificate files at once; a sentence when one cannot be read. Plugins run on first use. */
export function createCredentials(
  flat: FlatContext,
  options: CredentialOptions,
): Result<KubeCredentials, TransportError> {
  // As kubectl: over plain http nobody's credentials are sent.
  if (flat.server.protocol !== 'https:') return ok(fixed({ headers: {} }));
  const { user } = flat;
  const cert = dataOrFile(user['client-certificate-data'], user['client-certificate'], 'client certificate');
  if (!cert.ok) return cert;
  const key = dataOrFile(user['client-key-data'], user['client-key'], 'client key');
  if (!key.ok) return key;
  const base = {
    ...(cert.value === undefined ? {} : { cert: cert.value }),
    ...(key.value === undefined ? {} : { key: key.value }),
  };
  if (has(user.tokenFile)) return ok(new TokenFile(user.tokenFile, user.token, base, options.clock));
  if (has(user.token)) return ok(fixed({ ...base, headers: bearer(user.token) }));
  if (has(user.username)) {
    const login = Buffer.from(`${user.username}:${user.password ?? ''}`).toString('base64');
    return ok(fixed({ ...base, headers: { authorization: `Basic ${login}` } }));
  }
  if (user.exec) return ok(new ExecCredentials(flat, base, options));
  if (user['auth-provider']) return ok(new OidcCredentials(flat, base));
  return ok(fixed({ ...base, headers: {} }));
}

/** The certificate authority of the cluster, undefined for the system's. */
export function clusterAuthority(flat: FlatContext): Result<string | undefined, TransportError> {
  const { cluster } = flat;
  return dataOrFile(
    cluster['certificate-authority-data'],
    cluster['certificate-authority'],
    'certificate authority',
  );
}

type TlsIdentity = Omit<CredentialValues, 'headers'>;

function bearer(token: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${token.trim()}` };
}

function fixed(values: CredentialValues): KubeCredentials {
  return { current: () => Promise.resolve(ok(values)), refused: () => false, dispose() {} };
}

class TokenFile implements KubeCredentials {
  private readonly path: string;
  private readonly base: TlsIdentity;
  private readonly clock: Clock;
  private token: string | undefined;
  private readAt = Number.NEGATIVE_INFINITY;

  constructor(path: string, token: string | undefined, base: TlsIdentity, clock: Clock) {
    this.path = path;
    this.token = has(token) ? token : undefined;
    this.base = base;
    this.clock = clock;
  }

  current(): Promise<Result<CredentialValues, TransportError>> {
    if (this.clock.monotonic() - this.readAt >= tokenFileMs) this.read();
    if (this.token === undefined) {
      const message = `The token file ${this.path} cannot be read or is empty: check tokenFile of this context's user.`;
      return Promise.resolve(err({ code: 'unauthorized', message }));
    }
    return Promise.resolve(ok({ ...this.base, headers: bearer(this.token) }));
  }

  /** Worth another try only if the file holds another token by now. */
  refused(): boolean {
    const before = this.token;
    this.read();
    return this.token !== before;
  }

  dispose(): void {}

  private read(): void {
    this.readAt = this.clock.monotonic();
    const text = readText(this.path)?.trim();
    // A file being replaced may be gone for a moment: the last token stays.
    if (has(text)) this.token = text;
  }
}

class ExecCredentials implements KubeCredentials {
  private readonly flat: FlatContext;
  private readonly base: TlsIdentity;
  private readonly options: CredentialOptions;
  private kept: ExecCredential | undefined;
  private running: Promise<Result<ExecCredential, TransportError>> | undefined;
  private isFresh = false;

  constructor(flat: FlatContext, base: TlsIdentity, options: CredentialOptions) {
    this.flat = flat;
    this.base = base;
    this.options = options;
  }

  async current(): Promise<Result<CredentialValues, TransportError>> {
    const now = this.options.clock.now();
    if (this.kept?.expiresAt !== undefined && this.kept.expiresAt - earlyMs <= now) this.kept = undefined;
    if (this.kept === undefined) {
      this.running ??= this.run();
      const result = await this.running;
      if (!result.ok) return result;
      this.kept = result.value;
    } else this.isFresh = false;
    const { token, cert, key } = this.kept;
    return ok({
      ...this.base,
      ...(cert === undefined ? {} : { cert }),
      ...(key === undefined ? {} : { key }),
      headers: token === undefined ? {} : bearer(token),
    });
  }

  /** Drops the token. A plugin that ran for this very request would only give the same again. */
  refused(): boolean {
    this.kept = undefined;
    return !this.isFresh;
  }

  dispose(): void {
    this.kept = undefined;
  }

  private async run(): Promise<Result<ExecCredential, TransportError>> {
    const { exec } = this.flat.user;
    if (!exec) throw new Error('no exec plugin');
    this.options.onExec?.();
    const { clock, env, execTimeoutMs } = this.options;
    const result = await runExecPlugin(exec, {
      clock,
      env,
      cluster: exec.provideClusterInfo === true ? clusterInfo(this.flat) : undefined,
      ...(execTimeoutMs === undefined ? {} : { timeoutMs: execTimeoutMs }),
    });
    this.running = undefined;
    this.isFresh = true;
    return result;
  }
}

/** client.authentication.k8s.io Cluster, with the extension a plugin may be configured by. */
function clusterInfo(flat: FlatContext): ExecClusterInfo {
  const { cluster } = flat;
  const authority = clusterAuthority(flat);
  const pem = authority.ok ? authority.value : undefined;
  const config = cluster.extensions?.find(
    (one) => one.name === 'client.authentication.k8s.io/exec',
  )?.extension;
  return {
    server: cluster.server,
    ...(has(cluster['tls-server-name']) ? { 'tls-server-name': cluster['tls-server-name'] } : {}),
    ...(cluster['insecure-skip-tls-verify'] === true ? { 'insecure-skip-tls-verify': true } : {}),
    ...(pem === undefined ? {} : { 'certificate-authority-data': Buffer.from(pem).toString('base64') }),
    ...(has(cluster['proxy-url']) ? { 'proxy-url': cluster['proxy-url'] } : {}),
    ...(cluster['disable-compression'] === true ? { 'disable-compression': true } : {}),
    ...(config === undefined ? {} : { config }),
  };
}

class OidcCredentials implements KubeCredentials {
  private readonly flat: FlatContext;
  private readonly base: TlsIdentity;
  private provider: { getToken(user: unknown): Promise<string | null> } | undefined;

  constructor(flat: FlatContext, base: TlsIdentity) {
    this.flat = flat;
    this.base = base;
  }

  async current(): Promise<Result<CredentialValues, TransportError>> {
    const user = { name: this.flat.userName, authProvider: this.flat.user['auth-provider'] };
    try {
      // Half a second and 78 MB to load: only for who needs it.
      this.provider ??= new (
        await import('@kubernetes/client-node/dist/oidc_auth.js')
      ).OpenIDConnectAuth() as unknown as {
        getToken(user: unknown): Promise<string | null>;
      };
      const token = await this.provider.getToken(user);
      if (token) return ok({ ...this.base, headers: bearer(token) });
    } catch {
      // Its message may quote what the identity provider answered.
      return err({
        code: 'unauthorized',
        message: `The OIDC token of user ${this.flat.userName} could not be renewed: log in again.`,
      });
    }
    return err({
      code: 'unauthorized',
      message: `User ${this.flat.userName} has no OIDC id-token: log in first.`,
    });
  }

  refused(): boolean {
    return false;
  }

  dispose(): void {}
}

function dataOrFile(
  data: string | undefined,
  path: string | undefined,
  what: string,
): Result<string | undefined, TransportError> {
  if (has(data)) return ok(Buffer.from(data, 'base64').toString('utf8'));
  if (!has(path)) return ok(undefined);
  const text = readText(path);
  if (text !== undefined) return ok(text);
  return err({ code: 'tls', message: `The ${what} ${path} of this context cannot be read.` });
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
