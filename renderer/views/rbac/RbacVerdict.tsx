import type { ReactNode } from 'react';
import type { Finding } from '../../../shared/model/finding.ts';
import type { RbacLens } from '../../../shared/model/rbac.ts';
import { useValueOf } from '../../client/useEngine.tsx';
import { formatStamp } from '../../format/format.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { useWindowStore } from '../../state/useWindow.tsx';
import { goTo } from '../../state/windowState.ts';
import { BasisMark } from '../../widgets/BasisMark.tsx';
import { Button } from '../../widgets/controls.tsx';
import { Verdict } from '../../widgets/parts.tsx';
import { StateGlyph } from '../../widgets/StateGlyph.tsx';
import { closedGap, identityName, resourceOf, tellsAttempts, worstGap } from './rbacWords.ts';

/** The gap named in the headline, or that there is none, or that nobody can say. */
export function RbacVerdict({ lens }: { readonly lens: RbacLens }): ReactNode {
  const { t, rich, number } = useI18n();
  const name = identityName(lens);
  const finding = useClosedGap(lens);
  const closed = finding === undefined ? undefined : <ClosedNote finding={finding} />;
  if (lens.unreadable.length > 0) {
    return <Verdict>{t('rbac.verdict.unreadable', { name })}</Verdict>;
  }
  const row = worstGap(lens.rows);
  if (row?.gap === undefined) {
    return (
      <Verdict note={closed}>
        {lens.needed === 0
          ? t('rbac.verdict.nothing', { name })
          : t('rbac.verdict.covered', { name, n: number(lens.needed) })}
      </Verdict>
    );
  }
  const { gap } = row;
  const what = (
    <span className="inkFailed">
      {t('rbac.verb.on', { verbs: gap.verbs.join(', '), resource: resourceOf(row) })}
    </span>
  );
  const others = lens.rows.filter((other) => other.gap !== undefined && other.id !== row.id);
  const untried = others.filter((other) => other.gap?.refusals === 0).length;
  return (
    <Verdict
      note={
        <>
          {closed}
          {gap.refusals === 0 && <AttachLink />}
          {row.lastEvidence !== undefined && <BasisMark basis={row.lastEvidence.basis} show="source" />}
          {untried > 0 && untried === others.length ? (
            <span>{t('rbac.note.moreUntried', { n: untried })}</span>
          ) : (
            others.length > 0 && <span>{t('rbac.note.more', { n: others.length })}</span>
          )}
        </>
      }
    >
      {gap.refusals > 0
        ? rich('rbac.verdict.refused', { what, n: gap.refusals })
        : rich('rbac.verdict.untried', { what })}
    </Verdict>
  );
}

/** Attempts are told by a log or an audit file: where neither is attached, the way to attach one. */
function AttachLink(): ReactNode {
  const { t } = useI18n();
  const store = useWindowStore();
  const told = useValueOf('feeds', {}, (s) => s.value && tellsAttempts(s.value.feeds));
  if (told !== false) return null;
  return (
    <Button
      small
      kind="quiet"
      onClick={() => {
        store.setState({ informerSegment: 'sources' });
        goTo(store, { tab: 'informers' });
      }}
    >
      {t('rbac.verdict.attach')}
    </Button>
  );
}

/** The missing status grant that was closed last in this session. */
export function useClosedGap(lens: RbacLens): Finding | undefined {
  return useValueOf('findings', {}, (s) => s.value && closedGap(lens, s.value.findings));
}

/** Since when it is granted, and by what. */
export function ClosedNote({ finding }: { readonly finding: Finding }): ReactNode {
  const { t } = useI18n();
  return (
    <span className="closedNote">
      <StateGlyph state="ok" size={12} />
      <span>
        {t('rbac.closed', { time: formatStamp(finding.closedAt ?? '').slice(0, 8) })}
        {finding.closedBecause !== undefined && ` ${finding.closedBecause}`}
      </span>
    </span>
  );
}
