import { ArrowUp, LoaderCircle, ScrollText } from 'lucide-react';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import { spanSchema } from '../../../shared/contract/views/spanFilter.ts';
import type { ControllerProfile } from '../../../shared/model/profile.ts';
import { useTable, useValueOf } from '../../client/useEngine.tsx';
import { useI18n } from '../../i18n/i18n.tsx';
import { useForbidden } from '../../state/useForbidden.ts';
import { useListFilter } from '../../state/useListFilter.ts';
import { useWindow, useWindowStore } from '../../state/useWindow.tsx';
import { useViewAction } from '../../state/viewActions.tsx';
import { goTo, openSpan, selectSpan } from '../../state/windowState.ts';
import { Button, KeyHint, Pill } from '../../widgets/controls.tsx';
import { DataGrid, type GridHandle } from '../../widgets/DataGrid.tsx';
import { FilterField } from '../../widgets/FilterField.tsx';
import { NoMatch } from '../../widgets/NoMatch.tsx';
import { EmptyState, ProblemLine, Skeleton } from '../../widgets/parts.tsx';
import { StateGlyph } from '../../widgets/StateGlyph.tsx';
import { useSettled } from '../events/useSettled.ts';
import { useHeld } from './held.ts';
import { hasTerm, quickFilters, toggleTerm } from './reconcileChips.ts';
import { useReconcileColumns } from './reconcileColumns.tsx';
import { newestFirst } from './runOrder.ts';
import { percentDone } from './spanWords.ts';
import { useRunSteps } from './useRunSteps.ts';
import './reconciles.css';

const limit = 2000;

/** Every run of one controller, newest first: live, and still while one reads further down. */
export function ReconcileList({ controller }: { readonly controller: ControllerProfile }): ReactNode {
  const { t } = useI18n();
  const store = useWindowStore();
  const filter = useListFilter('reconciles', spanSchema);
  const settled = useSettled(filter.text, 150);
  const table = useTable('spans', { controller: controller.name, text: settled, limit });
  const sorted = useMemo(() => newestFirst(table.rows), [table.rows]);
  const [away, setAway] = useState(false);
  const { rows, fresh } = useHeld(sorted, away);
  const selected = useWindow((s) => s.span);
  const grid = useRef<GridHandle>(null);
  const columns = useReconcileColumns();
  function toLive() {
    setAway(false);
    grid.current?.scrollToIndex(0);
  }
  useViewAction('live', away ? toLive : undefined);
  useRunSteps(rows, selected, (row, index) => {
    selectSpan(store, row.id);
    grid.current?.scrollToIndex(index);
  });
  const chosen = rows.find((row) => row.id === selected);
  useViewAction('open', chosen === undefined ? undefined : () => openSpan(store, chosen));
  const revision = useValueOf('revision', {}, (s) => s.value);
  const isFirst = revision?.first === true;
  const pending = table.state === 'loading' || settled !== filter.text;
  return (
    <div className="reconciles">
      <div className="reconcilesBar">
        <FilterField
          className="reconcilesFilter"
          label={t('reconciles.filter')}
          placeholder={t('reconciles.filter.placeholder')}
          {...filter.field}
          onList={() => grid.current?.focus()}
        />
        <QuickFilters text={filter.text} onChange={filter.field.onChange} />
        <span className="reconcilesEnd">
          {table.dropped > 0 && <Pill tone="gap">{t('state.dropped', { n: table.dropped })}</Pill>}
          <span className="small tertiary whole">
            {isFirst
              ? t('reconciles.notYet')
              : table.total > rows.length
                ? t('reconciles.newest', { shown: rows.length, n: table.total })
                : t('reconciles.count', { n: rows.length })}
          </span>
          {away && (
            <Button small icon={<ArrowUp size={14} strokeWidth={1.75} />} onClick={toLive}>
              {fresh === 0 ? t('events.backToLive') : t('reconciles.new', { n: fresh })}
              <KeyHint keys="L" />
            </Button>
          )}
        </span>
      </div>
      {table.state === 'failed' && <ProblemLine text={t('state.failed', { why: table.error ?? '' })} />}
      {table.state === 'loading' || (pending && rows.length === 0) ? (
        <Skeleton lines={8} />
      ) : (
        <DataGrid
          handle={grid}
          id="reconciles"
          label={t('queue.part.reconciles')}
          columns={columns}
          rows={rows}
          highlight={filter.words}
          rowKey={(row) => row.id}
          rowHeight={28}
          selected={selected}
          onSelect={(row) => selectSpan(store, row.id)}
          onOpen={(row) => openSpan(store, row)}
          onScrollTop={(top) => setAway(top > 2)}
          empty={
            isFirst ? (
              <EmptyState
                icon={<LoaderCircle size={20} strokeWidth={1.75} aria-hidden="true" />}
                title={t('revision.first.title')}
              >
                {t('revision.first', { percent: percentDone(revision?.done ?? 0, revision?.total ?? 0) })}
              </EmptyState>
            ) : filter.all ? (
              <NothingRan controller={controller} />
            ) : (
              <NoMatch text={filter.text} onClear={filter.clear} />
            )
          }
        />
      )}
    </div>
  );
}

function QuickFilters(props: {
  readonly text: string;
  readonly onChange: (text: string) => void;
}): ReactNode {
  const { t } = useI18n();
  return (
    <fieldset className="quickFilters">
      <legend className="visuallyHidden">{t('reconciles.chips')}</legend>
      {quickFilters.map(({ id, term }) => (
        <Button
          key={id}
          small
          title={term}
          aria-pressed={hasTerm(props.text, term)}
          onClick={() => props.onChange(toggleTerm(props.text, term))}
        >
          {t(`reconciles.chip.${id}`)}
        </Button>
      ))}
    </fieldset>
  );
}

/** Why there is nothing: what may not be read, else what would show runs, one press away. */
function NothingRan({ controller }: { readonly controller: ControllerProfile }): ReactNode {
  const { t } = useI18n();
  const store = useWindowStore();
  const kind = controller.for.value;
  const forbidden = useForbidden(kind);
  return (
    <EmptyState
      icon={
        forbidden ? <StateGlyph state="unknown" size={20} /> : <ScrollText size={20} strokeWidth={1.75} />
      }
      title={t(forbidden ? 'state.notEvaluated' : 'reconciles.empty.title')}
      actions={
        <Button
          onClick={() => {
            store.setState({ informerSegment: forbidden ? 'informers' : 'sources' });
            goTo(store, { tab: 'informers' });
          }}
        >
          {t(forbidden ? 'events.missing' : 'reconciles.sources')}
        </Button>
      }
    >
      {forbidden ? t('reconciles.empty.forbidden', { kind }) : t('reconciles.empty')}
    </EmptyState>
  );
}
