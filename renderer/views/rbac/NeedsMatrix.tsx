// biome-ignore-all lint/a11y/useSemanticElements: an ARIA grid: one Tab stop holds the keys, which table elements cannot do
// biome-ignore-all lint/a11y/useFocusableInteractive: an ARIA grid: focus stays on the grid, a row is its active descendant
import { ChevronDown, ChevronRight } from 'lucide-react';
import {
  type CSSProperties,
  Fragment,
  type KeyboardEvent,
  memo,
  type ReactNode,
  useId,
  useMemo,
  useState,
} from 'react';
import type { RbacCellState, RbacLens, RbacRow, RbacRowGroup } from '../../../shared/model/rbac.ts';
import { useValueOf } from '../../client/useEngine.tsx';
import { formatStamp, missing } from '../../format/format.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { useMoment } from '../../state/useConnection.ts';
import { BasisMark } from '../../widgets/BasisMark.tsx';
import { stepOf } from '../../widgets/DataGrid.tsx';
import { StateGlyph } from '../../widgets/StateGlyph.tsx';
import { Tip } from '../../widgets/Tip.tsx';
import {
  emptyWord,
  identityName,
  isEveryones,
  resourceOf,
  shortGroup,
  shortRole,
  verbColumns,
} from './rbacWords.ts';

export interface NeedsMatrixProps {
  readonly lens: RbacLens;
  readonly rows: readonly RbacRow[];
  readonly selected: string | undefined;
  readonly onSelect: (row: RbacRow) => void;
}

const groups: readonly RbacRowGroup[] = ['gap', 'used', 'unused'];

