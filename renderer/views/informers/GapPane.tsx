import { ScrollText } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { GapRow, InformerRow } from '../../../shared/contract/views/sources.ts';
import { formatDuration, formatTime } from '../../format/format.ts';
import type { MessageKey } from '../../i18n/catalogue.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { useMoment } from '../../state/useConnection.ts';
import { useWindowStore } from '../../state/useWindow.tsx';
import { goTo } from '../../state/windowState.ts';
import { BasisMark } from '../../widgets/BasisMark.tsx';
import { CodePatch, toLines } from '../../widgets/CodePatch.tsx';
import { CopyButton } from '../../widgets/Copy.tsx';
import { Button, Select } from '../../widgets/controls.tsx';
import { ProblemLine } from '../../widgets/parts.tsx';
import { StateGlyph } from '../../widgets/StateGlyph.tsx';
import { grantYaml, pluralKind } from './plural.ts';

/** The lower pane: gaps of one watch, what its relist found, or what is missing to read it. */
export function GapPane(props: {
  readonly row: InformerRow;
  readonly gaps: readonly GapRow[];
  /** Every watch that lacks a grant: their rules can be copied together. */
  readonly forbidden: readonly InformerRow[];
}): ReactNode {
  const { t, locale } = useI18n();
  const { row, gaps } = props;
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const newest = [...gaps].sort((a, b) => b.from - a.from);
  const gap = newest.find((candidate) => candidate.id === chosen) ?? newest[0];
  const kind = pluralKind(row.kind, locale);
  if (row.missing.length > 0) return <MissingGrant row={row} all={props.forbidden} />;
  return (
    <div className="paneColumns">
      <section className="paneMain">
        <div className="paneHead">
          <h2 className="strong">{t('informers.pane.title', { kind })}</h2>
          {gap !== undefined && newest.length > 1 && (
            <Select
              label={t('informers.column.gap')}
              value={gap.id}
              options={newest.map((item) => ({
                value: item.id,
                label: `${formatTime(item.from)} · ${t(`informers.why.${item.why}`)}`,
              }))}
              onChange={setChosen}
            />
          )}
        </div>
        {row.problem !== undefined && <ProblemLine text={row.problem.message} />}
        {gap === undefined ? (
          <p className="small secondary">
            {row.state === 'live'
              ? t('informers.pane.noGap', { time: formatTime(row.stateSince) })
              : t('informers.pane.since', { time: formatTime(row.stateSince) })}
          </p>
        ) : (
          <>
            <GapLane gap={gap} />
            <p className="small secondary paneText">{gap.text}</p>
          </>
        )}
      </section>
      {gap !== undefined && (
        <section className="paneSide">
          <Found gap={gap} />
        </section>
      )}
    </div>
  );
}

/** Watch, nothing, watch again: the gap with half its length on either side. */
function GapLane({ gap }: { readonly gap: GapRow }): ReactNode {
  const { t } = useI18n();
  const now = useMoment(1000);
  const end = gap.to ?? now;
  const pad = Math.max(500, (end - gap.from) * 0.8);
  const from = gap.from - pad;
  const to = gap.to === undefined ? end : end + pad;
  const span = to - from;
  const left = ((gap.from - from) / span) * 100;
  const width = ((end - gap.from) / span) * 100;
  const summary = `${t('informers.lane.gap')}: ${formatTime(gap.from)} – ${gap.to === undefined ? '…' : formatTime(gap.to)}`;
  return (
    <div className="gapLane" role="img" aria-label={summary}>
      <div className="gapScale mono tertiary">
        <span style={{ left: `${left}%` }}>{formatTime(gap.from)}</span>
        {gap.to !== undefined && width > 18 && (
          <span style={{ left: `${left + width}%` }}>{formatTime(gap.to)}</span>
        )}
      </div>
      <div className="gapTrack">
        <div className="gapSeen" style={{ left: 0, width: `${left}%` }}>
          {t('informers.lane.watch')}
        </div>
        <div className="gapHatch" style={{ left: `${left}%`, width: `${width}%` }}>
          <span>
            {t(`informers.why.${gap.why}`)} · {formatDuration(end - gap.from)}
          </span>
        </div>
        {gap.to !== undefined && (
          <div className="gapSeen" style={{ left: `${left + width}%`, right: 0 }}>
            {t('informers.lane.watch')}
          </div>
        )}
      </div>
    </div>
  );
}

