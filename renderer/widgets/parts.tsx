/** Small pieces of layout that every view uses: sections, facts, empty and loading states, banners, verdicts. */
import { type ReactNode, useEffect, useState } from 'react';
import { useI18n } from '../i18n/i18n.tsx';
import { StateGlyph } from './StateGlyph.tsx';
import './layout.css';

export function Section(props: {
  readonly title?: ReactNode;
  readonly end?: ReactNode;
  readonly children: ReactNode;
  readonly big?: boolean;
}): ReactNode {
  return (
    <section className="section">
      {props.title !== undefined && (
        <div className="sectionHead">
          <h3 className={props.big === true ? 'title' : 'label strong'}>{props.title}</h3>
          {props.end !== undefined && <div className="sectionEnd small tertiary">{props.end}</div>}
        </div>
      )}
      {props.children}
    </section>
  );
}

export function KeyValue(props: {
  readonly items: readonly (readonly [ReactNode, ReactNode] | false)[];
}): ReactNode {
  return (
    <dl className="keyValue">
      {props.items.map((item, index) => {
        if (item === false) return null;
        const id = `${index}`;
        return [<dt key={`${id}t`}>{item[0]}</dt>, <dd key={`${id}d`}>{item[1]}</dd>];
      })}
    </dl>
  );
}

/** What is known, what is missing, the one thing to do. */
export function EmptyState(props: {
  readonly icon: ReactNode;
  readonly title: ReactNode;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
}): ReactNode {
  return (
    <div className="empty">
      <span className="emptyIcon">{props.icon}</span>
      <h2 className="title">{props.title}</h2>
      {props.children !== undefined && <div className="emptyText">{props.children}</div>}
      {props.actions !== undefined && <div className="emptyActions">{props.actions}</div>}
    </div>
  );
}

/** Grey lines, only after 200 ms, so that a quick answer never flashes. */
export function Skeleton({ lines = 6 }: { readonly lines?: number }): ReactNode {
  const { t } = useI18n();
  const shown = useAfter(200);
  return (
    <div className="skeleton" role="status" aria-label={t('state.loading')}>
      {shown && widths.slice(0, lines).map((width) => <i key={width} style={{ width: `${width}%` }} />)}
    </div>
  );
}
const widths = [62, 88, 74, 81, 56, 69, 84, 77];

function useAfter(ms: number): boolean {
  const [after, setAfter] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setAfter(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return after;
}

export function Banner(props: {
  readonly kind: 'gap' | 'notice' | 'failed';
  readonly icon: ReactNode;
  readonly children: ReactNode;
  readonly end?: ReactNode;
}): ReactNode {
  return (
    <div className={`banner banner-${props.kind}`} role="status">
      {props.icon}
      {props.children}
      {props.end !== undefined && <div className="bannerEnd">{props.end}</div>}
    </div>
  );
}

/** `value` 0 … 1; undefined: work goes on and nobody knows how much. */
export function Progress(props: { readonly value: number | undefined; readonly label: string }): ReactNode {
  const percent = props.value === undefined ? undefined : Math.round(Math.min(1, props.value) * 100);
  return (
    <div
      className="progressTrack"
      role="progressbar"
      aria-label={props.label}
      aria-valuemin={0}
      aria-valuemax={100}
      {...(percent === undefined ? {} : { 'aria-valuenow': percent })}
    >
      <div
        className={`progressBar ${percent === undefined ? 'endless' : ''}`}
        style={percent === undefined ? {} : { width: `${percent}%` }}
      />
    </div>
  );
}

/** The sentence before the picture. */
export function Verdict(props: { readonly children: ReactNode; readonly note?: ReactNode }): ReactNode {
  return (
    <div className="verdictBlock">
      <h2 className="verdict">{props.children}</h2>
      {props.note !== undefined && <div className="verdictNote">{props.note}</div>}
    </div>
  );
}

export function ProblemLine({ text }: { readonly text: string }): ReactNode {
  return (
    <p className="problem" role="alert">
      <StateGlyph state="failed" size={12} />
      <span>{text}</span>
    </p>
  );
}
