import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import type { RbacGap, RbacRow } from '../../../shared/model/rbac.ts';
import { I18nProvider } from '../../i18n/i18n.tsx';
import { rbacView } from '../../testing/incident/rbac.ts';
import { RefusalSteps } from './RefusalSteps.tsx';

const row = rbacView.lens?.rows[0] as RbacRow;
const gap = row.gap as RbacGap;

function textOf(steps: RbacGap['steps'], locale: 'en' | 'zh-CN'): string {
  const html = renderToStaticMarkup(
    <I18nProvider locale={locale}>
      <RefusalSteps row={row} gap={{ ...gap, steps }} />
    </I18nProvider>,
  );
  return html.replace(/<\/li>/g, '\n').replace(/<[^>]+>/g, '');
}

describe('RefusalSteps', () => {
  it('tells in English what reaches the identity, the nearest rule and that nothing else allows it', () => {
    expect(textOf(gap.steps, 'en').trim().split('\n')).toEqual([
      '113 rules reach this identity through 2 ClusterRoleBindings and 1 RoleBinding.',
      '2Nearest rule: database-operator-manager #1 grants update on databases. A rule on databases does not cover databases/status.',
      '3No rule names databases/status, */status, * in db.example.com. RBAC has no deny; nothing allows it, so it is refused.',
    ]);
  });
  it('tells the same in Chinese, API words untouched', () => {
    const text = textOf(gap.steps, 'zh-CN');
    expect(text).toContain('databases/status');
    expect(text).toContain('RBAC 没有拒绝规则');
    expect(text).not.toMatch(/[{}]/);
  });
  it('has a sentence for an identity without bindings and for a role that is missing', () => {
    const steps: RbacGap['steps'] = [
      { kind: 'reach', rules: 0, clusterRoleBindings: 0, roleBindings: 0 },
      {
        kind: 'missingRole',
        binding: { kind: 'RoleBinding', namespace: 'a', name: 'b' },
        role: { kind: 'Role', namespace: 'a', name: 'gone' },
      },
    ];
    expect(textOf(steps, 'en').trim().split('\n')).toEqual([
      '1No binding names this identity.',
      '2RoleBinding b names Role gone, which does not exist: it grants nothing.',
    ]);
  });
  it.each(['subresource', 'verb', 'scope', 'resourceName', 'apiGroup'] as const)(
    'explains lacks: %s',
    (lacks) => {
      const nearest = gap.steps.find((step) => step.kind === 'nearest');
      if (nearest === undefined) throw new Error('the incident has a nearest rule');
      const text = textOf([{ ...nearest, lacks }], 'en');
      expect(text.length).toBeGreaterThan(
        '1Nearest rule: database-operator-manager #1 grants update on databases. '.length,
      );
      expect(text).not.toMatch(/[{}]/);
    },
  );
});
