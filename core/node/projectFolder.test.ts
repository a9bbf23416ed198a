import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readProjectFolder } from './projectFolder.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loopscope-project-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}
const manager = (namespace: string, account: string) => `
apiVersion: apps/v1
kind: Deployment
metadata: { name: controller-manager, namespace: ${namespace} }
spec: { template: { spec: { serviceAccountName: ${account} } } }
`;

test('[FEED50] a kubebuilder project: kinds of PROJECT, account with prefix and namespace of config/default', () => {
  write(
    'PROJECT',
    `domain: example.com
resources:
- { api: { crdVersion: v1 }, controller: true, domain: example.com, group: db, kind: Database, version: v1 }
- { controller: true, group: core, domain: "", kind: Pod }
- { api: { crdVersion: v1 }, group: db, kind: Backup }
`,
  );
  write('config/default/kustomization.yaml', 'namespace: dbops-system\nnamePrefix: dbops-\n');
  write('config/manager/manager.yaml', `kind: Namespace\n---${manager('system', 'controller-manager')}`);
  write('dist/install.yaml', manager('dbops-system', 'dbops-controller-manager'));
  write('loopscope.yaml', 'format: 1\n');
  expect(readProjectFolder(folder)).toEqual({
    profilePath: join(folder, 'loopscope.yaml'),
    serviceAccount: {
      namespace: 'dbops-system',
      name: 'dbops-controller-manager',
      from: join('config', 'manager', 'manager.yaml'),
    },
    kinds: ['database.db.example.com', 'pod'],
    problems: [],
  });
});

test('[FEED51] plain manifests; templates and odd files are passed over', () => {
  write('deploy/operator.yaml', manager('ops', 'dbop'));
  write('deploy/template.yaml', '{{- if .Values.x }}\nkind: Deployment\n  bad: [\n');
  write('deploy/notes.txt', manager('x', 'y'));
  const facts = readProjectFolder(folder);
  expect(facts.serviceAccount).toMatchObject({ namespace: 'ops', name: 'dbop' });
  expect([facts.profilePath, facts.problems]).toEqual([undefined, []]);
});

test('[FEED51] several accounts are not guessed between, a missing folder is told', () => {
  write('deploy/a.yaml', manager('ops', 'a'));
  write('deploy/b.yaml', manager('ops', 'b'));
  const facts = readProjectFolder(folder);
  expect(facts.serviceAccount).toBeUndefined();
  expect(facts.problems).toEqual([expect.stringContaining('ops/a, ops/b')]);
  expect(readProjectFolder(join(folder, 'none')).problems).toHaveLength(1);
});
