import type { ReactNode } from 'react';
import type { Connection, Problem } from '../../../shared/contract/views/connection.ts';
import { useEngine } from '../../client/useEngine.tsx';
import { formatDuration, formatDurationWords } from '../../format/format.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { useWallNow } from '../../state/clock.ts';
import { useConnection } from '../../state/useConnection.ts';
import { useWindowStore } from '../../state/useWindow.tsx';
import { useViewAction } from '../../state/viewActions.tsx';
import { Cut } from '../../widgets/Cut.tsx';
import { Button, KeyHint } from '../../widgets/controls.tsx';
import { Progress } from '../../widgets/parts.tsx';
import { type GlyphState, StateGlyph } from '../../widgets/StateGlyph.tsx';

type Sync = NonNullable<Connection['sync']>;
type Step = Sync['steps'][number];

const stepGlyph: Readonly<Record<Step['state'], GlyphState>> = {
  waiting: 'unknown',
  running: 'progressing',
  done: 'ok',
  forbidden: 'degraded',
  failed: 'failed',
};

/** Counted work, what can be used already, and Cancel. */
export function ConnectProgress(): ReactNode {
  const { t, number, locale } = useI18n();
  const engine = useEngine();
  const store = useWindowStore();
  const connection = useConnection();
  const now = useWallNow(1000);
  useViewAction('leave', () => void engine.call('connection.cancel', {}));
  const sync = connection?.sync;
  const elapsed = connection?.since === undefined ? undefined : Math.max(0, now - connection.since);
  const left = sync === undefined || elapsed === undefined ? undefined : timeLeft(sync, elapsed);
  return (
    <div className="connectProgress">
      <div className="connectHead">
        <h2 className="title">{t('connect.progress.title', { context: connection?.context ?? '' })}</h2>
        <span className="small tertiary">
          {elapsed === undefined ? '' : formatDurationWords(Math.floor(elapsed / 1000) * 1000, locale)}
        </span>
      </div>
      <div className="progressCount">
        <span className="countBig">{number(sync?.objects ?? 0)}</span>
        <span className="small secondary">
          {sync?.expected === undefined
            ? t('connect.progress.unit')
            : t('connect.progress.of', { n: sync.expected })}
        </span>
        <span className="small secondary progressLeft">
          {left === undefined ? '' : t('connect.progress.left', { time: formatDurationWords(left, locale) })}
        </span>
      </div>
      <Progress
        value={sync === undefined ? undefined : shareOf(sync)}
        label={t('connect.progress.title', { context: '' })}
      />
      <ul className="stepList">
        {sync === undefined && (
          <li>
            <StateGlyph state="progressing" size={12} />
            <span>{t('connect.progress.contacting')}</span>
          </li>
        )}
        {sync?.steps.map((step) => (
          <li key={step.id}>
            <StateGlyph state={stepGlyph[step.state]} size={12} label={t(`connect.step.${step.state}`)} />
            <span className="strongish">{step.label}</span>
            <Cut className="small tertiary" text={step.detail} />
            <span className="small tertiary number stepTime">
              {step.ms === undefined ? '' : formatDuration(step.ms)}
            </span>
          </li>
        ))}
      </ul>
      <div className="progressActions">
        {connection?.phase === 'syncing' && (
          <Button kind="primary" onClick={() => store.setState({ openedEarly: true })}>
            {t('connect.progress.open')}
          </Button>
        )}
        <Button onClick={() => void engine.call('connection.cancel', {})}>
          {t('action.cancel')}
          <KeyHint keys="Escape" />
        </Button>
        {sync !== undefined && (
          <span className="small tertiary">
            {t('connect.progress.resources', { done: sync.resourcesReady, n: sync.resourcesTotal })}
          </span>
        )}
      </div>
    </div>
  );
}

/** 0 … 1 by objects where an estimate exists, else by resources; undefined when nothing is counted yet. */
export function shareOf(
  sync: Pick<Sync, 'objects' | 'expected' | 'resourcesReady' | 'resourcesTotal'>,
): number | undefined {
  if (sync.expected !== undefined && sync.expected > 0) return Math.min(1, sync.objects / sync.expected);
  if (sync.resourcesTotal === 0) return undefined;
  return sync.resourcesReady / sync.resourcesTotal;
}

/** ms, from the pace so far; nothing is claimed in the first two seconds or without an estimate. */
export function timeLeft(sync: Pick<Sync, 'objects' | 'expected'>, elapsedMs: number): number | undefined {
  if (sync.expected === undefined || sync.objects === 0 || elapsedMs < 2000) return undefined;
  const rest = Math.max(0, sync.expected - sync.objects);
  return Math.max(1000, Math.round(((elapsedMs / sync.objects) * rest) / 1000) * 1000);
}

/** A sentence a person can act on, and retry. */
export function ConnectFailed(props: {
  readonly context: string;
  readonly problem: Problem;
  readonly onRetry: () => void;
}): ReactNode {
  const { t } = useI18n();
  return (
    <div className="connectProgress" role="alert">
      <div className="connectFailedHead">
        <StateGlyph state="failed" size={16} />
        <h2 className="title">{t('connect.failed.title', { context: props.context })}</h2>
      </div>
      <p className="connectFailedText">{props.problem.message}</p>
      <div className="progressActions">
        <Button kind="primary" autoFocus onClick={props.onRetry}>
          {t('action.retry')}
        </Button>
        <span className="mono tertiary">{props.problem.code}</span>
      </div>
    </div>
  );
}
