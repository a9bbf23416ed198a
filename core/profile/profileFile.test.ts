import { expect, test } from 'vitest';
import { err, ok } from '../../shared/base/result.ts';
import type { ProfileEdit } from '../../shared/contract/views/operators.ts';
import { zOperatorProfile } from '../../shared/model/profile.ts';
import type { ApiResource } from '../../shared/model/resource.ts';
import { applyEdits } from './edits.ts';
import { loadProfileFile, type ParseYaml } from './load.ts';
import { localOperator } from './localOperator.ts';
import { mergeProfileFile, profileFileFits } from './profileFile.ts';

function resource(group: string, plural: string, kind: string): ApiResource {
  return { group, version: 'v1', resource: plural, kind, namespaced: true, verbs: [], subresources: [] };
}
const resources = [
  resource('', 'services', 'Service'),
  resource('', 'configmaps', 'ConfigMap'),
  resource('apps', 'statefulsets', 'StatefulSet'),
  resource('db.example.com', 'databases', 'Database'),
  resource('a.example.com', 'things', 'Thing'),
  resource('b.example.com', 'things', 'Thing'),
];
/** JSON stands for YAML; the line of a field is its depth, so that the sentence can be checked. */
const parse: ParseYaml = (text) =>
  text === '{'
    ? err({ message: 'not valid YAML: odd', line: 3 })
    : ok({ value: JSON.parse(text) as unknown, lineOf: (path) => path.length + 1 });
function load(value: unknown) {
  const loaded = loadProfileFile(JSON.stringify(value), parse);
  return loaded.ok ? loaded.value : loaded.error.message;
}
const database = () =>
  localOperator('system:serviceaccount:ops:dbop', ['databases.db.example.com'], resources);

test('[PROF20] a file that does not fit is refused with line, field and reason', () => {
  expect(load({ format: 2 })).toBe('loopscope.yaml, line 2: format: invalid input: expected 1');
  expect(load({ format: 1, controllers: [{ name: 'a', for: 'b', queu: 'x' }] })).toBe(
    'loopscope.yaml, line 4: controllers[0].queu: there is no such field',
  );
  expect(
    load({
      format: 1,
      controllers: [{ name: 'a', for: 'b', limiter: { type: 'exp', base: '5', max: '1s' } }],
    }),
  ).toBe('loopscope.yaml, line 5: controllers[0].limiter.base: a duration such as 5ms, 1.5s or 2m');
  expect(load(null)).toBe('loopscope.yaml: the file is empty; it needs at least "format: 1"');
  expect(load({ format: 1, operator: { workload: 7 }, sources: { log: 7 } })).toMatch(/\(and 1 more\)$/);
  expect(loadProfileFile('{', parse, 'my.yaml')).toEqual(
    err({ code: 'profile-invalid', message: 'my.yaml, line 3: not valid YAML: odd' }),
  );
});

test('[PROF21] the file replaces what it names and leaves the rest', () => {
  const file = load({
    format: 1,
    operator: { namespace: 'dbops-system', serviceAccount: 'database-operator', fieldManagers: ['dbop'] },
    controllers: [
      {
        name: 'database',
        for: 'Database',
        owns: ['statefulsets.apps', 'services'],
        watches: [{ resource: 'configmaps', maps: 'label db.example.com/database' }],
        limiter: { type: 'exp', base: '1s', factor: 3, max: '20s' },
      },
    ],
  });
  if (typeof file === 'string') throw new Error(file);
  const { profile, problems } = mergeProfileFile(database(), file, resources);
  expect(problems).toEqual([]);
  expect(zOperatorProfile.parse(profile)).toEqual(profile);
  expect(profile).toMatchObject({
    identity: { value: { user: 'system:serviceaccount:dbops-system:database-operator' }, edited: true },
    fieldManagers: { value: ['dbop'], edited: true },
  });
  expect(profile.controllers).toHaveLength(1);
  expect(profile.controllers[0]).toMatchObject({
    for: { value: 'databases.db.example.com', edited: true, why: 'loopscope.yaml says so.' },
    owns: { value: ['statefulsets.apps', 'services'] },
    limiter: { value: { type: 'exp', base: '1s', factor: 3, max: '20s' }, edited: true },
    queue: { value: 'priority', basis: { kind: 'inferred' } },
  });
});

test('[PROF21] controllers are matched by name, then by kind, else added; names not served are kept and told', () => {
  const file = {
    format: 1 as const,
    controllers: [
      { name: 'main', for: 'databases.db.example.com' },
      { name: 'x', for: 'widgets.w.io' },
    ],
  };
  const { profile, problems } = mergeProfileFile(database(), file, resources, 'f.yaml');
  expect(profile.controllers.map((controller) => [controller.name, controller.for.value])).toEqual([
    ['main', 'databases.db.example.com'],
    ['x', 'widgets.w.io'],
  ]);
  expect(problems).toEqual(['widgets.w.io is not served by this cluster; it is kept as written.']);
  expect(
    mergeProfileFile(database(), { format: 1, controllers: [{ name: 'a', for: 'things' }] }, resources)
      .problems,
  ).toHaveLength(1);
});