/** Rows: what is needed or granted. Columns: verbs. The order gaps → used → never used is fixed. */
export function NeedsMatrix(props: NeedsMatrixProps): ReactNode {
  const { t, number } = useI18n();
  const id = useId();
  const { lens, rows, selected, onSelect } = props;
  const unreadable = lens.unreadable.length > 0;
  const verbs = useMemo(() => verbColumns(lens.rows), [lens.rows]);
  const [everyones, own] = useMemo(
    () => [rows.filter(isEveryones), rows.filter((row) => !isEveryones(row))],
    [rows],
  );
  const [unfolded, setUnfolded] = useState(false);
  const [onFold, setOnFold] = useState(false);
  // A row that is selected is never hidden.
  const open = unfolded || everyones.some((row) => row.id === selected);
  const shown = groups.map((group) => ({ group, members: own.filter((row) => row.group === group) }));
  /** Where the arrow keys stop, from top to bottom: rows, and the line that folds. */
  const stops: readonly (RbacRow | 'fold')[] = [
    ...shown.flatMap((part) => part.members),
    ...(everyones.length > 0 ? (['fold'] as const) : []),
    ...(open ? everyones : []),
  ];
  const active = onFold ? `${id}-fold` : selected === undefined ? undefined : `${id}-${selected}`;
  function select(row: RbacRow) {
    setOnFold(false);
    onSelect(row);
  }
  function fold(open: boolean) {
    setUnfolded(open);
    setOnFold(true);
    const first = own[0];
    if (!open && first !== undefined && everyones.some((row) => row.id === selected)) onSelect(first);
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    if (onFold && ['Enter', ' ', 'ArrowRight', 'ArrowLeft'].includes(event.key)) {
      event.preventDefault();
      fold(event.key === 'ArrowRight' || (event.key !== 'ArrowLeft' && !open));
      return;
    }
    const at = stops.findIndex((stop) => (stop === 'fold' ? onFold : !onFold && stop.id === selected));
    const target = stepOf(event.key, at, 10, stops.length);
    const stop = target === undefined ? undefined : stops[Math.max(0, Math.min(stops.length - 1, target))];
    if (stop === undefined) return;
    event.preventDefault();
    if (stop === 'fold') setOnFold(true);
    else select(stop);
    const name = stop === 'fold' ? stop : stop.id;
    document.getElementById(`${id}-${name}`)?.scrollIntoView({ block: 'nearest' });
  }
  if (stops.length === 0) return <p className="small secondary matrixNone">{t(emptyWord(lens))}</p>;
  function lines(members: readonly RbacRow[]): ReactNode {
    return (
      <div role="rowgroup">
        {members.map((row) => (
          <MatrixRow
            key={row.id}
            id={`${id}-${row.id}`}
            row={row}
            verbs={verbs}
            unreadable={unreadable}
            identity={identityName(lens)}
            selected={row.id === selected}
            onSelect={select}
          />
        ))}
      </div>
    );
  }
  return (
    <>
      <div
        className="matrix"
        style={{ '--verbs': verbs.length } as CSSProperties}
        role="grid"
        aria-label={t('rbac.segment.matrix')}
        aria-activedescendant={active}
        tabIndex={0}
        data-region-list="true"
        onKeyDown={onKeyDown}
        onBlur={() => setOnFold(false)}
      >
        <div className="matrixHead" role="rowgroup">
          <div className="matrixRow" role="row">
            <span role="columnheader">{t('rbac.column.resource')}</span>
            {verbs.map((verb) => (
              <span key={verb} role="columnheader" className="matrixVerb">
                {verb}
              </span>
            ))}
            <span role="columnheader" className="matrixGrant">
              {t('rbac.column.granted')}
            </span>
            <span role="columnheader" className="matrixEvidence">
              {t('rbac.column.evidence')}
            </span>
          </div>
        </div>
        {shown.map(({ group, members }) =>
          members.length === 0 ? null : (
            <Fragment key={group}>
              <div className="matrixGroup" role="rowgroup">
                <div role="row">
                  <span role="gridcell">
                    <strong>
                      {t(unreadable && group !== 'unused' ? 'rbac.group.needed' : `rbac.group.${group}`)}
                    </strong>{' '}
                    <span className="secondary">
                      {number(members.length)}
                      <GroupNote group={group} unreadable={unreadable} />
                    </span>
                  </span>
                </div>
              </div>
              {lines(members)}
            </Fragment>
          ),
        )}
        {everyones.length > 0 && (
          <>
            <div className="matrixGroup" role="rowgroup">
              {/* biome-ignore lint/a11y/useKeyWithClickEvents: the grid has the keys */}
              <div
                id={`${id}-fold`}
                role="row"
                className={onFold ? 'matrixFold matrixFoldActive' : 'matrixFold'}
                aria-selected={onFold}
                onClick={() => fold(!open)}
              >
                <span role="gridcell" aria-expanded={open}>
                  {open ? (
                    <ChevronDown size={14} strokeWidth={1.75} aria-hidden="true" />
                  ) : (
                    <ChevronRight size={14} strokeWidth={1.75} aria-hidden="true" />
                  )}
                  <strong>{t('rbac.group.everyone')}</strong>{' '}
                  <span className="secondary">
                    {number(everyones.length)} · {t('rbac.group.everyone.note')}
                  </span>
                </span>
              </div>
            </div>
            {open && lines(everyones)}
          </>
        )}
      </div>
      <Legend unreadable={unreadable} />
    </>
  );
}

function GroupNote(props: { readonly group: RbacRowGroup; readonly unreadable: boolean }): ReactNode {
  const { t } = useI18n();
  const now = useMoment(1000);
  const startedAt = useValueOf('session', {}, (s) => s.value?.startedAt);
  if (props.unreadable && props.group !== 'unused') return ` · ${t('rbac.group.needed.note')}`;
  if (props.group === 'gap') return ` · ${t('rbac.group.gap.note')}`;
  if (props.group !== 'unused' || startedAt === undefined) return null;
  const minutes = Math.max(1, Math.floor((now - startedAt) / 60_000));
  return ` · ${t('rbac.group.unused.note', { n: minutes })}`;
}

interface MatrixRowProps {
  readonly id: string;
  readonly row: RbacRow;
  readonly verbs: readonly string[];
  readonly unreadable: boolean;
  readonly identity: string;
  readonly selected: boolean;
  readonly onSelect: (row: RbacRow) => void;
}

