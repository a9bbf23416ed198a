/** Raw errors of node:net, node:tls and node:http as sentences a person can act on. Never holds a credential. */
import type { TransportError, TransportErrorCode } from '../source/transport.ts';

export interface Peer {
  /** `host:port` as the kubeconfig has it. */
  readonly host: string;
  readonly hostname: string;
  readonly https: boolean;
}

/** Codes of certificates that no trusted authority signed. Source: node:tls, OpenSSL X509_V_ERR_*. */
const untrusted = new Set([
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_UNTRUSTED',
  'CERT_SIGNATURE_FAILURE',
]);

const timeouts = new Set(['ETIMEDOUT', 'ESOCKETTIMEDOUT', 'ERR_SOCKET_CONNECTION_TIMEOUT']);
const noRoute = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN', 'EADDRNOTAVAIL']);
const cut = new Set([
  'ECONNRESET',
  'EPIPE',
  'ECONNABORTED',
  'ERR_STREAM_PREMATURE_CLOSE',
  'HPE_INVALID_EOF_STATE',
]);

/** The failure of a request or of its body, in words. Unknown codes come through as `unreachable` with their code. */
export function transportErrorOf(error: unknown, peer: Peer): TransportError {
  // Happy eyeballs: one error per address, all of one kind as a rule.
  if (error instanceof AggregateError && error.errors.length > 0)
    return transportErrorOf(error.errors[0], peer);
  const code = codeOf(error);
  const say = (kind: TransportErrorCode, message: string): TransportError => ({ code: kind, message });
  const { host, hostname } = peer;
  if (code === 'ECONNREFUSED') {
    return say(
      'refused',
      `Nothing listens at ${host}: start the API server, or correct the server address of this context.`,
    );
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'EAI_NODATA') {
    return say(
      'dns',
      `The name ${hostname} cannot be resolved: check the server address of this context, the network or the VPN.`,
    );
  }
  if (code === 'ERR_INVALID_CHAR') {
    return say(
      'unauthorized',
      'The credentials of this context hold characters that no request can carry, such as a line break: write the token of its user again.',
    );
  }
  if (timeouts.has(code))
    return say('timeout', `${host} does not answer: check the network, the VPN or a firewall in between.`);
  if (noRoute.has(code))
    return say('unreachable', `There is no route to ${host}: check the network or the VPN.`);
  if (untrusted.has(code)) {
    return say(
      'tls',
      `The certificate of ${host} is not trusted: no authority that this context trusts has signed it. Check certificate-authority(-data) of the cluster in the kubeconfig.`,
    );
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return say(
      'tls',
      `The certificate of ${host} is valid for other names${namesOf(error)}: use one of them as server address, or set tls-server-name.`,
    );
  }
  if (code === 'CERT_HAS_EXPIRED') {
    return say('tls', `The certificate of ${host} has expired: renew it, and check this machine's clock.`);
  }
  if (code === 'CERT_NOT_YET_VALID') {
    return say('tls', `The certificate of ${host} is not valid yet: check this machine's clock.`);
  }
  if (
    code === 'ERR_SSL_WRONG_VERSION_NUMBER' ||
    code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG' ||
    (code === 'EPROTO' && /wrong version|packet length/.test(messageOf(error)))
  ) {
    return say(
      'tls',
      `${host} does not speak TLS: the server address of this context says https, the server speaks plain http.`,
    );
  }
  if (/^ERR_SSL_.*(CERTIFICATE|ALERT_UNKNOWN_CA|ALERT_ACCESS_DENIED)/.test(code)) {
    return say(
      'tls',
      `${host} did not accept the client certificate of this context: check client-certificate and client-key of the user.`,
    );
  }
  if (/^ERR_OSSL_PEM|^ERR_OSSL_X509|^ERR_OSSL_ASN1/.test(code)) {
    return say(
      'tls',
      `The client certificate or key of this context is malformed (${code}): check client-certificate and client-key of the user.`,
    );
  }
  if (/^ERR_(SSL|TLS|OSSL)/.test(code) || code === 'EPROTO') {
    return say(
      'tls',
      `No TLS connection to ${host} could be made (${code}): check the certificates of this context.`,
    );
  }
  if (cut.has(code)) {
    return say(
      'reset',
      peer.https
        ? `${host} closed the connection.`
        : `${host} closed the connection: it may expect https, and the server address of this context says http.`,
    );
  }
  if (/^HPE_/.test(code))
    return say('unreachable', `${host} does not speak HTTP: check the server address of this context.`);
  return say('unreachable', `${host} could not be reached (${code}).`);
}

export function codeOf(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string')
    return error.code;
  return error instanceof Error ? error.name : 'unknown';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : '';
}

/** The names the certificate carries, as node:tls found them. */
function namesOf(error: unknown): string {
  const cert = typeof error === 'object' && error !== null && 'cert' in error ? error.cert : undefined;
  const names =
    typeof cert === 'object' && cert !== null && 'subjectaltname' in cert ? cert.subjectaltname : undefined;
  if (typeof names !== 'string') return '';
  return ` (${names.replaceAll('DNS:', '').replaceAll('IP Address:', '')})`;
}