test('[PROF22] a file alone describes an operator that runs outside the cluster', () => {
  const { profile } = mergeProfileFile(
    undefined,
    {
      format: 1,
      operator: { user: 'dev@example.com' },
      controllers: [{ name: 'database', for: 'databases.db.example.com' }],
    },
    resources,
  );
  expect(profile).toMatchObject({
    name: 'dev@example.com',
    identity: { value: { user: 'dev@example.com' } },
  });
  expect(zOperatorProfile.safeParse(profile).success).toBe(true);
});

test('[PROF23] which operator a file is about', () => {
  const profile = {
    ...database(),
    workload: { value: 'Deployment/ops/dbop', basis: { kind: 'observed', from: 'watch' } as const, why: '' },
  };
  const fits = (operator: Record<string, string>) => profileFileFits({ format: 1, operator }, profile);
  expect(profileFileFits({ format: 1 }, profile)).toBe(true);
  expect([fits({ workload: 'Deployment/dbop' }), fits({ workload: 'Deployment/other' })]).toEqual([
    true,
    false,
  ]);
  expect([fits({ serviceAccount: 'dbop' }), fits({ serviceAccount: 'dbop', namespace: 'else' })]).toEqual([
    true,
    false,
  ]);
});

test('[PROF23] a file that names a workload is also about an operator that runs outside the cluster', () => {
  const operator = { namespace: 'ops', workload: 'Deployment/dbop', serviceAccount: 'dbop' };
  const alone = mergeProfileFile(undefined, { format: 1, operator }, resources).profile;
  const fits = (given: Record<string, string>, profile = database()) =>
    profileFileFits({ format: 1, operator: given }, profile);
  expect(fits(operator, alone)).toBe(true);
  expect(fits({ workload: 'Deployment/dbop' }, alone)).toBe(true);
  expect(fits(operator)).toBe(true);
  expect(fits({ ...operator, serviceAccount: 'other' })).toBe(false);
  expect(fits({ workload: 'Deployment/dbop' })).toBe(true);
  expect(fits({ workload: 'Deployment/other' })).toBe(false);
  expect(fits({ workload: 'Deployment/other', user: 'system:serviceaccount:ops:dbop' })).toBe(true);
});

test('[PROF24] edits in order; one that does not fit is told and left out', () => {
  const edits: ProfileEdit[] = [
    { controller: 'database', field: 'queue', value: 'classic' },
    {
      controller: 'database',
      field: 'limiter',
      value: { type: 'fastslow', fast: '5ms', slow: '10s', maxFastAttempts: 3 },
    },
    { controller: 'database', field: 'owns', value: ['StatefulSet', 'service'] },
    { controller: 'database', field: 'maxConcurrentReconciles', value: 0 },
    { controller: 'nobody', field: 'queue', value: 'classic' },
    { controller: 'thing', field: 'for', value: 'things.b.example.com' },
    { field: 'serviceAccount', value: 'sys/dbop2' },
    { field: 'fieldManagers', value: ['a', 'b'] },
    { field: 'queue', value: 'classic' },
  ];
  const { profile, problems } = applyEdits(database(), edits, resources);
  expect(zOperatorProfile.parse(profile)).toEqual(profile);
  expect(profile.controllers[0]).toMatchObject({
    queue: { value: 'classic', edited: true, basis: { kind: 'observed', from: 'file' } },
    limiter: { value: { type: 'fastslow' } },
    owns: { value: ['statefulsets.apps', 'services'] },
    maxConcurrentReconciles: { value: 1, basis: { kind: 'inferred' } },
  });
  expect(profile.controllers[1]).toMatchObject({ name: 'thing', for: { value: 'things.b.example.com' } });
  expect(profile.identity.value.user).toBe('system:serviceaccount:sys:dbop2');
  expect(profile.fieldManagers.value).toEqual(['a', 'b']);
  expect(problems).toHaveLength(3);
  expect(problems[1]).toBe('There is no controller nobody.');
});

test('[PROF25] a local operator: a user, its kinds by any of their names', () => {
  expect(localOperator('dev', ['Database', 'things', 'nope.x'], resources)).toMatchObject({
    id: 'user:dev',
    identity: { value: { user: 'dev', groups: ['system:authenticated'] }, edited: true },
    controllers: [
      { name: 'database', for: { value: 'databases.db.example.com' } },
      { name: 'thing', for: { value: 'things' } },
      { name: 'nope', for: { value: 'nope.x' } },
    ],
  });
});
