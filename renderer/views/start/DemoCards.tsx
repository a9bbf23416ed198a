import { CirclePlay, Play } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { Demo } from '../../../shared/contract/views/playback.ts';
import { useCall } from '../../client/useCall.ts';
import { useEngine } from '../../client/useEngine.tsx';
import { useI18n } from '../../i18n/i18n.tsx';
import { startDemo } from '../../state/sessionsUi.ts';
import { useWindowStore } from '../../state/useWindow.tsx';
import { demoIds, demoInfo, isDemoId } from '../../tour/demos.ts';
import { ProblemLine, Skeleton } from '../../widgets/parts.tsx';
import { lengthWords } from '../sessions/sessionWords.ts';

/** The recorded incidents that came with Loopscope. `focusFirst`: the window begins here. */
export function DemoCards({ focusFirst }: { readonly focusFirst: boolean }): ReactNode {
  const { t } = useI18n();
  const engine = useEngine();
  const store = useWindowStore();
  const list = useCall('demo.list', {});
  const [active, setActive] = useState(0);
  const [starting, setStarting] = useState<string | undefined>(undefined);
  const grid = useRef<HTMLUListElement>(null);
  const focused = useRef(false);
  const demos = inOrder(list.value?.demos ?? []);
  const ready = demos.length > 0;
  useEffect(() => {
    if (!focusFirst || !ready || focused.current) return;
    // Once, and never under the user's hands.
    focused.current = true;
    if (document.activeElement === null || document.activeElement === document.body)
      grid.current?.querySelector('button')?.focus();
  }, [focusFirst, ready]);
  if (list.error !== undefined) return <ProblemLine text={list.error} />;
  if (list.value === undefined) return <Skeleton lines={4} />;
  if (!ready) return <p className="small secondary">{t('demos.none')}</p>;

  async function start(demo: Demo, title: string) {
    setStarting(demo.id);
    await startDemo(engine, store, demo.id, title);
    setStarting(undefined);
  }
  function onKeyDown(event: KeyboardEvent) {
    const next = nextCard(event.key, active, demos.length, columnsOf(grid.current));
    if (next === undefined) return;
    event.preventDefault();
    setActive(next);
    grid.current?.querySelectorAll('button')[next]?.focus();
  }
  return (
    <ul className="demoGrid" ref={grid} onKeyDown={onKeyDown}>
      {demos.map((demo, index) => (
        <li key={demo.id}>
          <DemoCard
            demo={demo}
            active={index === active}
            busy={starting !== undefined}
            onFocus={() => setActive(index)}
            onStart={(title) => void start(demo, title)}
          />
        </li>
      ))}
    </ul>
  );
}

function DemoCard(props: {
  readonly demo: Demo;
  readonly active: boolean;
  readonly busy: boolean;
  readonly onFocus: () => void;
  readonly onStart: (title: string) => void;
}): ReactNode {
  const i18n = useI18n();
  const { t } = i18n;
  const { demo } = props;
  const info = isDemoId(demo.id) ? demoInfo(demo.id) : undefined;
  const Icon = info?.icon ?? CirclePlay;
  const title = info === undefined ? demo.id : t(info.title);
  const facts =
    info === undefined
      ? lengthWords(demo.ms, i18n)
      : t('demo.length', { n: info.steps, minutes: info.minutes });
  return (
    <button
      type="button"
      className="demoCard"
      data-active={props.active}
      tabIndex={props.active ? 0 : -1}
      aria-disabled={demo.problem !== undefined || props.busy}
      onFocus={props.onFocus}
      onClick={() => {
        if (demo.problem === undefined && !props.busy) props.onStart(title);
      }}
    >
      <Icon size={16} strokeWidth={1.75} className="demoIcon" aria-hidden="true" />
      <strong>{title}</strong>
      <span className="small secondary demoText">
        {demo.problem?.message ?? (info === undefined ? '' : t(info.text))}
      </span>
      <span className="small tertiary demoFacts">{facts}</span>
      {demo.problem === undefined && (
        <span className="small demoStart">
          <Play size={12} strokeWidth={1.75} aria-hidden="true" />
          {t('demos.start')}
        </span>
      )}
    </button>
  );
}

/** As the window knows them; those of a newer set follow. */
export function inOrder(demos: readonly Demo[]): readonly Demo[] {
  const rank = (id: string) => (isDemoId(id) ? demoIds.indexOf(id) : demoIds.length);
  return [...demos].sort((a, b) => rank(a.id) - rank(b.id));
}

/** The card a key leads to in a grid of `columns`; undefined: not a key of the grid, or there is none. */
export function nextCard(key: string, at: number, count: number, columns: number): number | undefined {
  const step =
    key === 'ArrowRight'
      ? 1
      : key === 'ArrowLeft'
        ? -1
        : key === 'ArrowDown'
          ? columns
          : key === 'ArrowUp'
            ? -columns
            : 0;
  const next = key === 'Home' ? 0 : key === 'End' ? count - 1 : at + step;
  return next === at || next < 0 || next >= count ? undefined : next;
}

function columnsOf(grid: HTMLElement | null): number {
  return grid === null ? 1 : getComputedStyle(grid).gridTemplateColumns.split(' ').length;
}
