import { describe, expect, it } from 'vitest';
import { checkJson } from './checkJson.ts';
import { evaluate } from './registry.ts';
import { cluster, findingInput, kindRules, refusedLine } from './testInput.ts';

describe('check --json', () => {
  it('has the shape of the design, open findings only', () => {
    const { findings, notEvaluated } = evaluate(findingInput(cluster(kindRules), { log: [refusedLine()] }));
    const closed = findings.map((finding) => ({ ...finding, closedAt: '2026-03-10T14:31:00Z' }));
    const json = checkJson({
      asOf: '2026-03-10T14:30:00Z',
      findings: [...findings, ...closed],
      notEvaluated,
    });
    expect(json.findings).toHaveLength(1);
    expect(Object.keys(json)).toEqual(['format', 'asOf', 'findings', 'notEvaluated']);
    expect(json.findings[0]).toMatchObject({
      rule: 'rbac/missing-status-subresource',
      severity: 'error',
      subject: 'ServiceAccount/dbops-system/database-operator',
      basis: 'reported',
      evidence: [
        { file: 'operator.log', line: 1 },
        { text: expect.stringContaining('ClusterRole manager') },
        {},
      ],
    });
    expect(Object.keys(json.findings[0] ?? {})).toEqual([
      'rule',
      'severity',
      'subject',
      'title',
      'why',
      'basis',
      'fix',
      'evidence',
    ]);
  });
});
