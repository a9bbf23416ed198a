import type { ReactNode } from 'react';
import type { RbacLens } from '../../../shared/model/rbac.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { StateGlyph } from '../../widgets/StateGlyph.tsx';

/** Each binding that reaches the identity, and how many rules it brings. */
export function BindingsTable({ lens }: { readonly lens: RbacLens }): ReactNode {
  const { t, number } = useI18n();
  if (lens.reach.length === 0) return <p className="small secondary matrixNone">{t('rbac.bindings.none')}</p>;
  return (
    <table className="plainTable bindingsTable">
      <thead>
        <tr>
          <th scope="col">{t('rbac.bindings.binding')}</th>
          <th scope="col">{t('rbac.bindings.role')}</th>
          <th scope="col">{t('rbac.bindings.scope')}</th>
          <th scope="col" className="number">
            {t('rbac.bindings.rules')}
          </th>
        </tr>
      </thead>
      <tbody>
        {lens.reach.map(({ binding, role, roleExists, rules }) => (
          <tr key={`${binding.kind} ${binding.namespace} ${binding.name}`}>
            <th scope="row">
              <span className="tertiary">{binding.kind} </span>
              {binding.name}
            </th>
            <td>
              <span className="tertiary">{role.kind} </span>
              {role.name}
              {!roleExists && (
                <span className="inkFailed bindingMissing">
                  <StateGlyph state="failed" size={12} />
                  {t('rbac.bindings.missing')}
                </span>
              )}
            </td>
            <td className="secondary">{binding.namespace === '' ? t('state.all') : binding.namespace}</td>
            <td className="number">{number(rules)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