const MatrixRow = memo(function MatrixRow(props: MatrixRowProps): ReactNode {
  const { t } = useI18n();
  const { row } = props;
  const gap = row.gap !== undefined;
  const note = [shortGroup(row.apiGroup), row.scope, row.resourceNames.join(', ')].filter(
    (part) => part !== '',
  );
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid has the keys
    <div
      id={props.id}
      className={gap ? 'matrixRow matrixLine matrixGap' : 'matrixRow matrixLine'}
      role="row"
      aria-selected={props.selected}
      onClick={() => props.onSelect(row)}
    >
      <span role="rowheader" className="cut" title={`${resourceOf(row)} ${row.apiGroup}`}>
        <span className={gap ? 'strong' : ''}>
          {row.resource}
          {row.subresource !== '' && (
            <span className={gap ? 'inkFailed' : 'secondary'}>/{row.subresource}</span>
          )}
        </span>
        {note.length > 0 && <span className="tertiary"> {note.join(', ')}</span>}
      </span>
      {props.verbs.map((verb) => (
        <span key={verb} role="gridcell" className="matrixVerb">
          <Cell state={row.cells[verb] ?? 'none'} unreadable={props.unreadable} />
        </span>
      ))}
      <span role="gridcell" className="matrixGrant cut">
        <GrantedBy row={row} identity={props.identity} unreadable={props.unreadable} />
      </span>
      <span role="gridcell" className="matrixEvidence cut">
        {row.broad ? (
          <Tip text={t('rbac.broad.why')}>
            <span className="matrixBroad">
              <StateGlyph state="degraded" size={12} />
              {t('rbac.broad')}
            </span>
          </Tip>
        ) : (
          row.lastEvidence !== undefined && (
            <span className="matrixSeen" title={row.lastEvidence.text}>
              <BasisMark basis={row.lastEvidence.basis} show="mark" />
              <span className="cut">{seenText(row)}</span>
            </span>
          )
        )}
      </span>
    </div>
  );
});

/** `17 ×, 14:09:20` for what was refused, the time of the last use, else what the need rests on. */
function seenText(row: RbacRow): string {
  const { lastEvidence, gap } = row;
  if (lastEvidence === undefined) return '';
  const time = lastEvidence.at === undefined ? undefined : formatStamp(lastEvidence.at).slice(0, 8);
  if (gap === undefined) return time ?? lastEvidence.text;
  if (gap.refusals === 0) return lastEvidence.text;
  return [`${gap.refusals} ×`, time].filter((part) => part !== undefined).join(', ');
}

function GrantedBy(props: {
  readonly row: RbacRow;
  readonly identity: string;
  readonly unreadable: boolean;
}): ReactNode {
  const { t } = useI18n();
  const names = [...new Set(props.row.grants.map((path) => path.role.name))];
  if (props.unreadable) return <span className="tertiary">{missing}</span>;
  if (names.length === 0) return <span className="secondary">{t('state.none')}</span>;
  return (
    <span title={names.join('\n')}>
      {shortRole(names[0] ?? '', props.identity)}
      {names.length > 1 && <span className="tertiary"> +{names.length - 1}</span>}
    </span>
  );
}

/** ✕ filled refused, dashed square needed and not tried, disc granted and used, ring granted and not seen, dot neither. */
function Cell(props: { readonly state: RbacCellState; readonly unreadable?: boolean }): ReactNode {
  const { t } = useI18n();
  const { state } = props;
  const word = t(
    props.unreadable === true && state === 'neededNotTried' ? 'rbac.cell.unknown' : `rbac.cell.${state}`,
  );
  if (state === 'refused') return <StateGlyph state="failed" size={18} label={word} />;
  const tone = props.unreadable === true && state === 'neededNotTried' ? 'cellUnknown' : `cell-${state}`;
  return (
    <>
      <i className={`cellMark ${tone}`} aria-hidden="true" />
      <span className="visuallyHidden">{word}</span>
    </>
  );
}

function Legend({ unreadable }: { readonly unreadable: boolean }): ReactNode {
  const { t } = useI18n();
  if (unreadable) {
    return (
      <p className="matrixLegend label">
        <span>
          <i className="cellMark cellUnknown" /> {t('rbac.cell.unknown')}
        </span>
      </p>
    );
  }
  return (
    <p className="matrixLegend label" aria-hidden="true">
      {(['refused', 'neededNotTried', 'grantedUsed', 'grantedNotSeen', 'none'] as const).map((state) => (
        <span key={state}>
          {state === 'refused' ? (
            <StateGlyph state="failed" size={16} />
          ) : (
            <i className={`cellMark cell-${state}`} />
          )}
          {t(`rbac.cell.${state}`)}
        </span>
      ))}
    </p>
  );
}
