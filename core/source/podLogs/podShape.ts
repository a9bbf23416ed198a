/** What a pod says of the operator inside it: which container is the manager, how it stands, where it serves metrics. Pure. */
import { asRecord, asText } from '../../../shared/base/json.ts';
import type { KubeObject } from '../../../shared/model/kube.ts';
import type { PodNow } from './podLogFeed.ts';
import type { PodMetricsTarget } from './podMetricsFeed.ts';

/** Containers that stand beside managers and are none. */
const sidecars =
  /^(kube-rbac-proxy|rbac-proxy|oauth-proxy|istio-proxy|linkerd-proxy|envoy|vault-agent|cloud-?sql-proxy|fluent-?bit|fluentd|promtail|filebeat|otel-collector|config-reloader|reloader|git-sync)\b/;
const sidecarImages =
  /(^|\/)(kube-rbac-proxy|oauth2?-proxy|proxyv2|linkerd2?-proxy|proxy-init|vault(-k8s)?|fluent-bit|fluentd|promtail|filebeat|opentelemetry-collector[^/]*|config-reloader|git-sync)([:@]|$)/;

interface Container {
  readonly name: string;
  readonly image: string;
  readonly words: readonly string[];
  readonly ports: readonly { readonly name: string; readonly port: number }[];
}

/**
 * The container that runs the operator: what `kubectl.kubernetes.io/default-container` names, else one called manager, else
 * one that goes by the operator's names, else the first that is no known sidecar. Init containers, sidecars by
 * `restartPolicy: Always` among them, are none. Undefined: the pod has no container.
 */
export function managerContainer(pod: KubeObject, names: readonly string[] = []): string | undefined {
  const containers = containersOf(pod);
  const named = pod.metadata.annotations?.['kubectl.kubernetes.io/default-container'];
  if (named !== undefined && containers.some((one) => one.name === named)) return named;
  const own = containers.filter((one) => !sidecars.test(one.name) && !sidecarImages.test(one.image));
  const wanted = new Set(['manager', ...names]);
  return (
    own.find((one) => one.name === 'manager') ??
    own.find((one) => wanted.has(one.name)) ??
    own.find((one) => names.some((name) => one.image.split(/[/:@]/).includes(name))) ??
    own[0] ??
    containers[0]
  )?.name;
}

/** How the container stands. `deleted`: the pod is not there any more. */
export function podNow(pod: KubeObject, container: string, deleted: boolean): PodNow {
  const status = asRecord(pod.status);
  const all = Array.isArray(status?.containerStatuses)
    ? (status.containerStatuses as readonly unknown[])
    : [];
  const own = all.map(asRecord).find((one) => one?.name === container);
  const startedAt = Date.parse(asText(asRecord(asRecord(own?.state)?.running)?.startedAt));
  const phase = asText(status?.phase);
  return {
    over: deleted || phase === 'Succeeded' || phase === 'Failed',
    restarts: typeof own?.restartCount === 'number' ? own.restartCount : 0,
    startedAt: Number.isNaN(startedAt) ? undefined : startedAt,
  };
}

/**
 * Where the container serves metrics: by `prometheus.io/port` of the pod, by a port called metrics (http-metrics,
 * https-metrics …), by `--metrics-bind-address`. Undefined: nothing says so, or they are said to lie elsewhere than at
 * `/metrics`, which is all that may be read.
 */
export function metricsTargetOf(pod: KubeObject, container: string): PodMetricsTarget | undefined {
  const { namespace = '', name, annotations = {} } = pod.metadata;
  const one = containersOf(pod).find((candidate) => candidate.name === container);
  if (one === undefined) return undefined;
  const path = annotations['prometheus.io/path'];
  if (path !== undefined && path !== '/metrics') return undefined;
  const target = (port: number, secure: boolean): PodMetricsTarget | undefined =>
    Number.isInteger(port) && port >= 1 && port <= 65_535
      ? { namespace, pod: name, port, scheme: secure ? 'https' : 'http' }
      : undefined;
  const flags = flagsOf(one.words);
  const isSecure = (portName: string) =>
    /https/.test(portName) || annotations['prometheus.io/scheme'] === 'https' || flags.secure === true;
  const annotated = Number(annotations['prometheus.io/port'] ?? Number.NaN);
  if (annotations['prometheus.io/scrape'] !== 'false' && !Number.isNaN(annotated)) {
    const port = one.ports.find((candidate) => candidate.port === annotated);
    return target(annotated, isSecure(port?.name ?? ''));
  }
  const port = one.ports.find((candidate) =>
    /^(https?-)?metrics$|^metrics-?https?$|^prom(etheus)?$/.test(candidate.name),
  );
  // A flag that binds to loopback alone serves a proxy beside it, nobody else.
  if (flags.loopback) return undefined;
  if (port !== undefined) return target(port.port, isSecure(port.name));
  return flags.port === undefined
    ? undefined
    : target(flags.port, isSecure(flags.port === 8443 ? 'https' : ''));
}

/** `--metrics-bind-address=:8080` and its older names; `--metrics-secure`. */
function flagsOf(words: readonly string[]): {
  readonly port: number | undefined;
  readonly loopback: boolean;
  readonly secure: boolean | undefined;
} {
  let address: string | undefined;
  let secure: boolean | undefined;
  for (const [index, word] of words.entries()) {
    const match = /^--?(metrics-bind-address|metrics-addr|metrics-secure)(?:=(.*))?$/.exec(word);
    if (match === null) continue;
    if (match[1] === 'metrics-secure') secure = match[2] !== 'false';
    else address = match[2] ?? words[index + 1];
  }
  const port = /:(\d+)$/.exec(address ?? '')?.[1];
  return {
    port: port === undefined || Number(port) === 0 ? undefined : Number(port),
    loopback: /^(127\.|localhost:|\[::1\])/.test(address ?? ''),
    secure,
  };
}

function containersOf(pod: KubeObject): readonly Container[] {
  const containers = asRecord(pod.spec)?.containers;
  if (!Array.isArray(containers)) return [];
  return (containers as readonly unknown[]).map(asRecord).flatMap((one) => {
    if (typeof one?.name !== 'string') return [];
    const words = [one.command, one.args].flatMap((list) => (Array.isArray(list) ? list.map(asText) : []));
    const ports = (Array.isArray(one.ports) ? (one.ports as readonly unknown[]) : []).map(asRecord);
    return [
      {
        name: one.name,
        image: asText(one.image),
        words,
        ports: ports.flatMap((port) =>
          typeof port?.containerPort === 'number'
            ? [{ name: asText(port.name), port: port.containerPort }]
            : [],
        ),
      },
    ];
  });
}
