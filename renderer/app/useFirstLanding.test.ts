import { expect, it } from 'vitest';
import type { Finding } from '../../shared/model/finding.ts';
import { closedFindings, findingsView } from '../testing/incident/findings.ts';
import { landingTab } from './useFirstLanding.ts';

const [first] = findingsView.findings as readonly [Finding, ...Finding[]];

it('lands on an open error, else on failing keys, else on events', () => {
  const error: Finding = { ...first, severity: 'error' };
  expect(landingTab([error], true)).toBe('findings');
  expect(landingTab([{ ...first, severity: 'warning' }], true)).toBe('queue');
  expect(landingTab([{ ...error, closedAt: '2026-11-30T14:15:00Z' }], false)).toBe('events');
  expect(landingTab(closedFindings.findings, false)).toBe('events');
  expect(landingTab([], false)).toBe('events');
});
