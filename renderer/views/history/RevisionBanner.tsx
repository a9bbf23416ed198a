import { History, LoaderCircle, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { RevisionState } from '../../../shared/contract/views/traces.ts';
import { printValue } from '../../../shared/model/filter.ts';
import { useAction, useValueOf } from '../../client/useEngine.tsx';
import { type I18n, useI18n } from '../../i18n/i18n.tsx';
import { useConnection, useMoment } from '../../state/useConnection.ts';
import { useIsRecording } from '../../state/usePlayback.ts';
import { useWindowStore } from '../../state/useWindow.tsx';
import { goTo, setFilter, type WindowStore } from '../../state/windowState.ts';
import { Button, IconButton } from '../../widgets/controls.tsx';
import { Banner, Progress } from '../../widgets/parts.tsx';
import { percentDone, shortSource } from '../traces/spanWords.ts';
import './revision.css';

/** A revision that was published longer ago than this is no news to a window that opens now. */
const newsMs = 120_000;
/** The log that was there when a recording began is read with its past within this time of its start. */
const openingMs = 15_000;

/**
 * The past being derived again, what came of it, or that it was given up. It stands above the view and not in it: figures on
 * every tab change with a revision. One banner at a time: a lost connection and a first sync go before it.
 */
export function RevisionBanner(): ReactNode {
  const revision = useValueOf('revision', {}, (s) => s.value);
  const [dismissed, setDismissed] = useState<string | undefined>(undefined);
  const told = useTold(revision);
  const phase = useConnection()?.phase;
  const recording = useIsRecording();
  const other = !recording && (phase === 'lost' || phase === 'syncing');
  if (revision === undefined || other) return null;
  if (revision.first === true) return <First revision={revision} />;
  if (revision.state === 'deriving') return <Deriving revision={revision} />;
  // In a recording the same revision comes with every look at its moment: it is no news there.
  if (!told || dismissed === nameOf(revision) || (recording && !revision.cancelled)) return null;
  const dismiss = () => setDismissed(nameOf(revision));
  return revision.cancelled ? (
    <Cancelled revision={revision} onDismiss={dismiss} />
  ) : (
    <Done revision={revision} onDismiss={dismiss} />
  );
}

function nameOf({ revision, cancelled }: RevisionState): string {
  return `${revision} ${cancelled}`;
}

/** True when there is something to tell: it was given up, or a revision came while the window looked, or just before. */
function useTold(revision: RevisionState | undefined): boolean {
  const now = useMoment(1000);
  const first = useRef<number | undefined>(undefined);
  const known = revision?.revision;
  const startedAt = useValueOf('session', {}, (s) => s.value?.startedAt);
  useEffect(() => {
    if (first.current === undefined && known !== undefined) first.current = known;
  }, [known]);
  if (revision === undefined) return false;
  if (revision.cancelled) return true;
  if (revision.revision === 0 || (startedAt !== undefined && isOpening(revision, startedAt))) return false;
  const came = first.current !== undefined && revision.revision > first.current;
  return came || (revision.at !== undefined && now - revision.at < newsMs);
}

/** Part of opening, and no news: nothing that was on screen changed, the log that the recording began with has a past. */
export function isOpening(
  { at, changed, removed }: Pick<RevisionState, 'at' | 'changed' | 'removed'>,
  startedAt: number,
): boolean {
  return at !== undefined && at - startedAt < openingMs && changed + removed === 0;
}

function Deriving({ revision }: { readonly revision: RevisionState }): ReactNode {
  const { t, number } = useI18n();
  const cancel = useAction('revision.cancel');
  const { done, total, source } = revision;
  const params = { done: number(done), n: total };
  return (
    <Banner
      kind="notice"
      icon={<LoaderCircle size={16} strokeWidth={1.75} className="inkProgressing" aria-hidden="true" />}
      end={
        <Button small disabled={cancel.running} onClick={() => void cancel.run({})}>
          {t('action.cancel')}
        </Button>
      }
    >
      <span className="revisionText small">
        {source === undefined
          ? t('revision.deriving.no', params)
          : t('revision.deriving', { source, ...params })}
      </span>
      <span className="revisionBar">
        <Progress value={total === 0 ? undefined : done / total} label={t('revision.title')} />
      </span>
      <span className="small tertiary revisionNote">{t('revision.asBefore')}</span>
    </Banner>
  );
}

/** Not to be cancelled: nothing is there that could go on being shown. Going elsewhere in the recording ends it. */
function First({ revision: { done, total } }: { readonly revision: RevisionState }): ReactNode {
  const { t } = useI18n();
  const percent = percentDone(done, total);
  return (
    <Banner
      kind="notice"
      icon={<LoaderCircle size={16} strokeWidth={1.75} className="inkProgressing" aria-hidden="true" />}
    >
      <span className="revisionText small">{t('revision.first', { percent })}</span>
      <span className="revisionBar">
        <Progress value={percent / 100} label={t('revision.first.title')} />
      </span>
      <span className="small tertiary revisionNote">{t('revision.first.note')}</span>
    </Banner>
  );
}

function Done(props: { readonly revision: RevisionState; readonly onDismiss: () => void }): ReactNode {
  const i18n = useI18n();
  const store = useWindowStore();
  const { source, changed, added } = props.revision;
  const touched = changed + added;
  return (
    <Banner
      kind="notice"
      icon={<History size={16} strokeWidth={1.75} className="tertiary" aria-hidden="true" />}
      end={
        <>
          {touched > 0 && source !== undefined && (
            <Button small onClick={() => showRevised(store, source)}>
              {i18n.t('revision.list')}
            </Button>
          )}
          <Dismiss onDismiss={props.onDismiss} />
        </>
      }
    >
      <span className="small" title={source}>
        {doneText(props.revision, i18n)}
      </span>
    </Banner>
  );
}

function doneText(told: RevisionState, i18n: I18n): string {
  const { t, number } = i18n;
  const { revision, changed, added, removed } = told;
  const source = told.source === undefined ? undefined : shortSource(told.source);
  const counts = { changed: number(changed), added: number(added), removed: number(removed) };
  if (source === undefined) return t('revision.done.no', { revision, ...counts });
  const all = changed + added + removed;
  if (all === 0) return t('revision.same', { revision, source });
  if (changed === all) return t('revision.changed', { revision, source, n: all });
  if (added === all) return t('revision.added', { revision, source, n: all });
  if (removed === all) return t('revision.removed', { revision, source, n: all });
  if (removed === 0) return t('revision.changed.added', { revision, source, ...counts });
  if (added === 0) return t('revision.changed.removed', { revision, source, ...counts });
  if (changed === 0) return t('revision.added.removed', { revision, source, ...counts });
  return t('revision.done', { revision, source, ...counts });
}

function Cancelled(props: { readonly revision: RevisionState; readonly onDismiss: () => void }): ReactNode {
  const { t } = useI18n();
  const again = useAction('revision.again');
  const { source } = props.revision;
  return (
    <Banner
      kind="notice"
      icon={<History size={16} strokeWidth={1.75} className="inkDegraded" aria-hidden="true" />}
      end={
        <>
          <Button small disabled={again.running} onClick={() => void again.run({})}>
            {t('revision.again')}
          </Button>
          <Dismiss onDismiss={props.onDismiss} />
        </>
      }
    >
      <span className="small">
        {source === undefined ? t('revision.cancelled.no') : t('revision.cancelled', { source })}
      </span>
    </Banner>
  );
}

function Dismiss({ onDismiss }: { readonly onDismiss: () => void }): ReactNode {
  const { t } = useI18n();
  return (
    <IconButton small label={t('revision.dismiss')} onClick={onDismiss}>
      <X size={14} strokeWidth={1.75} />
    </IconButton>
  );
}

/** The list of reconciles, of those alone that `source` changed. */
function showRevised(store: WindowStore, source: string): void {
  setFilter(store, 'reconciles', `revised:${printValue(source)}`);
  store.setState({ queueSegment: 'reconciles' });
  goTo(store, { tab: 'queue' });
}
