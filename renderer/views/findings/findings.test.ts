import { expect, it } from 'vitest';
import { createI18n } from '../../i18n/i18n.tsx';
import { findingsView } from '../../testing/incident/findings.ts';
import { compareFindings, headline } from './FindingsView.tsx';

const en = createI18n('en').t;
const zh = createI18n('zh-CN').t;

it('sorts open before closed and errors before warnings', () => {
  const sorted = [...findingsView.findings].reverse().sort(compareFindings);
  expect(sorted.map((finding) => finding.rule)).toEqual([
    'rbac/missing-status-subresource',
    'rbac/missing-list-watch',
    'conditions/observed-generation-lag',
  ]);
});

it('says what is open, else what that rests on', () => {
  const error = { severity: 'error' as const };
  const warning = { severity: 'warning' as const };
  expect(headline([error, warning, error], 1, 0, en)).toBe('2 errors, 1 warning');
  expect(headline([error, warning, { severity: 'info' }], 0, 0, en)).toBe('1 error, 1 warning, 1 note');
  expect(headline([warning], 0, 0, en)).toBe('1 warning');
  expect(headline([], 2, 0, en)).toBe('Nothing is wrong now. 2 findings were closed.');
  expect(headline([], 0, 3, en)).toBe('3 rules could not be judged.');
  expect(headline([], 0, 0, en)).toBe('No finding is open.');
  expect(headline([error, warning], 0, 0, zh)).toBe('1 个错误，1 个警告');
});
