import { expect, it } from 'vitest';
import type { Finding } from '../../shared/model/finding.ts';
import { closedFindings, findingsView } from '../testing/incident/findings.ts';
import { keys } from '../testing/incident/operator.ts';
import { landingPlace, worstFailing } from './useFirstLanding.ts';

const [first] = findingsView.findings as readonly [Finding, ...Finding[]];
const error: Finding = { ...first, severity: 'error' };

it('lands on Why of the key that fails worst, else on an open error, else on events', () => {
  const worst = worstFailing(keys);
  expect(worst?.key).toBe('billing/ledger-db');
  expect(landingPlace([error], worst)).toEqual({
    tab: 'why',
    object: 'db.example.com/Database/billing/ledger-db',
  });
  expect(landingPlace([error], undefined)).toEqual({ tab: 'findings' });
  expect(landingPlace([{ ...error, closedAt: '2026-11-30T14:15:00Z' }], undefined)).toEqual({
    tab: 'events',
  });
  expect(landingPlace(closedFindings.findings, undefined)).toEqual({ tab: 'events' });
});

it('takes no key for failing that works, is deleted or merely progresses', () => {
  const calm = keys.filter(
    ({ health }) => health === 'ok' || health === 'deleting' || health === 'progressing',
  );
  expect(calm.length).toBeGreaterThan(30);
  expect(worstFailing(calm)).toBeUndefined();
});
