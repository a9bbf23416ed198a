import { ShieldAlert, UserCog } from 'lucide-react';
import { type ReactNode, useMemo, useRef } from 'react';
import type { RbacLens, RbacRow } from '../../../shared/model/rbac.ts';
import { ViewFrame } from '../../app/ViewFrame.tsx';
import { useValue } from '../../client/useEngine.tsx';
import { useI18n } from '../../i18n/i18n.tsx';
import { needSchema } from '../../state/listSchemas.ts';
import { useListFilter } from '../../state/useListFilter.ts';
import { useWindow, useWindowStore } from '../../state/useWindow.tsx';
import { useViewAction } from '../../state/viewActions.tsx';
import type { WindowState } from '../../state/windowState.ts';
import { writeClipboard } from '../../widgets/Copy.tsx';
import { Cut } from '../../widgets/Cut.tsx';
import { Segmented } from '../../widgets/controls.tsx';
import { FilterField } from '../../widgets/FilterField.tsx';
import { NoMatch } from '../../widgets/NoMatch.tsx';
import { EmptyState, ProblemLine, Skeleton } from '../../widgets/parts.tsx';
import { useHighlight } from '../../widgets/useHighlight.ts';
import { reasonWord } from '../reasonWords.ts';
import { BindingsTable } from './BindingsTable.tsx';
import { NeedsMatrix } from './NeedsMatrix.tsx';
import { RbacInspector, UnreadableInspector } from './RbacInspector.tsx';
import { RbacVerdict, useClosedGap } from './RbacVerdict.tsx';
import { rowOfFinding } from './rbacWords.ts';
import '../objectHead.css';
import './rbac.css';

type Segment = WindowState['rbacSegment'];

/** What the operator needs against what it is granted: gaps first, each with its patch. */
export function RbacView(): ReactNode {
  const { t } = useI18n();
  const { value, state, error } = useValue('rbac', {});
  if (value === undefined) {
    return (
      <ViewFrame tab="rbac">
        {state === 'failed' ? (
          <ProblemLine text={t('state.failed', { why: error ?? '' })} />
        ) : (
          <Skeleton lines={8} />
        )}
      </ViewFrame>
    );
  }
  if (value.lens === undefined) {
    return (
      <ViewFrame tab="rbac">
        <EmptyState icon={<ShieldAlert size={20} strokeWidth={1.75} />} title={t('rbac.none.title')}>
          {t(reasonWord(value.reason)?.key ?? 'rbac.none')}
        </EmptyState>
      </ViewFrame>
    );
  }
  return <Lens lens={value.lens} />;
}

function Lens({ lens }: { readonly lens: RbacLens }): ReactNode {
  const { t } = useI18n();
  const store = useWindowStore();
  const wanted = useWindow((s) => s.rbacRow);
  const segment = useWindow((s) => s.rbacSegment);
  const unreadable = lens.unreadable.length > 0;
  const rows = useMemo(
    () => (segment === 'unused' ? lens.rows.filter((row) => row.group === 'unused') : lens.rows),
    [lens.rows, segment],
  );
  const filter = useListFilter('rbac', needSchema);
  const shown = rows.filter(filter.test);
  const view = useRef<HTMLDivElement>(null);
  useHighlight(view, filter.words);
  const closed = useClosedGap(lens);
  const mended = closed && rowOfFinding(closed, rows);
  const chosen = rows.find((row) => row.id === wanted) ?? rows.find((row) => row.gap !== undefined) ?? mended;
  function select(row: RbacRow) {
    store.setState({ rbacRow: row.id });
  }
  const patch = chosen?.gap?.patch.yaml;
  useViewAction('copy', patch === undefined ? undefined : () => void writeClipboard(patch));
  return (
    <ViewFrame
      tab="rbac"
      head={
        <LensHead
          lens={lens}
          segment={segment}
          filter={
            segment === 'bindings' ? undefined : (
              <FilterField
                fold
                className="listFilter"
                label={t('rbac.filter')}
                {...filter.field}
                count={{ shown: shown.length, n: rows.length }}
                onList={() => view.current?.querySelector<HTMLElement>('[role="grid"]')?.focus()}
              />
            )
          }
        />
      }
      inspector={
        unreadable ? (
          <UnreadableInspector lens={lens} row={chosen} />
        ) : (
          <RbacInspector
            lens={lens}
            row={chosen}
            closed={chosen !== undefined && chosen.id === mended?.id ? closed : undefined}
          />
        )
      }
    >
      <div className="viewScroll" ref={view}>
        <RbacVerdict lens={lens} />
        {segment === 'bindings' ? (
          <BindingsTable lens={lens} />
        ) : shown.length === 0 && !filter.all ? (
          <NoMatch text={filter.text} onClear={filter.clear} />
        ) : (
          <NeedsMatrix lens={lens} rows={shown} selected={chosen?.id} onSelect={select} />
        )}
      </div>
    </ViewFrame>
  );
}

function LensHead(props: {
  readonly lens: RbacLens;
  readonly segment: Segment;
  readonly filter: ReactNode;
}): ReactNode {
  const { t, number } = useI18n();
  const store = useWindowStore();
  const { identity, bindings, roles, rules, unreadable } = props.lens;
  const account = identity.serviceAccount;
  return (
    <>
      <UserCog size={16} strokeWidth={1.75} className="secondary rbacIcon" aria-hidden="true" />
      <nav className="crumbs">
        {account === undefined ? (
          <>
            <span className="secondary">{t('rbac.head.user')}</span>
            <i>/</i>
            <Cut className="title" text={identity.user} />
          </>
        ) : (
          <>
            <span className="secondary rbacKind">ServiceAccount</span>
            <i>/</i>
            <span className="secondary">{account.namespace}</span>
            <i>/</i>
            <Cut className="title" text={account.name} />
          </>
        )}
      </nav>
      {unreadable.length === 0 && (
        <Cut
          className="small secondary"
          text={t('rbac.head.counts', {
            bindings: number(bindings),
            roles: number(roles),
            rules: number(rules),
          })}
        />
      )}
      <div className="viewHeadEnd">
        {props.filter}
        <Segmented<Segment>
          label={t('rbac.segment')}
          value={props.segment}
          options={(['matrix', 'bindings', 'unused'] as const).map((value) => ({
            value,
            label: t(`rbac.segment.${value}`),
          }))}
          onChange={(rbacSegment) => store.setState({ rbacSegment })}
        />
      </div>
    </>
  );
}
