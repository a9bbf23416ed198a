import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { applyFile, readApplicable } from './applyFile.ts';
import type { KubeClient } from './kubeClient.ts';

const operation = ['- op: add', '  path: /rules/-', '  value:', '    verbs: [get, update, patch]', ''];
const patch = [
  '# kubectl patch clusterrole database-operator --type=json --patch-file=loopscope-patch.yaml',
  ...operation,
].join('\n');
const roles = '/apis/rbac.authorization.k8s.io/v1';

const folder = mkdtempSync(join(tmpdir(), 'apply-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('the patch Loopscope writes names its role in its first line', () => {
  expect(readApplicable(patch)).toEqual({
    kind: 'patch',
    path: `${roles}/clusterroles/database-operator`,
    operations: [{ op: 'add', path: '/rules/-', value: { verbs: ['get', 'update', 'patch'] } }],
  });
  const inNamespace = ['# kubectl patch role db -n shop --type=json --patch-file=x', ...operation].join('\n');
  expect(readApplicable(inNamespace)).toMatchObject({ path: `${roles}/namespaces/shop/roles/db` });
});

test('manifests are manifests; everything else is refused in a sentence', () => {
  const manifest = 'apiVersion: v1\nkind: Namespace\nmetadata: { name: x }\n';
  expect(readApplicable(`---\n${manifest}---\n${manifest}`)).toEqual({ kind: 'manifests' });
  const why = (text: string) => {
    const read = readApplicable(text);
    return read.kind === 'neither' ? read.why : read.kind;
  };
  expect(why(operation.join('\n'))).toMatch(/^is a JSON patch that does not say of what: .*clusterrole NAME/);
  expect(why('# nothing\n')).toBe('holds nothing to apply.');
  expect(why('hello')).toMatch(/^holds no manifest/);
  expect(why(`${manifest}---\nkind: Namespace\n`)).toMatch(/^holds no manifest/);
  expect(why('a: [')).toMatch(/^is not YAML: /);
});

test('a patch is sent as a JSON patch; a refusal and a missing file are sentences', async () => {
  const sent: unknown[] = [];
  const client = {
    json: async (method: string, path: string, options: unknown) => {
      sent.push([method, path, options]);
      if (sent.length > 1) throw new Error('404 not found');
      return {};
    },
  } as unknown as KubeClient;
  const file = join(folder, 'loopscope-patch.yaml');
  writeFileSync(file, patch);
  expect(await applyFile(client, file)).toBeUndefined();
  expect(sent).toMatchObject([
    [
      'PATCH',
      `${roles}/clusterroles/database-operator`,
      { contentType: 'application/json-patch+json', body: [{ op: 'add' }] },
    ],
  ]);
  expect(await applyFile(client, file)).toBe(`${file} was not applied: 404 not found`);
  expect(await applyFile(client, join(folder, 'nowhere.yaml'))).toMatch(/was not applied: ENOENT/);
});
