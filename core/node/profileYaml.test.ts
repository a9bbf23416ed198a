import { expect, test } from 'vitest';
import { loadProfileFile } from '../profile/load.ts';
import { parseProfileYaml } from './profileYaml.ts';

const text = `# an operator run locally
format: 1
operator: { namespace: dbops-system, serviceAccount: database-operator }
controllers:
- name: database
  for: databases.db.example.com
  limiter: { type: exp, base: 5ms,
    factor: 2, max: soon }
- name: other
  for: others.db.example.com
  queue: lifo
`;

function problem(source: string): string {
  const loaded = loadProfileFile(source, parseProfileYaml, 'f.yaml');
  return loaded.ok ? '' : loaded.error.message;
}

test('[PROF20] the sentence names the line of the field, in flow style too', () => {
  expect(problem(text)).toBe(
    'f.yaml, line 8: controllers[0].limiter.max: a duration such as 5ms, 1.5s or 2m (and 1 more)',
  );
  expect(problem(text.replace('soon', '1s'))).toMatch(/^f.yaml, line 11: controllers\[1\]\.queue: /);
  expect(problem(text.replace('soon', '1s').replace('lifo', 'classic'))).toBe('');
  expect(problem('format: 1\ncontrollers:\n- for: a\n')).toMatch(/^f.yaml, line 3: controllers\[0\]\.name: /);
  expect(problem('format: 1\nextra: 1\n')).toBe('f.yaml, line 2: extra: there is no such field');
});

test('[PROF20] what is no YAML is told with its line, what is empty without', () => {
  expect(problem('format: 1\noperator: [\n')).toMatch(/^f.yaml, line 3: not valid YAML: \S/);
  expect(problem('')).toBe('f.yaml: the file is empty; it needs at least "format: 1"');
});
