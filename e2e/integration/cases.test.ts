/**
 * Every case folder and recording that is at hand, judged by the product's own rules and compared with its
 * expected.json. Folders are handed from outside and not part of the repository: $LOOPSCOPE_CASES (folders, separated
 * like PATH), else ../shared/cases and ../shared/recordings beside the clone. Absent: skipped, visibly.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { checkCase } from '../../core/source/caseFolder/caseFolder.ts';

const judged = [
  'rbac/missing-status-subresource',
  'hotloop/self-triggered-status-write',
  'hotloop/field-fight',
  'hotloop/defaulting-diff',
  'conflict/stale-cache-write',
  'conflict/contended-object',
  'trace/stale-state',
  'trace/unobserved-state',
  'trace/intermediate-state',
] as const;

interface Expected {
  readonly findings: readonly { readonly id: string; readonly subject: string }[];
  readonly mustNotFind?: readonly string[];
  readonly neutral?: readonly string[];
}

const root = join(import.meta.dirname, '../..');
const named = process.env.LOOPSCOPE_CASES;
const homes =
  named === undefined || named === ''
    ? ['../shared/cases', '../shared/recordings'].map((folder) => join(root, folder))
    : named.split(delimiter);
const folders = homes.filter((home) => existsSync(home)).flatMap(caseFolders);

function caseFolders(home: string): string[] {
  return readdirSync(home)
    .sort()
    .map((name) => join(home, name))
    .filter((folder) => statSync(folder).isDirectory() && existsSync(join(folder, 'expected.json')));
}

/** What a person would have saved; expected.json and ground.json are for scoring only. */
function check(folder: string) {
  const files = readdirSync(folder)
    .filter((name) =>
      /^(cluster\.yaml|watch\.jsonl|operator\.log|metrics.*\.txt|audit\.jsonl|asof\.txt)$/.test(name),
    )
    .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
  return checkCase(files, (text) => parse(text));
}

describe.skipIf(folders.length === 0)('case folders', () => {
  it('are at hand (LOOPSCOPE_CASES, or ../shared beside the clone)', () => {
    expect(folders.length).toBeGreaterThan(0);
  });

  it.each(folders.map((folder) => [folder.split('/').at(-1) ?? folder, folder]))('%s', (_, folder) => {
    const expected = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as Expected;
    const { asOf, findings, problems } = check(folder);
    expect(problems).toEqual([]);
    const stated = join(folder, 'asof.txt');
    if (existsSync(stated)) expect(Date.parse(asOf)).toBe(Date.parse(readFileSync(stated, 'utf8').trim()));
    for (const rule of judged) {
      if (expected.neutral?.includes(rule)) continue;
      const found = findings.filter((finding) => finding.rule === rule && finding.severity !== 'info');
      const wanted = expected.findings.filter(({ id }) => id === rule);
      expect(found.map(({ subject }) => subject)).toEqual(wanted.map(({ subject }) => subject));
    }
  });
});
