import { expect, test } from 'vitest';
import { readArguments } from './usage.ts';

test('a wish for help and an unknown flag are no files', () => {
  expect(readArguments(['--help'])).toMatchObject({
    kind: 'help',
    text: expect.stringContaining('npm run conformance -- FILE'),
  });
  expect(readArguments(['a.jsonl', '-h'])).toMatchObject({ kind: 'help' });
  expect(readArguments(['--verbose', 'a.jsonl'])).toMatchObject({
    kind: 'wrong',
    text: expect.stringMatching(/^conformance has no flag --verbose\./),
  });
});

test('files are files, a dash in front of one too when it stands after --', () => {
  expect(readArguments([])).toEqual({ kind: 'run', files: [] });
  expect(readArguments(['a.jsonl', 'b.jsonl'])).toEqual({ kind: 'run', files: ['a.jsonl', 'b.jsonl'] });
  expect(readArguments(['--', '-odd.jsonl'])).toEqual({ kind: 'run', files: ['-odd.jsonl'] });
});
