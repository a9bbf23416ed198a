import type { ReactNode } from 'react';
import { assertNever } from '../../../shared/base/assert.ts';
import type { RbacGap, RbacRow, RbacStep } from '../../../shared/model/rbac.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { resourceOf } from './rbacWords.ts';

/** "Why it is refused", in causal order, a whole sentence each. */
export function RefusalSteps({ row, gap }: { readonly row: RbacRow; readonly gap: RbacGap }): ReactNode {
  return (
    <ol className="refusalSteps small">
      {gap.steps.map((step, index) => {
        const id = `${index} ${step.kind}`;
        return (
          <li key={id}>
            <span className="tertiary">{index + 1}</span>
            <span>
              <Step step={step} row={row} />
            </span>
          </li>
        );
      })}
    </ol>
  );
}

function Step({ step, row }: { readonly step: RbacStep; readonly row: RbacRow }): ReactNode {
  const { t, rich, number } = useI18n();
  switch (step.kind) {
    case 'reach':
      return step.rules === 0
        ? t('rbac.step.reach.none')
        : t('rbac.step.reach', {
            rules: number(step.rules),
            cluster: t('rbac.step.reach.cluster', { n: step.clusterRoleBindings }),
            local: t('rbac.step.reach.local', { n: step.roleBindings }),
          });
    case 'missingRole':
      return t('rbac.step.missingRole', {
        binding: `${step.binding.kind} ${step.binding.name}`,
        role: `${step.role.kind} ${step.role.name}`,
      });
    case 'nearest':
      return (
        <>
          {rich('rbac.step.nearest', {
            rule: <code>{`${step.path.role.name} #${step.path.ruleIndex + 1}`}</code>,
            verbs: step.verbs.join(', '),
            resource: <code>{step.resource}</code>,
          })}{' '}
          <Lacks step={step} row={row} />
        </>
      );
    case 'noRule':
      return rich('rbac.step.noRule', {
        resources: <CodeList items={step.resources} />,
        group: step.apiGroup === '' ? t('rbac.step.core') : step.apiGroup,
      });
    default:
      return assertNever(step);
  }
}

function Lacks(props: {
  readonly step: RbacStep & { readonly kind: 'nearest' };
  readonly row: RbacRow;
}): ReactNode {
  const { rich, t } = useI18n();
  const { step, row } = props;
  switch (step.lacks) {
    case 'subresource':
      return rich('rbac.lacks.subresource', {
        resource: <code>{step.resource}</code>,
        wanted: <code>{resourceOf(row)}</code>,
      });
    case 'verb':
      return rich('rbac.lacks.verb', { wanted: <code>{row.gap?.verbs.join(', ')}</code> });
    case 'scope':
      return rich('rbac.lacks.scope', {
        wanted: step.path.scope === '' ? t('state.all') : <code>{step.path.scope}</code>,
      });
    case 'resourceName':
      return t('rbac.lacks.resourceName');
    case 'apiGroup':
      return t('rbac.lacks.apiGroup');
    default:
      return assertNever(step.lacks);
  }
}

function CodeList({ items }: { readonly items: readonly string[] }): ReactNode {
  return items.map((item, index) => (
    <span key={item}>
      {index > 0 && ', '}
      <code>{item}</code>
    </span>
  ));
}
