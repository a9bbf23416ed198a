import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../../shared/model/kube.ts';
import { managerContainer, metricsTargetOf, podNow } from './podShape.ts';

function pod(
  containers: readonly object[],
  more: { annotations?: Record<string, string>; status?: object } = {},
): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'p',
      namespace: 'ops',
      ...(more.annotations === undefined ? {} : { annotations: more.annotations }),
    },
    spec: { containers },
    ...(more.status === undefined ? {} : { status: more.status }),
  };
}

describe('[SRC40] the manager’s container', () => {
  test.each([
    [
      'by the annotation',
      pod([{ name: 'a' }, { name: 'b' }], {
        annotations: { 'kubectl.kubernetes.io/default-container': 'b' },
      }),
      'b',
    ],
    [
      'an annotation that names none',
      pod([{ name: 'a' }], { annotations: { 'kubectl.kubernetes.io/default-container': 'x' } }),
      'a',
    ],
    ['called manager, behind a sidecar', pod([{ name: 'kube-rbac-proxy' }, { name: 'manager' }]), 'manager'],
    ['by the operator’s name', pod([{ name: 'web' }, { name: 'database-operator' }]), 'database-operator'],
    [
      'by its image',
      pod([
        { name: 'web', image: 'x/web:1' },
        { name: 'main', image: 'r/x/database-operator:v1' },
      ]),
      'main',
    ],
    [
      'no sidecar by its name',
      pod([{ name: 'istio-proxy', image: 'istio/proxyv2:1' }, { name: 'app' }]),
      'app',
    ],
    [
      'no sidecar by its image',
      pod([{ name: 'metrics', image: 'r/kubebuilder/kube-rbac-proxy:v0.16' }, { name: 'app' }]),
      'app',
    ],
    ['nothing but a sidecar', pod([{ name: 'envoy' }]), 'envoy'],
    ['none', pod([]), undefined],
  ])('%s', (_, given, expected) => {
    expect(managerContainer(given, ['database-operator'])).toBe(expected);
  });
});

test('[SRC41] how it stands', () => {
  const status = {
    phase: 'Running',
    containerStatuses: [
      { name: 'side', restartCount: 9 },
      { name: 'manager', restartCount: 2, state: { running: { startedAt: '2026-05-01T08:00:00Z' } } },
    ],
  };
  const given = pod([], { status });
  expect(podNow(given, 'manager', false)).toEqual({
    over: false,
    restarts: 2,
    startedAt: Date.parse('2026-05-01T08:00:00Z'),
  });
  expect(podNow(given, 'manager', true).over).toBe(true);
  expect(podNow(pod([], { status: { phase: 'Failed' } }), 'manager', false)).toEqual({
    over: true,
    restarts: 0,
    startedAt: undefined,
  });
  expect(podNow(pod([]), 'manager', false).over).toBe(false);
});

describe('[SRC42] where it serves metrics', () => {
  const manager = (more: object) => ({ name: 'manager', ...more });
  test.each([
    [
      'a port called metrics',
      pod([manager({ ports: [{ name: 'metrics', containerPort: 8080 }] })]),
      'http 8080',
    ],
    [
      'https by its name',
      pod([manager({ ports: [{ name: 'https-metrics', containerPort: 8443 }] })]),
      'https 8443',
    ],
    ['annotated', pod([manager({})], { annotations: { 'prometheus.io/port': '9090' } }), 'http 9090'],
    [
      'annotated, https',
      pod([manager({})], { annotations: { 'prometheus.io/port': '9090', 'prometheus.io/scheme': 'https' } }),
      'https 9090',
    ],
    ['by its flag', pod([manager({ args: ['--metrics-bind-address=:8081'] })]), 'http 8081'],
    [
      'by two words',
      pod([manager({ command: ['/manager', '--metrics-addr', '0.0.0.0:8082'] })]),
      'http 8082',
    ],
    [
      'kubebuilder’s secure default',
      pod([manager({ args: ['--metrics-bind-address=:8443'] })]),
      'https 8443',
    ],
    [
      'said to be secure',
      pod([manager({ args: ['--metrics-secure', '--metrics-bind-address=:9443'] })]),
      'https 9443',
    ],
    ['switched off', pod([manager({ args: ['--metrics-bind-address=0'] })]), undefined],
    ['for a proxy beside it', pod([manager({ args: ['--metrics-bind-address=127.0.0.1:8080'] })]), undefined],
    [
      'at another path',
      pod([manager({})], { annotations: { 'prometheus.io/port': '1', 'prometheus.io/path': '/stats' } }),
      undefined,
    ],
    ['no port at all', pod([manager({ ports: [{ name: 'webhook', containerPort: 9443 }] })]), undefined],
    [
      'a port that is none',
      pod([manager({})], { annotations: { 'prometheus.io/port': '99999' } }),
      undefined,
    ],
  ])('%s', (_, given, expected) => {
    const target = metricsTargetOf(given, 'manager');
    expect(target && `${target.scheme} ${target.port}`).toBe(expected);
  });
});
