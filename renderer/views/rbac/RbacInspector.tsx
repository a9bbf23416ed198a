import { CheckCheck, MousePointerClick, TriangleAlert } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Finding } from '../../../shared/model/finding.ts';
import type { RbacGap, RbacLens, RbacRow } from '../../../shared/model/rbac.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { CodePatch, toLines } from '../../widgets/CodePatch.tsx';
import { CopyButton, CopyIconButton } from '../../widgets/Copy.tsx';
import { Segmented } from '../../widgets/controls.tsx';
import { EmptyState, Section } from '../../widgets/parts.tsx';
import { StateGlyph } from '../../widgets/StateGlyph.tsx';
import { EvidenceList } from '../EvidenceList.tsx';
import { grantYaml } from '../informers/plural.ts';
import { ClosedNote } from './RbacVerdict.tsx';
import { RefusalSteps } from './RefusalSteps.tsx';
import { resourceOf } from './rbacWords.ts';

interface InspectorProps {
  readonly lens: RbacLens;
  readonly row: RbacRow | undefined;
}

/** Why it is refused, what proves it, what to apply. */
export function RbacInspector({
  lens,
  row,
  closed,
}: InspectorProps & { readonly closed: Finding | undefined }): ReactNode {
  const { t } = useI18n();
  if (row === undefined) {
    return (
      <EmptyState icon={<MousePointerClick size={20} strokeWidth={1.75} />} title={t('rbac.choose.title')}>
        {t('rbac.choose')}
      </EmptyState>
    );
  }
  const { gap } = row;
  return (
    <>
      <RowHead row={row} />
      {closed !== undefined && (
        <Section>
          <p className="small">
            <ClosedNote finding={closed} />
          </p>
        </Section>
      )}
      {gap === undefined ? (
        <Grants row={row} />
      ) : (
        <section className="section">
          <h3 className="label strong inspectorLabel">
            {t(gap.refusals > 0 ? 'rbac.inspect.why' : 'rbac.inspect.whyGap')}
          </h3>
          <RefusalSteps row={row} gap={gap} />
          <Review gap={gap} />
        </section>
      )}
      <Section title={t('rbac.evidence')}>
        {row.evidence.length === 0 ? (
          <p className="small tertiary">{t('rbac.evidence.none')}</p>
        ) : (
          <EvidenceList evidence={row.evidence} />
        )}
      </Section>
      {gap !== undefined && <Patch key={row.id} gap={gap} lens={lens} />}
    </>
  );
}

function RowHead({ row }: { readonly row: RbacRow }): ReactNode {
  const { t } = useI18n();
  const { gap } = row;
  return (
    <div className="inspectorHead">
      <StateGlyph
        state={gap === undefined ? 'ok' : gap.refusals > 0 ? 'failed' : 'degraded'}
        size={16}
        label={t(`rbac.group.${row.group}`)}
      />
      <h2 className="title">
        {gap !== undefined && `${gap.verbs.join(', ')} `}
        {resourceOf(row)}
      </h2>
      <span className="inspectorEnd">{row.scope === '' ? t('state.all') : row.scope}</span>
    </div>
  );
}

function Review({ gap }: { readonly gap: RbacGap }): ReactNode {
  const { t } = useI18n();
  if (gap.review === undefined) return null;
  return gap.review.agrees ? (
    <p className="small secondary reviewLine">
      <CheckCheck size={14} strokeWidth={1.75} aria-hidden="true" />
      {t('rbac.review.same')}
    </p>
  ) : (
    <p className="small inkDegraded reviewLine">
      <TriangleAlert size={14} strokeWidth={1.75} aria-hidden="true" />
      {t('rbac.review.allowed')}
    </p>
  );
}

