import { CirclePlay, History, Pause, Play, SkipBack } from 'lucide-react';
import {
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react';
import { type Playback, speeds } from '../../shared/contract/views/playback.ts';
import { useEngine, useTable, useValueOf } from '../client/useEngine.tsx';
import { formatElapsed, formatTime, formatTimeMs, formatUtc } from '../format/format.ts';
import { useI18n } from '../i18n/i18n.tsx';
import { useNow, useWallNow } from '../state/clock.ts';
import { closeShown, restartPlayback, setSpeed, togglePlayback } from '../state/playbackActions.ts';
import { useMedia } from '../state/useMedia.ts';
import { usePlayback } from '../state/usePlayback.ts';
import { TourButton } from '../tour/TourButton.tsx';
import { dayWords, isSameDay } from '../views/sessions/sessionWords.ts';
import { AnnounceContext } from '../widgets/Copy.tsx';
import { Button, IconButton, KeyHint, Pill, Select } from '../widgets/controls.tsx';
import { Tip } from '../widgets/Tip.tsx';
import { DensityBars, FindingTicks, type StripRange, stripShare, useStripCounts } from './MomentStrip.tsx';
import { momentAtX, momentOfKey } from './scrub.ts';
import { useSeek } from './useSeek.ts';
import './statusStrip.css';

/** The bottom of the window while a session or demo is shown: the moment, how it moves, and the way back. */
export function PlaybackBar(): ReactNode {
  const { t } = useI18n();
  const playback = usePlayback();
  useStateAnnouncements(playback);
  if (playback === undefined) return null;
  return (
    <section className="status playback" data-region="status" aria-label={t('playback.region')}>
      <Scrubber playback={playback} />
      <div className="statusLine">
        <Transport playback={playback} />
        <Moment playback={playback} />
        <Pill tone="degraded" icon={<OriginIcon origin={playback.origin} />}>
          {t(playback.origin === 'demo' ? 'playback.demo' : 'playback.viewing')}
        </Pill>
        <StateWord playback={playback} />
        <TourButton />
        <WayOut playback={playback} />
      </div>
    </section>
  );
}

function OriginIcon({ origin }: Pick<Playback, 'origin'>): ReactNode {
  const Icon = origin === 'demo' ? CirclePlay : History;
  return <Icon size={12} strokeWidth={1.75} aria-hidden="true" />;
}

/** Playing, standing; or on the way to another moment, with the records that are read for it. */
function StateWord({ playback }: { readonly playback: Playback }): ReactNode {
  const { t } = useI18n();
  const { progress } = playback;
  return (
    <span className="small secondary playbackState">
      {progress === undefined || progress.records === 0
        ? t(`playback.state.${stateWord(playback)}`)
        : t('playback.state.moving', { n: progress.records, of: progress.of })}
    </span>
  );
}

function stateWord({ state }: Pick<Playback, 'state'>): 'playing' | 'paused' | 'ended' {
  return state === 'playing' || state === 'ended' ? state : 'paused';
}

function Transport({ playback }: { readonly playback: Playback }): ReactNode {
  const { t } = useI18n();
  // The contract's list, and whatever speed it plays at.
  const known = [...new Set([...speeds, playback.speed])].sort((a, b) => a - b);
  const playing = playback.state === 'playing';
  const engine = useEngine();
  return (
    <span className="transport">
      <IconButton label={t('playback.restart')} onClick={() => void restartPlayback(engine)}>
        <SkipBack size={16} strokeWidth={1.75} />
      </IconButton>
      <IconButton
        className="transportPlay"
        label={t(playing ? 'playback.pause' : 'playback.play')}
        keys="Space"
        onClick={() => void togglePlayback(engine)}
      >
        {playing ? <Pause size={16} strokeWidth={1.75} /> : <Play size={16} strokeWidth={1.75} />}
      </IconButton>
      <Select
        label={t('playback.speed')}
        value={`${playback.speed}`}
        options={known.map((speed) => ({ value: `${speed}`, label: `${speed}×` }))}
        onChange={(speed) => void setSpeed(engine, Number(speed))}
      />
    </span>
  );
}

/** The moment to the ms, its day when that is not today, and the record it stands at. */
function Moment({ playback }: { readonly playback: Playback }): ReactNode {
  const { t, locale } = useI18n();
  const now = useNow(250);
  const wall = useWallNow(1000);
  const records = useValueOf('session', {}, (s) => s.value?.records);
  const { from, to } = playback;
  const n = records ?? 0;
  return (
    <span className="statusMoment" title={formatUtc(now)}>
      <span className="mono">{formatTimeMs(now)}</span>
      <span className="label">
        {isSameDay(now, wall)
          ? t('playback.record', { n })
          : t('playback.dated', { day: dayWords(now, wall, locale), n })}{' '}
        {from !== undefined && to !== undefined && (
          <span className="momentPosition">
            {t('playback.position', { done: formatElapsed(now - from), all: formatElapsed(to - from) })}
          </span>
        )}
      </span>
    </span>
  );
}

/** Back to what is recorded behind, or close. */
function WayOut({ playback }: { readonly playback: Playback }): ReactNode {
  const { t } = useI18n();
  const engine = useEngine();
  const narrow = useMedia('(max-width: 1099px)');
  const { behind } = playback;
  return (
    <span className="statusEnd">
      {behind !== undefined && (
        <Tip text={t('playback.behind', { context: behind.context, n: behind.records })}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: its explanation opens on focus */}
          <span className="small secondary behind" tabIndex={0}>
            <i className="recordDot" />
            {narrow
              ? t('playback.behind.short', { context: behind.context })
              : t('playback.behind', { context: behind.context, n: behind.records })}
          </span>
        </Tip>
      )}
      <Button kind={behind === undefined ? 'plain' : 'primary'} onClick={() => void closeShown(engine)}>
        {t(behind === undefined ? 'playback.close' : 'playback.backToLive')}
        {behind !== undefined && !narrow && <KeyHint keys="L" />}
      </Button>
    </span>
  );
}

