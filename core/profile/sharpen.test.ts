import { expect, test } from 'vitest';
import type { OperatorProfile } from '../../shared/model/profile.ts';
import type { ApiResource } from '../../shared/model/resource.ts';
import { parseLogLine } from '../source/log/logEntry.ts';
import { operatorMetrics } from '../source/metrics/controllerMetrics.ts';
import { createEvidenceFold } from './evidence.ts';
import { defaultController, inferred } from './known.ts';
import { localOperator } from './localOperator.ts';
import { sharpen } from './sharpen.ts';

function resource(group: string, plural: string, kind: string, version = 'v1'): ApiResource {
  return { group, version, resource: plural, kind, namespaced: true, verbs: [], subresources: [] };
}
const resources = [
  resource('', 'pods', 'Pod'),
  resource('', 'services', 'Service'),
  resource('', 'secrets', 'Secret'),
  resource('batch', 'jobs', 'Job'),
  resource('jobset.x-k8s.io', 'jobsets', 'JobSet', 'v1alpha2'),
];
function guessed(
  ...controllers: readonly [name: string, kind: string, owns: readonly string[]][]
): OperatorProfile {
  return {
    ...localOperator('dev', []),
    controllers: controllers.map(([name, kind, owns]) => ({
      ...defaultController(name, inferred(kind, 'for-kind', 'It may write its status.')),
      owns: inferred(owns, 'owned-kinds', 'Granted.'),
    })),
  };
}
const line = (fields: Record<string, unknown>) =>
  parseLogLine(JSON.stringify({ level: 'info', ts: '2026-01-01T00:00:00Z', ...fields }));
const jobset = { controller: 'jobset', controllerGroup: 'jobset.x-k8s.io', controllerKind: 'JobSet' };

test('[PROF10] event sources make the owned kinds exact, once the controller has started', () => {
  const fold = createEvidenceFold();
  const source = (type: string) =>
    fold.addLog(line({ msg: 'Starting EventSource', ...jobset, source: `kind source: *${type}` }));
  expect(source('v1alpha2.JobSet')).toBe(true);
  source('v1.Job');
  source('v1.Pod');
  expect(source('v1.Pod')).toBe(false);
  const guess = guessed(['jobset', 'jobsets.jobset.x-k8s.io', ['jobs.batch', 'secrets', 'services']]);
  const before = sharpen(guess, fold.controllers(), resources).controllers[0];
  expect(before?.owns).toMatchObject({
    value: ['jobs.batch', 'secrets', 'services'],
    basis: { kind: 'inferred' },
  });
  expect(before?.for.basis).toEqual({ kind: 'reported', from: 'log' });
  expect(fold.addLog(line({ msg: 'Starting workers', ...jobset, 'worker count': 3 }))).toBe(true);
  const after = sharpen(guess, fold.controllers(), resources).controllers[0];
  expect(after).toMatchObject({
    for: { value: 'jobsets.jobset.x-k8s.io', basis: { kind: 'reported', from: 'log' } },
    owns: { value: ['jobs.batch'], basis: { kind: 'reported', from: 'log' } },
    watches: { value: [{ resource: 'pods', maps: 'owner' }], basis: { kind: 'inferred' } },
    maxConcurrentReconciles: { value: 3, basis: { kind: 'reported', from: 'log' } },
  });
});

test('[PROF10] another life of the process tells its sources anew', () => {
  const fold = createEvidenceFold();
  const say = (msg: string, fields: Record<string, unknown> = {}) =>
    fold.addLog(line({ msg, ...jobset, ...fields }));
  say('Starting EventSource', { source: 'kind source: *v1.Job' });
  say('Starting workers', { 'worker count': 1 });
  say('Starting EventSource', { source: 'kind source: *v1.Service' });
  say('Starting Controller');
  expect(fold.controllers().get('jobset')?.sources).toEqual([{ version: 'v1', kind: 'Service' }]);
});

test('[PROF11] a controller nobody guessed is added when its log names a kind, a lone error line is enough', () => {
  const fold = createEvidenceFold();
  const pod = { controller: 'pod', controllerGroup: '', controllerKind: 'Pod' };
  fold.addLog(
    line({ msg: 'Reconciler error', ...pod, error: 'x', namespace: 'a', name: 'b', reconcileID: 'r' }),
  );
  const profile = sharpen(guessed(['jobset', 'jobsets.jobset.x-k8s.io', []]), fold.controllers(), resources);
  expect(profile.controllers.map((controller) => [controller.name, controller.for.value])).toEqual([
    ['jobset', 'jobsets.jobset.x-k8s.io'],
    ['pod', 'pods'],
  ]);
});

test('[PROF11] a controller under another name takes the place of the guess for its kind', () => {
  const fold = createEvidenceFold();
  fold.addLog(line({ msg: 'Starting Controller', ...jobset, controller: 'jobset-main' }));
  const profile = sharpen(
    guessed(['jobset', 'jobsets.jobset.x-k8s.io', ['services']]),
    fold.controllers(),
    resources,
  );
  expect(profile.controllers.map((controller) => controller.name)).toEqual(['jobset-main']);
  expect(profile.controllers[0]?.owns.value).toEqual(['services']);
});

test('[PROF12] metrics tell workers and the queue kind', () => {
  const fold = createEvidenceFold();
  const scrape = operatorMetrics(
    'controller_runtime_max_concurrent_reconciles{controller="jobset"} 4\nworkqueue_depth{controller="jobset",name="jobset",priority=""} 0\nworkqueue_depth{name="certs"} 0',
  );
  expect(fold.addMetrics(scrape)).toBe(true);
  expect(fold.addMetrics(scrape)).toBe(false);
  const profile = sharpen(guessed(['jobset', 'jobsets.jobset.x-k8s.io', []]), fold.controllers(), resources);
  expect(profile.controllers).toHaveLength(1);
  expect(profile.controllers[0]).toMatchObject({
    queue: { value: 'classic', basis: { kind: 'reported', from: 'metrics' } },
    maxConcurrentReconciles: { value: 4, basis: { kind: 'reported', from: 'metrics' } },
    for: { basis: { kind: 'inferred' } },
  });
});

test('[PROF13] client-go controllers named after the resource replace its guess, with the classic queue', () => {
  const fold = createEvidenceFold();
  for (const name of ['jobsets-sync', 'jobsets-gc', 'unrelated'])
    fold.addLog(
      parseLogLine(`I0101 00:00:00.000000 1 controller.go:1] "starting controller" controller="${name}"`),
    );
  const profile = sharpen(guessed(['jobset', 'jobsets.jobset.x-k8s.io', []]), fold.controllers(), resources);
  expect(
    profile.controllers.map((controller) => [controller.name, controller.for.value, controller.queue.value]),
  ).toEqual([
    ['jobsets-sync', 'jobsets.jobset.x-k8s.io', 'classic'],
    ['jobsets-gc', 'jobsets.jobset.x-k8s.io', 'classic'],
  ]);
});

test('[PROF14] without evidence the guess is returned as it is', () => {
  const guess = guessed(['jobset', 'jobsets.jobset.x-k8s.io', []]);
  expect(sharpen(guess, createEvidenceFold().controllers(), resources)).toBe(guess);
});