function Grants({ row }: { readonly row: RbacRow }): ReactNode {
  const { t } = useI18n();
  return (
    <Section title={t('rbac.grants')}>
      {row.grants.length === 0 && <p className="small tertiary">{t('state.none')}</p>}
      {row.grants.map((path) => (
        <div
          key={`${path.binding.kind} ${path.binding.name} ${path.role.name} ${path.ruleIndex}`}
          className="grantPath small"
        >
          <p>
            <span className="tertiary">{path.role.kind} </span>
            {path.role.name}{' '}
            <span className="tertiary">{t('rbac.grants.rule', { n: path.ruleIndex + 1 })}</span>
          </p>
          <p className="tertiary">
            {path.binding.kind} {path.binding.name}
          </p>
          <p className="mono secondary">{path.rule.verbs.join(', ')}</p>
        </div>
      ))}
    </Section>
  );
}

function Patch(props: { readonly gap: RbacGap; readonly lens: RbacLens }): ReactNode {
  const { t, number } = useI18n();
  const { gap, lens } = props;
  const { patch, marker } = gap;
  const [form, setForm] = useState<'role' | 'marker'>('role');
  return (
    <section className="section">
      <div className="sectionHead">
        <h3 className="label strong">{t('rbac.patch')}</h3>
        <span className="label">{t('rbac.patch.you')}</span>
        <div className="sectionEnd">
          <Segmented<'role' | 'marker'>
            label={t('rbac.patch')}
            value={form}
            options={[
              { value: 'role', label: t('rbac.patch.role') },
              { value: 'marker', label: t('rbac.patch.marker') },
            ]}
            onChange={setForm}
          />
          <CopyButton text={form === 'role' ? patch.yaml : marker} />
        </div>
      </div>
      {form === 'role' ? (
        <CodePatch lines={patch.lines} label={t('rbac.patch')} />
      ) : (
        <>
          <p className="small secondary patchNote">{t('rbac.patch.marker.where')}</p>
          <div className="patchWrap">
            <CodePatch lines={toLines(marker, true)} label={t('rbac.patch.marker')} />
          </div>
        </>
      )}
      {form === 'role' && (
        <>
          {patch.create && (
            <p className="small secondary patchNote">
              {t('rbac.patch.create', { role: `${patch.role.kind} ${patch.role.name}` })}
            </p>
          )}
          {patch.note !== undefined && <p className="small secondary patchNote">{patch.note}</p>}
          <p className="label patchNote">{t('rbac.patch.command')}</p>
          <div className="commandLine">
            <code className="cut" title={patch.command}>
              {patch.command}
            </code>
            <CopyIconButton text={patch.command} label={`${t('action.copy')}: ${t('rbac.patch.command')}`} />
          </div>
        </>
      )}
      <p className="small secondary patchNote">
        {t('rbac.patch.never')}{' '}
        {t('rbac.patch.after', {
          n: number(Math.min(lens.needed, lens.covered + 1)),
          all: number(lens.needed),
        })}
      </p>
    </section>
  );
}

/** Grants cannot be read: what is needed to read them, as a rule for the user. */
export function UnreadableInspector({ lens, row }: InspectorProps): ReactNode {
  const { t } = useI18n();
  const missing = lens.unreadable.flatMap((name) => {
    const dot = name.indexOf('.');
    const resource = dot < 0 ? name : name.slice(0, dot);
    const group = dot < 0 ? '' : name.slice(dot + 1);
    return ['get', 'list', 'watch'].map((verb) => ({ verb, group, resource }));
  });
  const rule = grantYaml(missing);
  return (
    <>
      <div className="inspectorHead">
        <StateGlyph state="unknown" size={16} />
        <h2 className="title">{t('state.notEvaluated')}</h2>
      </div>
      <Section>
        <p className="small secondary">{t('rbac.unreadable.text')}</p>
        <ul className="unreadableList mono">
          {lens.unreadable.map((name) => (
            <li key={name}>{name}</li>
          ))}
        </ul>
      </Section>
      <Section
        title={t('rbac.unreadable.title')}
        end={<CopyButton kind="plain" text={rule} label={t('informers.missing.copy')} />}
      >
        <CodePatch lines={toLines(rule, true)} label={t('rbac.unreadable.title')} />
      </Section>
      {row !== undefined && row.evidence.length > 0 && (
        <Section title={t('rbac.evidence')}>
          <EvidenceList evidence={row.evidence} />
        </Section>
      )}
    </>
  );
}
