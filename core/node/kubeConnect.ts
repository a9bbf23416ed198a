/** From a flattened context to a transport: TLS, proxy, credentials, impersonation, and consent before a program runs. */
import type { Clock } from '../../shared/base/clock.ts';
import { err, ok, type Result } from '../../shared/base/result.ts';
import type { ExecCommand } from '../../shared/contract/views/connection.ts';
import type { KubeconfigUser } from '../../shared/model/kubeconfig.ts';
import type { AllowListGrants } from '../source/allowList.ts';
import type { KubeTransport, TransportError } from '../source/transport.ts';
import { clusterAuthority, createCredentials } from './kubeCredentials.ts';
import { execCommandOf, type FlatContext, has } from './kubeconfigFlatten.ts';
import { proxyFor } from './kubeProxy.ts';
import { createKubeTransport } from './kubeTransport.ts';

/** Which commands were agreed to for good. The host keeps it; keys are opaque and hold no credential. */
export interface ConsentStore {
  has(key: string): boolean;
  add(key: string): void;
}

export interface CreateTransportOptions {
  readonly clock: Clock;
  readonly version: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `once`: for this transport; `always`: remembered for this kubeconfig, command and arguments. */
  readonly consent?: 'once' | 'always' | undefined;
  readonly consents?: ConsentStore;
  readonly grants?: AllowListGrants;
  readonly execTimeoutMs?: number;
}

/** `exec` comes with code `auth-consent`: the command to show before it may run. */
export type ConnectError = TransportError & { readonly exec?: ExecCommand };

/** Contacts nobody and runs nothing yet: both happen with the first request. */
export function createTransport(
  flat: FlatContext,
  options: CreateTransportOptions,
): Result<KubeTransport, ConnectError> {
  const refused = askConsent(flat, options);
  if (refused !== undefined) return err(refused);
  const { cluster } = flat;
  const proxy = proxyFor(
    flat.server,
    has(cluster['proxy-url']) ? cluster['proxy-url'] : undefined,
    options.env,
  );
  if (!proxy.ok) return proxy;
  const ca = clusterAuthority(flat);
  if (!ca.ok) return ca;
  const credentials = createCredentials(flat, options);
  if (!credentials.ok) return credentials;
  return ok(
    createKubeTransport(
      {
        server: flat.server,
        credentials: credentials.value,
        impersonate: impersonation(flat.user),
        skipVerify: cluster['insecure-skip-tls-verify'] === true,
        ...(ca.value === undefined ? {} : { ca: ca.value }),
        ...(has(cluster['tls-server-name']) ? { serverName: cluster['tls-server-name'] } : {}),
        ...(proxy.value === undefined ? {} : { proxy: proxy.value }),
      },
      {
        clock: options.clock,
        version: options.version,
        ...(cluster['disable-compression'] === true ? { compress: false } : {}),
        ...(options.grants === undefined ? {} : { grants: options.grants }),
      },
    ),
  );
}

/** What consent is remembered by: another command, other arguments or another file ask again. */
export function consentKey(exec: ExecCommand): string {
  return JSON.stringify([exec.file, exec.command, exec.args]);
}

function askConsent(flat: FlatContext, options: CreateTransportOptions): ConnectError | undefined {
  const exec = execCommandOf(flat);
  if (exec === undefined) return undefined;
  const key = consentKey(exec);
  if (options.consent === 'always') options.consents?.add(key);
  if (options.consent !== undefined || options.consents?.has(key) === true) return undefined;
  return {
    code: 'auth-consent',
    message: `The user ${exec.user} of ${exec.file} gets its credentials from a program: allow ${[exec.command, ...exec.args].join(' ')} to run.`,
    exec,
  };
}

function impersonation(user: KubeconfigUser): Readonly<Record<string, string | readonly string[]>> {
  if (!has(user.as)) return {};
  const headers: Record<string, string | readonly string[]> = { 'Impersonate-User': user.as };
  if (has(user['as-uid'])) headers['Impersonate-Uid'] = user['as-uid'];
  if (user['as-groups'] !== undefined && user['as-groups'].length > 0)
    headers['Impersonate-Group'] = user['as-groups'];
  for (const [key, values] of Object.entries(user['as-user-extra'] ?? {})) {
    headers[`Impersonate-Extra-${escapeHeaderKey(key)}`] = values;
  }
  return headers;
}

/** Percent-encodes what a header name cannot hold. Source: client-go transport/round_trippers.go headerKeyEscape. */
function escapeHeaderKey(key: string): string {
  return [...Buffer.from(key, 'utf8')]
    .map((byte) => {
      const char = String.fromCharCode(byte);
      return /[!#$&'*+\-.^_`|~0-9A-Za-z]/.test(char)
        ? char
        : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');
}
