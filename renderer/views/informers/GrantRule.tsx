import type { ReactNode } from 'react';
import type { MissingGrant } from '../../../shared/contract/views/sources.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { CodePatch, toLines } from '../../widgets/CodePatch.tsx';
import { CopyButton } from '../../widgets/Copy.tsx';
import { grantYaml } from './plural.ts';

/** The rule that would allow what is missing, to copy. Loopscope never applies it. */
export function GrantRule({ missing }: { readonly missing: readonly MissingGrant[] }): ReactNode {
  const { t } = useI18n();
  const rule = grantYaml(missing);
  return (
    <div className="grantRule">
      <CodePatch lines={toLines(rule, true)} label={t('sources.blocked.rule')} />
      <CopyButton kind="plain" text={rule} label={t('sources.blocked.copy')} />
    </div>
  );
}
