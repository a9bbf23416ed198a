import { ShieldAlert } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Finding, Fix } from '../../../shared/model/finding.ts';
import { formatStamp } from '../../format/format.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { useWindowStore } from '../../state/useWindow.tsx';
import { goTo } from '../../state/windowState.ts';
import { BasisMark } from '../../widgets/BasisMark.tsx';
import { CodePatch, toLines } from '../../widgets/CodePatch.tsx';
import { CopyButton } from '../../widgets/Copy.tsx';
import { Button, Pill, Segmented } from '../../widgets/controls.tsx';
import { KeyValue, Section } from '../../widgets/parts.tsx';
import { StateGlyph } from '../../widgets/StateGlyph.tsx';
import { EvidenceList } from '../EvidenceList.tsx';
import { severityGlyph } from './FindingsView.tsx';

/** One finding: what it is, why, what proves it, what to apply. */
export function FindingInspector({ finding }: { readonly finding: Finding }): ReactNode {
  const { t } = useI18n();
  const store = useWindowStore();
  const closed = finding.closedAt !== undefined;
  return (
    <>
      <div className="inspectorHead">
        <StateGlyph
          state={closed ? 'ok' : severityGlyph[finding.severity]}
          size={16}
          label={t(`findings.severity.${finding.severity}`)}
        />
        <h2 className="title">{finding.title}</h2>
      </div>
      <section className="section findingFirst">
        {closed && (
          <div className="findingClosed">
            <Pill tone="ok" glyph="ok">
              {t('findings.closed.at', { time: formatStamp(finding.closedAt ?? '') })}
            </Pill>
            {finding.closedBecause !== undefined && <p className="small">{finding.closedBecause}</p>}
          </div>
        )}
        <p className="small secondary findingWhy">{finding.why}</p>
        <KeyValue
          items={[
            [t('findings.inspect.subject'), finding.subject],
            [
              t('findings.inspect.rule'),
              <code key="rule" className="findingRuleCode">
                {finding.rule}
              </code>,
            ],
            [
              t('findings.inspect.opened'),
              <span key="opened" className="findingOpened">
                <span className="mono">{formatStamp(finding.openedAt)}</span>
                <BasisMark basis={finding.basis} show="source" />
              </span>,
            ],
          ]}
        />
        {finding.rule.startsWith('rbac/') && (
          <div className="inspectorActions">
            <Button
              small
              icon={<ShieldAlert size={14} strokeWidth={1.75} />}
              onClick={() => goTo(store, { tab: 'rbac' })}
            >
              {t('findings.inspect.rbac')}
            </Button>
          </div>
        )}
      </section>
      <Section title={t('findings.inspect.evidence', { n: finding.evidence.length })}>
        <EvidenceList evidence={finding.evidence} />
      </Section>
      <FixPart key={finding.id} fix={finding.fix} />
    </>
  );
}

function FixPart({ fix }: { readonly fix: Fix }): ReactNode {
  const { t } = useI18n();
  const [form, setForm] = useState<'patch' | 'marker'>(fix.patch === undefined ? 'marker' : 'patch');
  const code = form === 'patch' ? fix.patch : fix.marker;
  return (
    <section className="section">
      <div className="sectionHead">
        <h3 className="label strong">{t('findings.inspect.fix')}</h3>
        <div className="sectionEnd">
          {fix.patch !== undefined && fix.marker !== undefined && (
            <Segmented<'patch' | 'marker'>
              label={t('findings.inspect.fix')}
              value={form}
              options={[
                { value: 'patch', label: t('rbac.patch.role') },
                { value: 'marker', label: t('rbac.patch.marker') },
              ]}
              onChange={setForm}
            />
          )}
          {code !== undefined && <CopyButton text={code} />}
        </div>
      </div>
      <p className="small secondary fixText">{fix.text}</p>
      {code !== undefined && (
        <div className={form === 'marker' ? 'patchWrap' : ''}>
          <CodePatch lines={toLines(code, true)} label={t('findings.inspect.fix')} />
        </div>
      )}
      <p className="label fixNever">{t('findings.inspect.never')}</p>
    </section>
  );
}
