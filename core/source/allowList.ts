/**
 * What Loopscope may say to a cluster, decided on method and parsed path before a byte leaves (design, "Transport
 * allow-list"). It is a list of what is allowed; anything else is a bug of ours and throws. Pure, so that the whole of
 * it can be tested by planting forbidden requests. Spec: docs/spec/transport.md
 */

/** A request outside the allow-list was about to be sent. A bug, never an expected failure. */
export class NotAllowed extends Error {
  constructor(method: string, path: string, why: string) {
    super(`${method} ${path.split('?')[0]} is not allowed: ${why}`);
    this.name = 'NotAllowed';
  }
}

/** What a request asks for, as the API server's RequestInfo has it. */
export type RequestTarget =
  | { readonly kind: 'nonResource'; readonly path: string }
  | {
      readonly kind: 'resource';
      readonly group: string;
      readonly version: string;
      readonly resource: string;
      /** '' for cluster scope and for all namespaces. */
      readonly namespace: string;
      /** '' for a list or watch. */
      readonly name: string;
      readonly subresource: string;
    };

/** Opt-ins, each for one target, recorded and shown where they are given. */
export interface AllowListGrants {
  /** `namespace/pod:port`, or `namespace/https:pod:port`, whose `/proxy/metrics` may be read. May change while it is used. */
  readonly metricsProxies?: ReadonlySet<string>;
}

const nonResourcePaths = new Set(['/version', '/livez', '/readyz']);

/** Subresources that only show; `log` of pods comes beside them. */
const readableSubresources = new Set(['status', 'scale']);

/** POST creates nothing here: the server answers a question. Value: whether the path has a namespace. */
const reviews: ReadonlyMap<string, { readonly namespaced: boolean }> = new Map([
  ['authorization.k8s.io/selfsubjectaccessreviews', { namespaced: false }],
  ['authorization.k8s.io/selfsubjectrulesreviews', { namespaced: false }],
  ['authorization.k8s.io/subjectaccessreviews', { namespaced: false }],
  ['authorization.k8s.io/localsubjectaccessreviews', { namespaced: true }],
  ['authentication.k8s.io/selfsubjectreviews', { namespaced: false }],
]);

/**
 * Throws NotAllowed unless the request may leave. `path` is the raw path with its query, from the API's root.
 * Returns what it asks for.
 */
export function checkAllowed(
  request: { readonly method: string; readonly path: string; readonly accept?: string | undefined },
  grants: AllowListGrants = {},
): RequestTarget {
  const { method, path } = request;
  const refuse = (why: string): never => {
    throw new NotAllowed(method, path, why);
  };
  if (method !== 'GET' && method !== 'POST') refuse('only GET, and POST of access reviews');
  const segments = parseSegments(path, refuse);
  const target = parseTarget(segments, refuse);
  if (method === 'POST') {
    if (target.kind !== 'resource') return refuse('POST is for access reviews');
    const review = reviews.get(`${target.group}/${target.resource}`);
    const fits =
      review !== undefined &&
      target.name === '' &&
      target.subresource === '' &&
      review.namespaced === (target.namespace !== '');
    if (!fits) refuse('POST is for access reviews');
    return target;
  }
  if (target.kind === 'nonResource') return target;
  if (target.subresource !== '') checkSubresource(target, path, grants, refuse);
  if (isSecret(target) && !asksForMetadataOnly(request.accept)) {
    refuse('secrets are read as PartialObjectMetadata only');
  }
  return target;
}

type Refuse = (why: string) => never;

