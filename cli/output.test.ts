import { expect, test } from 'vitest';
import { findingRules } from '../core/findings/registry.ts';
import type { Finding } from '../shared/model/finding.ts';
import { exitCodeOf, exitCodeOfProblem } from './exitCodes.ts';
import { clean, reportJson, reportText, styleFor } from './output.ts';

function finding(fields: Partial<Finding> = {}): Finding {
  return {
    id: 'a',
    rule: 'rbac/missing-status-subresource',
    severity: 'error',
    subject: 'ServiceAccount/ops/dbop',
    title: 'a title',
    why: 'because',
    basis: { kind: 'reported', from: 'log' },
    fix: { text: 'add a rule', patch: '- op: add\n  path: /x\n', marker: '//+kubebuilder:rbac:x' },
    evidence: [{ text: 'line', basis: { kind: 'reported', from: 'log' }, file: 'operator.log', line: 3 }],
    openedAt: '2026-01-01T00:00:00Z',
    ...fields,
  };
}
const warning = finding({ id: 'b', severity: 'warning' });
const gap = { rule: 'rbac/x', reason: 'roles may not be listed', permission: 'list roles' };
const plain = { colour: false };

test('exit codes: the first that holds of error, warning, incomplete', () => {
  expect(exitCodeOf([], [], true)).toBe(0);
  expect(exitCodeOf([], [gap], false)).toBe(0);
  expect(exitCodeOf([], [gap], true)).toBe(5);
  expect(exitCodeOf([warning], [gap], true)).toBe(4);
  expect(exitCodeOf([warning, finding()], [gap], true)).toBe(3);
  expect(exitCodeOf([finding({ severity: 'info' })], [], true)).toBe(0);
  expect(exitCodeOf([finding({ closedAt: '2026-01-01T00:00:01Z' })], [], false)).toBe(0);
  const codes = [
    'missing',
    'no-such-context',
    'target-missing',
    'log-not-found',
    'unauthorized',
    'tls',
    'timeout',
  ];
  expect(codes.map((code) => exitCodeOfProblem({ code, message: '' }))).toEqual([2, 2, 2, 2, 1, 1, 1]);
});

test('JSON has the shape of format 1; closed findings are left out, errors come first', () => {
  const closed = finding({ id: 'c', closedAt: '2026-01-01T00:00:01Z' });
  const text = reportJson({
    asOf: '2026-01-01T00:00:00Z',
    findings: [warning, closed, finding()],
    notEvaluated: [gap],
  });
  expect(text.endsWith('}\n')).toBe(true);
  const document = JSON.parse(text) as { findings: { severity: string }[] };
  expect(document.findings.map((one) => one.severity)).toEqual(['error', 'warning']);
  expect(document).toMatchObject({ format: 1, asOf: '2026-01-01T00:00:00Z', notEvaluated: [gap] });
  expect(document.findings[0]).toEqual({
    rule: 'rbac/missing-status-subresource',
    severity: 'error',
    subject: 'ServiceAccount/ops/dbop',
    title: 'a title',
    why: 'because',
    basis: 'reported',
    fix: { text: 'add a rule', patch: '- op: add\n  path: /x\n', marker: '//+kubebuilder:rbac:x' },
    evidence: [{ file: 'operator.log', line: 3, text: 'line' }],
  });
});

test('text for people: each finding whole, what was not evaluated with its permission, a count', () => {
  const text = reportText(
    { asOf: '2026-01-01T00:00:00Z', findings: [finding(), warning], notEvaluated: [gap] },
    plain,
  );
  expect(text).toContain(
    [
      '✖ error  ServiceAccount/ops/dbop  rbac/missing-status-subresource',
      '  a title',
      '  because',
      '  reported by the operator (log)',
      '    operator.log:3  line',
      '  Fix  add a rule',
      '      - op: add',
      '        path: /x',
      '      //+kubebuilder:rbac:x',
      '',
    ].join('\n'),
  );
  expect(text).toContain('  ? rbac/x: roles may not be listed\n    would need: list roles\n');
  expect(text.endsWith('\n1 error, 1 warning, 1 not evaluated, as of 2026-01-01T00:00:00Z.\n')).toBe(true);
  expect(reportText({ asOf: 'T', findings: [], notEvaluated: [] }, plain)).toBe(
    `Nothing found, as of T. ${findingRules.length} rules judged: ${findingRules.map(({ id }) => id).join(', ')}.\n`,
  );
  expect(reportText({ asOf: 'T', findings: [finding()], notEvaluated: [] }, plain)).not.toContain('judged');
});

test('long reasons are wrapped, long evidence is cut, much evidence is counted', () => {
  const evidence = Array.from({ length: 6 }, (_, line) => ({
    text: 'x'.repeat(300),
    basis: { kind: 'reported', from: 'log' } as const,
    file: 'operator.log',
    line: line + 1,
  }));
  const text = reportText(
    { asOf: 'T', findings: [finding({ why: 'word '.repeat(60).trim(), evidence })], notEvaluated: [] },
    plain,
  );
  expect(text).toContain('    and 2 more\n');
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(190);
});

test('nothing of a log or an object drives the terminal', () => {
  const nasty = 'a\u001b[31mred\u001b[0m\u0007\u009b2J\u202egnp\nb\tc';
  expect(clean(nasty)).toBe('a�[31mred�[0m��2J�gnp b c');
  const text = reportText(
    { asOf: 'T', findings: [finding({ title: nasty, why: nasty, subject: nasty })], notEvaluated: [] },
    plain,
  );
  expect(text.includes('\u001b')).toBe(false);
});

test('colour only for a terminal that wants it', () => {
  expect(styleFor({ isTTY: true }, {}).colour).toBe(true);
  expect(styleFor({ isTTY: true }, { NO_COLOR: '1' }).colour).toBe(false);
  expect(styleFor({ isTTY: true }, { TERM: 'dumb' }).colour).toBe(false);
  expect(styleFor({}, {}).colour).toBe(false);
  const text = reportText({ asOf: 'T', findings: [finding()], notEvaluated: [] }, { colour: true });
  expect(text).toContain('\u001b[31m✖ error\u001b[0m');
});