/** The whole recording as a strip that is also a slider: density, gaps, findings, and the moment on screen. */
function Scrubber({ playback }: { readonly playback: Playback }): ReactNode {
  const { t } = useI18n();
  const now = useNow(250);
  const { target, seek } = useSeek(playback.wall);
  const counts = useStripCounts();
  const gaps = useTable('gaps', {}).rows;
  const strip = useRef<HTMLDivElement>(null);
  const [dragging, setDragging] = useState(false);
  const [hover, setHover] = useState<number | undefined>(undefined);
  if (playback.from === undefined || playback.to === undefined) return <div className="strip" />;
  const range: StripRange = { from: playback.from, to: playback.to };
  const at = Math.max(range.from, Math.min(range.to, target ?? now));
  function under(event: PointerEvent): number {
    const box = strip.current?.getBoundingClientRect();
    return box === undefined ? at : momentAtX(range, event.clientX - box.left, box.width);
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = momentOfKey(range, at, event.key, event.shiftKey);
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    seek(next);
  }
  const shown = hover ?? (dragging ? at : undefined);
  return (
    <div
      ref={strip}
      className="strip scrubber"
      role="slider"
      tabIndex={0}
      aria-label={t('playback.scrubber', {
        from: formatTime(range.from),
        to: formatTime(range.to),
        n: counts.gaps,
        found: counts.findings,
      })}
      aria-valuemin={0}
      aria-valuemax={Math.round((range.to - range.from) / 1000)}
      aria-valuenow={Math.round((at - range.from) / 1000)}
      aria-valuetext={formatTimeMs(at)}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setDragging(true);
        seek(under(event));
      }}
      onPointerMove={(event) => {
        const moment = under(event);
        setHover(moment);
        if (dragging) seek(moment);
      }}
      onPointerUp={() => setDragging(false)}
      onPointerCancel={() => setDragging(false)}
      onPointerLeave={() => setHover(undefined)}
    >
      {playback.density === undefined ? (
        <div className="stripTrack" style={{ width: '100%' }} />
      ) : (
        <DensityBars counts={playback.density} />
      )}
      <div className="stripAhead" style={{ left: `${stripShare(range, at)}%` }} />
      {gaps.map((gap) => {
        const left = stripShare(range, gap.from);
        return (
          <i
            key={gap.id}
            className="stripGap"
            title={gap.text}
            style={{ left: `${left}%`, width: `max(6px, ${stripShare(range, gap.to ?? at) - left}%)` }}
          />
        );
      })}
      <FindingTicks range={range} />
      {shown !== undefined && <MomentTag range={range} at={shown} />}
      <i className="stripCursor" style={{ left: `${stripShare(range, at)}%` }} />
    </div>
  );
}

/** The time under the pointer; it stays inside the strip at both ends. */
function MomentTag({ range, at }: { readonly range: StripRange; readonly at: number }): ReactNode {
  const share = stripShare(range, at);
  return (
    <span className="stripTag mono" style={{ left: `${share}%`, '--share': share / 100 } as CSSProperties}>
      {formatTimeMs(at)}
    </span>
  );
}

/** Says politely that it plays, stands, ended: never the moment as it runs. */
function useStateAnnouncements(playback: Playback | undefined): void {
  const { t } = useI18n();
  const announce = useContext(AnnounceContext);
  const before = useRef<string | undefined>(undefined);
  const said =
    playback === undefined
      ? undefined
      : playback.state === 'playing'
        ? t('playback.announce.playing', { n: playback.speed })
        : playback.state === 'paused'
          ? t('playback.announce.paused', { time: formatTimeMs(playback.at) })
          : playback.state === 'ended'
            ? t('playback.announce.ended')
            : undefined;
  useEffect(() => {
    if (said !== undefined && before.current !== undefined && before.current !== said) announce(said);
    before.current = said;
  }, [said, announce]);
}