/** Splits and decodes. Refuses whatever two parsers could read in two ways. */
function parseSegments(path: string, refuse: Refuse): string[] {
  const end = path.indexOf('?');
  const bare = end < 0 ? path : path.slice(0, end);
  // Printable ASCII without space: no line breaks, no raw non-ASCII that a server may fold.
  if (!/^[\x21-\x7e]*$/.test(path)) refuse('characters outside printable ASCII');
  if (!bare.startsWith('/')) refuse('the path starts with /');
  if (/[\\#;]/.test(bare)) refuse('backslash, fragment or parameter in the path');
  const segments: string[] = [];
  for (const raw of bare.slice(1).split('/')) {
    if (raw === '') refuse('an empty path segment');
    let segment = '';
    try {
      segment = decodeURIComponent(raw);
    } catch {
      refuse('broken percent-encoding');
    }
    if (segment === '.' || segment === '..') refuse('a dot segment');
    if (/[/\\%?#;]/.test(segment) || !/^[\x21-\x7e]*$/.test(segment)) refuse('an encoded separator');
    segments.push(segment);
  }
  return segments;
}

function parseTarget(segments: readonly string[], refuse: Refuse): RequestTarget {
  const path = `/${segments.join('/')}`;
  if (nonResourcePaths.has(path)) return { kind: 'nonResource', path };
  const [root, ...rest] = segments;
  if (root === 'openapi' && rest.length > 0) return { kind: 'nonResource', path };
  if (root !== 'api' && root !== 'apis') return refuse('not an API path we use');
  const discoveryDepth = root === 'api' ? 1 : 2;
  if (rest.length <= discoveryDepth) return { kind: 'nonResource', path };
  const [group, version] = root === 'api' ? ['', rest[0] ?? ''] : [rest[0] ?? '', rest[1] ?? ''];
  // A CRD may call its version anything that is a DNS label, the core group is v1 for ever.
  const isVersion = root === 'api' ? /^v[0-9]+$/ : /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
  if (!isVersion.test(version)) return refuse('not an API version');
  if (root === 'apis' && !isDnsName(group)) return refuse('not an API group');
  return parseResource(group, version, rest.slice(discoveryDepth), refuse);
}

/** `[namespaces/{ns}/]{resource}[/{name}[/{subresource}…]]`, as apiserver's RequestInfoFactory reads it. */
function parseResource(
  group: string,
  version: string,
  parts: readonly string[],
  refuse: Refuse,
): RequestTarget {
  const [first = '', second = '', third = ''] = parts;
  if (first === 'watch' || first === 'proxy') return refuse('a legacy prefix');
  // `namespaces/{name}/status` belongs to the namespace itself, and so does `finalize`, which nobody reads.
  const ofNamespace = first === 'namespaces' && parts.length > 2 && third !== 'status';
  if (first === 'namespaces' && third === 'finalize') return refuse('finalize');
  const namespace = ofNamespace ? second : '';
  const [resource = '', name = '', subresource = '', ...beyond] = ofNamespace ? parts.slice(2) : parts;
  if (!isDnsName(resource)) return refuse('not a resource name');
  const sub = [subresource, ...beyond].filter((part) => part !== '').join('/');
  return { kind: 'resource', group, version, resource, namespace, name, subresource: sub };
}

function checkSubresource(
  target: Extract<RequestTarget, { kind: 'resource' }>,
  path: string,
  grants: AllowListGrants,
  refuse: Refuse,
): void {
  if (readableSubresources.has(target.subresource)) return;
  const ofPod = target.group === '' && target.resource === 'pods' && target.namespace !== '';
  if (ofPod && target.subresource === 'log') {
    // `insecureSkipTLSVerifyBackend` and whatever else comes: only what picks lines.
    const names = [...queryNames(path)];
    const odd = names.find((name) => !logParameters.has(name));
    if (odd !== undefined) refuse(`a log is not asked for with ${odd}`);
    return;
  }
  if (ofPod && target.subresource === 'proxy/metrics') {
    // The pod gets the query as it is: what it does with one, nobody knows.
    if (path.includes('?')) refuse('metrics are read without a query');
    if (grants.metricsProxies?.has(`${target.namespace}/${target.name}`) === true) return;
    refuse('the metrics of this pod were not opted into');
  }
  refuse(`subresource ${target.subresource}`);
}

/** Of core/v1 PodLogOptions. */
const logParameters: ReadonlySet<string> = new Set([
  'container',
  'follow',
  'limitBytes',
  'previous',
  'sinceSeconds',
  'sinceTime',
  'tailLines',
  'timestamps',
]);

/** Names in the query, as they are written: an encoded one is none that we send. */
function* queryNames(path: string): Iterable<string> {
  const start = path.indexOf('?');
  if (start < 0) return;
  for (const part of path.slice(start + 1).split('&')) yield part.split('=', 1)[0] ?? '';
}

/** A target of the opt-in as its grants hold it; throws NotAllowed for one that no pod and port can be. */
export function metricsProxyTarget(target: string): string {
  const match = /^([^/]+)\/(?:https:)?([^/:]+):(\d{1,5})$/.exec(target);
  const [, namespace = '', pod = '', port = ''] = match ?? [];
  const fits = isDnsName(namespace) && isDnsName(pod) && Number(port) >= 1 && Number(port) <= 65_535;
  if (!fits) throw new NotAllowed('GET', `${target}/proxy/metrics`, 'a pod and its port are named');
  return target;
}

function isSecret(target: Extract<RequestTarget, { kind: 'resource' }>): boolean {
  return target.group === '' && target.resource === 'secrets';
}

/** Every alternative of the Accept header asks for metadata: a server without that form then answers 406, not all. */
function asksForMetadataOnly(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  return accept.split(',').every((one) => /;\s*as=PartialObjectMetadata(List)?\s*(;|$)/.test(one));
}

function isDnsName(text: string): boolean {
  return /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(text);
}
