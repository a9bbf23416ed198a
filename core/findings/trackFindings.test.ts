import { describe, expect, it } from 'vitest';
import { evaluate } from './registry.ts';
import { cluster, findingId, findingInput, kindRules, refusedLine, statusRule } from './testInput.ts';
import { trackFindings } from './trackFindings.ts';

const refused = { log: [refusedLine(3)] };
const open = evaluate(findingInput(cluster(kindRules), refused));
const granted = evaluate(findingInput(cluster([...kindRules, statusRule]), refused));
const t1 = '2026-03-10T14:30:00Z';
const t2 = '2026-03-10T14:31:00Z';
const t3 = '2026-03-10T14:32:00Z';

describe('findings over time', () => {
  it('opens at the first evidence and keeps that time while it lasts', () => {
    const first = trackFindings([], open, t1);
    expect(first.opened.map(({ id, openedAt }) => [id, openedAt])).toEqual([
      [findingId, '2026-03-10T14:03:52Z'],
    ]);
    const second = trackFindings(
      first.findings,
      evaluate(findingInput(cluster(kindRules), { log: [refusedLine(1)] })),
      t2,
    );
    expect(second.opened).toEqual([]);
    expect(second.findings.map(({ openedAt }) => openedAt)).toEqual(['2026-03-10T14:03:52Z']);
  });

  it('closes with who granted it', () => {
    const first = trackFindings([], open, t1);
    const second = trackFindings(first.findings, granted, t2);
    expect(second.closed).toEqual([
      {
        ...first.findings[0],
        closedAt: t2,
        closedBecause:
          'ClusterRole manager now grants update on databases/status (rv 482044, changed by kubectl-patch)',
      },
    ]);
    const third = trackFindings(second.findings, granted, t3);
    expect(third.closed).toEqual([]);
    expect(third.findings).toEqual(second.findings);
  });

  it('opens anew when the cause comes back, at that time', () => {
    const closed = trackFindings(trackFindings([], open, t1).findings, granted, t2).findings;
    const again = trackFindings(closed, open, t3);
    expect(again.opened.map(({ openedAt }) => openedAt)).toEqual([t3]);
    expect(again.findings).toHaveLength(1);
    expect(again.findings[0]?.closedAt).toBeUndefined();
  });

  it('keeps open what can no longer be evaluated, and closes what is merely gone', () => {
    const first = trackFindings([], open, t1);
    const rule = 'rbac/missing-status-subresource';
    const blind = {
      findings: [],
      resolved: [],
      notEvaluated: [{ rule, reason: 'r', permission: 'list roles' }],
    };
    expect(trackFindings(first.findings, blind, t2).closed).toEqual([]);
    const other = { ...blind, notEvaluated: [{ rule, reason: 'no binding names somebody else' }] };
    expect(trackFindings(first.findings, other, t2).closed[0]?.closedBecause).toBe(
      'its evidence is no longer there',
    );
  });
});