function Found({ gap }: { readonly gap: GapRow }): ReactNode {
  const { t, number } = useI18n();
  const store = useWindowStore();
  const { found } = gap;
  const between = t('informers.found.between', {
    from: formatTime(gap.from),
    to: gap.to === undefined ? '…' : formatTime(gap.to),
  });
  const lines = [
    ['+', 'inkOk', 'created', between],
    ['~', 'inkAccent', 'changed', t('informers.found.steps')],
    ['−', 'inkFailed', 'deleted', t('informers.found.final')],
    ['=', 'tertiary', 'unchanged', ''],
  ] as const;
  return (
    <>
      <div className="paneHead">
        <h2 className="strong">{t('informers.found')}</h2>
        <span className="paneBasis">
          <BasisMark basis={{ kind: 'observed', from: 'watch' }} />
          <span className="label">· {t('informers.found.exact')}</span>
        </span>
      </div>
      {found === undefined ? (
        <p className="small secondary">{t('informers.found.waiting')}</p>
      ) : (
        <ul className="foundList">
          {lines.map(([sign, ink, what, note]) => (
            <li key={what}>
              <span className={`mono ${ink}`} aria-hidden="true">
                {sign}
              </span>
              <span>{t(`informers.found.${what}` as MessageKey, { n: number(found[what]) })}</span>
              <span className="tertiary foundNote">{found[what] > 0 ? note : ''}</span>
            </li>
          ))}
        </ul>
      )}
      <Button
        small
        icon={<ScrollText size={14} strokeWidth={1.75} />}
        onClick={() => {
          store.setState({ eventSeq: gap.seq, eventFilter: '' });
          goTo(store, { tab: 'events' });
        }}
      >
        {t('informers.found.events')}
      </Button>
    </>
  );
}

function MissingGrant(props: { readonly row: InformerRow; readonly all: readonly InformerRow[] }): ReactNode {
  const { t } = useI18n();
  const { row, all } = props;
  const resources = new Set(all.map((other) => `${other.resource}.${other.group}`)).size;
  const rule = grantYaml(row.missing);
  const namespace = row.missing[0]?.namespace;
  const verbs = [...new Set(row.missing.map((grant) => grant.verb))].join(' / ');
  const resource = row.group === '' ? row.resource : `${row.resource}.${row.group}`;
  return (
    <div className="paneColumns">
      <section className="paneMain">
        <div className="paneHead">
          <StateGlyph state="unknown" size={16} />
          <h2 className="strong">{t('state.notEvaluated')}</h2>
        </div>
        <p className="small secondary paneText">
          {namespace === undefined
            ? t('informers.missing.explain', { verbs, resource })
            : t('informers.missing.explain.in', { verbs, resource, namespace })}
        </p>
        {row.problem !== undefined && <p className="small tertiary paneText">{row.problem.message}</p>}
      </section>
      <section className="paneSide">
        <div className="paneHead">
          <h2 className="strong">{t('informers.missing.title')}</h2>
        </div>
        <CodePatch lines={toLines(rule, true)} label={t('informers.missing.title')} />
        <div className="inspectorActions">
          <CopyButton kind="plain" text={rule} label={t('informers.missing.copy')} />
          {resources > 1 && (
            <CopyButton
              kind="quiet"
              text={grantYaml(all.flatMap((other) => other.missing))}
              label={t('informers.missing.copyAll', { n: resources })}
            />
          )}
        </div>
      </section>
    </div>
  );
}
