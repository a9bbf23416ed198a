import { Check, X } from 'lucide-react';
import {
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useI18n } from '../i18n/i18n.tsx';
import { useWindowStore } from '../state/useWindow.tsx';
import { useViewAction } from '../state/viewActions.tsx';
import { AnnounceContext } from '../widgets/Copy.tsx';
import { Button, IconButton, KeyHint } from '../widgets/controls.tsx';
import { type DemoId, demoInfo } from './demos.ts';
import { type Box, placeCard, type Size } from './placeCard.ts';
import { TourEnd } from './TourEnd.tsx';
import { leaveTour, moveTour, tourOf } from './tourState.ts';
import { tours } from './tours.ts';
import { useAnchor } from './useAnchor.ts';
import { stepOf, useEnteredStep, useTourOfDemo, useTourState } from './useTour.ts';
import './tour.css';

/** The guided tour over the window, while one is open. Takes no focus; F6 leads to it, N and P move it, Esc leaves it. */
export function TourCard(): ReactNode {
  useTourOfDemo();
  const state = useTourState();
  const step = stepOf(state);
  useEnteredStep(step);
  const anchor = useAnchor(step?.anchor ?? noAnchor);
  const tour = tourOf(useWindowStore());
  useViewAction('leave.tour', state.demo === undefined ? undefined : () => leaveTour(tour));
  if (state.demo === undefined) return null;
  return (
    <>
      {step !== undefined && anchor !== undefined && <Ring box={anchor} />}
      <Card demo={state.demo} step={state.step} anchor={step === undefined ? undefined : anchor} />
    </>
  );
}

const noAnchor: readonly string[] = [];
/** Between the anchor and the inner edge of its ring, px. */
const ringGap = 3;

function Ring({ box }: { readonly box: Box }): ReactNode {
  // What fills the window to its edge gets its ring inside.
  const left = Math.max(0, box.left - ringGap);
  const top = Math.max(0, box.top - ringGap);
  const right = Math.min(innerWidth, box.left + box.width + ringGap);
  const bottom = Math.min(innerHeight, box.top + box.height + ringGap);
  return (
    <div
      className="tourRing"
      aria-hidden="true"
      style={{ left, top, width: right - left, height: bottom - top }}
    />
  );
}

function Card(props: {
  readonly demo: DemoId;
  readonly step: number;
  readonly anchor: Box | undefined;
}): ReactNode {
  const { t } = useI18n();
  const tour = tourOf(useWindowStore());
  const announce = useContext(AnnounceContext);
  const { demo, step } = props;
  const steps = tours[demo];
  const words = steps[step]?.words;
  const info = demoInfo(demo);
  const title = t(words === undefined ? 'tour.end.title' : `tour.${words}.title`);
  const text = t(words === undefined ? 'tour.end.text' : `tour.${words}.text`);
  const count = steps.length;
  useEffect(() => {
    announce(
      words === undefined ? `${title} ${text}` : t('tour.announce', { step: step + 1, count, title, text }),
    );
  }, [announce, t, words, step, count, title, text]);
  const { ref, size } = useSize();
  const viewport = useViewport();
  const { left, top } = placeCard(props.anchor, size, viewport);
  return (
    <aside
      ref={ref}
      className="tourCard"
      data-region="tour"
      aria-label={t('tour.region', { demo: t(info.title) })}
      style={{ left, top }}
    >
      <div className="tourHead">
        <info.icon size={14} strokeWidth={1.75} aria-hidden="true" />
        <span className="label cut" title={t(info.title)}>
          {words === undefined ? t(info.title) : t('tour.step', { step: step + 1, count })}
        </span>
        <span className="tourDots" aria-hidden="true">
          {steps.map((one, index) => (
            <i key={one.words} className={index <= step ? 'tourDot tourDotDone' : 'tourDot'} />
          ))}
        </span>
        <IconButton small label={t('tour.leave')} keys="Escape" onClick={() => leaveTour(tour)}>
          <X size={14} strokeWidth={1.75} />
        </IconButton>
      </div>
      <h2 className="title tourTitle">{title}</h2>
      <p className="tourText">{text}</p>
      {words === undefined ? (
        <TourEnd demo={demo} onLeave={() => leaveTour(tour)} onBack={() => moveTour(tour, -1)} />
      ) : (
        <div className="tourFoot">
          <Button
            small
            kind="quiet"
            {...(step === 0 ? { disabled: true } : {})}
            onClick={() => moveTour(tour, -1)}
          >
            {t('tour.back')}
            <KeyHint keys="P" />
          </Button>
          <Button
            small
            kind="primary"
            icon={step + 1 === count ? <Check size={14} strokeWidth={1.75} /> : undefined}
            onClick={() => moveTour(tour, 1)}
          >
            {t(step + 1 === count ? 'tour.finish' : 'tour.next')}
            <KeyHint keys="N" />
          </Button>
        </div>
      )}
    </aside>
  );
}

/** The card's own size: its text decides the height. */
function useSize(): { readonly ref: RefObject<HTMLElement | null>; readonly size: Size } {
  const ref = useRef<HTMLElement | null>(null);
  const [size, setSize] = useState<Size>({ width: 336, height: 180 });
  useLayoutEffect(() => {
    const { current } = ref;
    if (current === null) return;
    const read = () => setSize({ width: current.offsetWidth, height: current.offsetHeight });
    read();
    const observer = new ResizeObserver(read);
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return { ref, size };
}

function useViewport(): Size {
  const [size, setSize] = useState<Size>({ width: innerWidth, height: innerHeight });
  useEffect(() => {
    const read = () => setSize({ width: innerWidth, height: innerHeight });
    window.addEventListener('resize', read);
    return () => window.removeEventListener('resize', read);
  }, []);
  return size;
}
