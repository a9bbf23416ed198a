import { Crown, LogOut, Play, Unplug } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ControllerHistory } from '../../../shared/contract/views/traces.ts';
import { formatMinute, formatTime } from '../../format/format.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import type { Span } from './historyModel.ts';

type Mark = ControllerHistory['marks'][number];

const icons = { start: Play, exit: LogOut, leader: Crown, gap: Unplug } as const;
/** Marks with their words need this much each, px; without, they are their signs alone. */
const wordWidth = 116;
const signWidth = 16;
/** How far the middle of the crosshair's time keeps from the right end, px: half of it less what lies beside the plot. */
const tagOver = 20;

/** Times above the charts, and below them what happened to the process: starts, ends, leaders, gaps. */
export function HistoryRuler(props: {
  readonly span: Span;
  readonly ticks: readonly number[];
  readonly marks: readonly Mark[];
  readonly width: number;
  /** Of the crosshair. */
  readonly at: number | undefined;
}): ReactNode {
  const { t } = useI18n();
  const { span, ticks, width, at } = props;
  const share = (time: number) => ((time - span.from) / (span.to - span.from)) * 100;
  const seconds = ticks.length > 1 && (ticks[1] ?? 0) - (ticks[0] ?? 0) < 60_000;
  const marks = props.marks
    .filter((mark) => mark.at <= span.to && (mark.to ?? mark.at) >= span.from)
    .sort((a, b) => a.at - b.at);
  const groups = grouped(marks, (a, b) => ((share(b.at) - share(a.at)) / 100) * width < signWidth * 2);
  // A label that would leave the window at its right end is left out.
  const fits = (time: number) => ((100 - share(time)) / 100) * width > (seconds ? 14 : 2);
  const near = (time: number) => at !== undefined && Math.abs(share(time) - share(at)) * width < 4600;
  return (
    <div className="historyRuler">
      <div className="historyTimes mono" aria-hidden="true">
        {ticks.filter(fits).map((tick) => (
          <span key={tick} style={{ left: `${share(tick)}%`, visibility: near(tick) ? 'hidden' : 'visible' }}>
            {seconds ? formatTime(tick) : formatMinute(tick)}
          </span>
        ))}
        {at !== undefined && (
          <span className="historyTag" style={{ left: `clamp(0px, ${share(at)}%, 100% - ${tagOver}px)` }}>
            {formatTime(at)}
          </span>
        )}
      </div>
      <ul className="historyMarks" aria-label={t('history.marks')}>
        {groups.map((group, index) => {
          const next = groups[index + 1];
          const left = share(Math.max(span.from, group[0].at));
          const room = (((next === undefined ? 100 : share(next[0].at)) - left) / 100) * width;
          const worded = room >= group.length * wordWidth;
          return (
            <li
              key={`${group[0].kind} ${group[0].at}`}
              className="historyGroup"
              style={{ left: `calc(${left}% - 6px)` }}
            >
              {group.map((mark) => (
                <MarkSign key={`${mark.kind} ${mark.at}`} mark={mark} worded={worded} />
              ))}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function MarkSign(props: { readonly mark: Mark; readonly worded: boolean }): ReactNode {
  const { t } = useI18n();
  const { mark, worded } = props;
  const Icon = icons[mark.kind];
  const said = `${formatTime(mark.at)} ${mark.text}`;
  return (
    <span className={`historyMark historyMark-${mark.kind}`} title={said}>
      <Icon size={12} strokeWidth={1.75} aria-hidden="true" />
      <span className={worded ? '' : 'visuallyHidden'}>{t(`history.mark.${mark.kind}`)}</span>
      <span className="visuallyHidden">{said}</span>
    </span>
  );
}

/** Marks that would lie on each other stand side by side from the first one on. */
function grouped(
  marks: readonly Mark[],
  close: (a: Mark, b: Mark) => boolean,
): readonly (readonly [Mark, ...Mark[]])[] {
  const groups: [Mark, ...Mark[]][] = [];
  for (const mark of marks) {
    const last = groups.at(-1);
    const before = last?.at(-1);
    if (last !== undefined && before !== undefined && close(before, mark)) last.push(mark);
    else groups.push([mark]);
  }
  return groups;
}
