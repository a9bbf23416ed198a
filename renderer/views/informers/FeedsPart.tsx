import { ClipboardList, Gauge, ScrollText, X } from 'lucide-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { FeedRow } from '../../../shared/contract/views/sources.ts';
import { useAction, useValue } from '../../client/useEngine.tsx';
import { formatAge, missing } from '../../format/format.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { useMoment } from '../../state/useConnection.ts';
import { Button, IconButton, TextField } from '../../widgets/controls.tsx';
import { ProblemLine, Skeleton, Verdict } from '../../widgets/parts.tsx';
import { type GlyphState, StateGlyph } from '../../widgets/StateGlyph.tsx';

const glyphs: Readonly<Record<FeedRow['state'], GlyphState>> = {
  waiting: 'progressing',
  live: 'ok',
  ended: 'none',
  failed: 'failed',
};

/** Logs, metrics and audit files of the operator, and how to attach them. */
export function FeedsPart({ choice }: { readonly choice: ReactNode }): ReactNode {
  const { t } = useI18n();
  const snapshot = useValue('feeds', {});
  const feeds = snapshot.value?.feeds;
  if (feeds === undefined) return <Skeleton />;
  const failed = feeds.find((feed) => feed.state === 'failed');
  const live = feeds.filter((feed) => feed.state === 'live').length;
  return (
    <div className="viewScroll">
      <div className="verdictLine">
        <Verdict note={<span>{t('feeds.note')}</span>}>
          {feeds.length === 0
            ? t('feeds.verdict.none')
            : failed !== undefined
              ? t('feeds.verdict.failed', { label: failed.label })
              : t('feeds.verdict.live', { n: live, all: feeds.length })}
        </Verdict>
        {choice}
      </div>
      {feeds.length > 0 && <FeedTable feeds={feeds} />}
      <div className="attachForms">
        <AttachLog />
        <AttachMetrics />
        <AttachAudit />
      </div>
    </div>
  );
}

function FeedTable({ feeds }: { readonly feeds: readonly FeedRow[] }): ReactNode {
  const { t, number } = useI18n();
  const now = useMoment(1000);
  const detach = useAction('feed.detach');
  const detailed = feeds.some((feed) => detailOf(feed) !== '');
  return (
    <table className="plainTable">
      <thead>
        <tr>
          <th scope="col">{t('feeds.column.feed')}</th>
          <th scope="col">{t('informers.column.state')}</th>
          <th scope="col" className="number">
            {t('feeds.column.records')}
          </th>
          <th scope="col" className="number">
            {t('feeds.column.unparsed')}
          </th>
          <th scope="col" className="number">
            {t('feeds.column.last')}
          </th>
          {detailed && <th scope="col">{t('feeds.column.detail')}</th>}
          <td />
        </tr>
      </thead>
      <tbody>
        {feeds.map((feed) => (
          <tr key={feed.id}>
            <th scope="row">
              <span className="tertiary">{t(`feeds.kind.${feed.kind}`)} </span>
              <span className="mono">{feed.label}</span>
            </th>
            <td>
              <span className="informerState">
                <StateGlyph state={glyphs[feed.state]} size={12} />
                {t(`feeds.state.${feed.state}`)}
              </span>
            </td>
            <td className="number">{number(feed.records)}</td>
            <td className={feed.unparsed > 0 ? 'number inkDegraded' : 'number tertiary'}>
              {number(feed.unparsed)}
            </td>
            <td className="number">{feed.lastAt === undefined ? missing : formatAge(now - feed.lastAt)}</td>
            {detailed && (
              <td className={feed.problem === undefined ? 'secondary' : 'inkFailed'}>{detailOf(feed)}</td>
            )}
            <td>
              {feed.kind !== 'child' && feed.kind !== 'stdin' && (
                <IconButton
                  small
                  label={t('feeds.detach', { label: feed.label })}
                  onClick={() => void detach.run({ id: feed.id })}
                >
                  <X size={14} strokeWidth={1.75} />
                </IconButton>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** What went wrong, or what is to be said beyond the label. */
function detailOf({ problem, detail, label }: FeedRow): string {
  return problem?.message ?? (detail === label ? '' : detail);
}

function AttachLog(): ReactNode {
  const action = useAction('feed.attachLog');
  return (
    <AttachForm
      id="log"
      icon={<ScrollText size={16} strokeWidth={1.75} />}
      problem={action.problem?.message}
      running={action.running}
      onSubmit={async (path) => (await action.run({ path }))?.ok === true}
    />
  );
}

function AttachMetrics(): ReactNode {
  const action = useAction('feed.attachMetrics');
  return (
    <AttachForm
      id="metrics"
      icon={<Gauge size={16} strokeWidth={1.75} />}
      problem={action.problem?.message}
      running={action.running}
      onSubmit={async (url) => (await action.run({ url }))?.ok === true}
    />
  );
}

function AttachAudit(): ReactNode {
  const action = useAction('feed.attachAudit');
  return (
    <AttachForm
      id="audit"
      icon={<ClipboardList size={16} strokeWidth={1.75} />}
      problem={action.problem?.message}
      running={action.running}
      onSubmit={async (path) => (await action.run({ path }))?.ok === true}
    />
  );
}

function AttachForm(props: {
  readonly id: 'log' | 'metrics' | 'audit';
  readonly icon: ReactNode;
  readonly problem: string | undefined;
  readonly running: boolean;
  /** True when it was attached: the field empties. */
  readonly onSubmit: (text: string) => Promise<boolean>;
}): ReactNode {
  const { t } = useI18n();
  const [text, setText] = useState('');
  async function submit(event: FormEvent) {
    event.preventDefault();
    if (await props.onSubmit(text.trim())) setText('');
  }
  return (
    <form className="attachForm" onSubmit={(event) => void submit(event)}>
      <h2 className="attachTitle">
        <span className="inkAccent">{props.icon}</span>
        {t(`feeds.${props.id}`)}
      </h2>
      <p className="small tertiary">{t(`feeds.${props.id}.why`)}</p>
      <div className="attachLine">
        <TextField
          mono
          label={t(`feeds.${props.id}`)}
          placeholder={t(`feeds.${props.id}.placeholder`)}
          value={text}
          onChange={setText}
          invalid={props.problem !== undefined}
        />
        <Button type="submit" disabled={text.trim() === '' || props.running}>
          {t('feeds.attach')}
        </Button>
      </div>
      {props.problem !== undefined && <ProblemLine text={props.problem} />}
    </form>
  );
}
