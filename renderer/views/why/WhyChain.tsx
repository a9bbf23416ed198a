/** The causal chain: cause first, each step with its time, how it is known and the evidence to check it by. */
import {
  Activity,
  Ban,
  CircleX,
  Clock3,
  Database,
  FileDiff,
  FileText,
  GitCommitHorizontal,
  ListOrdered,
  Shield,
  ShieldX,
  User,
  X,
} from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import type { WhyChip, WhyStep } from '../../../shared/contract/views/why.ts';
import { formatTime, formatTimeMs } from '../../format/format.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { useWindowStore } from '../../state/useWindow.tsx';
import { goTo, openObject, type WindowStore } from '../../state/windowState.ts';
import { BasisMark } from '../../widgets/BasisMark.tsx';
import { CopyIconButton } from '../../widgets/Copy.tsx';
import { IconButton } from '../../widgets/controls.tsx';
import { StateGlyph } from '../../widgets/StateGlyph.tsx';
import { RecordRunLinks } from '../traces/RunLink.tsx';
import { useSentences } from './sentenceText.tsx';

export function WhyChain({ chain }: { readonly chain: readonly WhyStep[] }): ReactNode {
  const { t } = useI18n();
  return (
    <ol className="whyChain" aria-label={t('why.chain')}>
      {chain.map((step) => (
        <Step key={step.id} step={step} />
      ))}
    </ol>
  );
}

function Step({ step }: { readonly step: WhyStep }): ReactNode {
  const { t } = useI18n();
  const { rich } = useSentences();
  const [line, setLine] = useState<string | undefined>(undefined);
  return (
    <li className={step.root ? `whyStep whyRoot whyTone-${toneOf(step)}` : 'whyStep'}>
      <span className={`whyRail whyRail-${step.root ? toneOf(step) : 'plain'}`}>
        <Glyph step={step} />
      </span>
      <div className="whyCard">
        <span className="whyTime mono">
          {step.at === undefined ? t('why.now') : step.precise ? formatTimeMs(step.at) : formatTime(step.at)}
        </span>
        <div className="whyText">
          <h3 className="whyTitle">
            {rich(step.title)}
            {step.root && <span className="whyBadge">{t('why.badge.root')}</span>}
          </h3>
          {step.detail !== undefined && <p className="whyDetail">{rich(step.detail)}</p>}
        </div>
        <span className="whyBasis">
          <BasisMark basis={step.basis} />
        </span>
        <div className="whyMore">
          {step.quote !== undefined && <p className="whyQuote mono">{step.quote}</p>}
          {step.chips.length > 0 && (
            <Chips
              chips={step.chips}
              opened={line}
              onLine={(text) => setLine(text === line ? undefined : text)}
            />
          )}
          <RecordRunLinks seq={lastLine(step.chips)} />
          {line !== undefined && <Line text={line} onClose={() => setLine(undefined)} />}
        </div>
      </div>
    </li>
  );
}

/** The record of the newest line or refusal that a step shows: the run of it is one press away. */
function lastLine(chips: readonly WhyChip[]): number | undefined {
  return chips.reduce<number | undefined>(
    (last, { link }) => (link.to === 'line' && link.seq !== undefined ? Math.max(last ?? 0, link.seq) : last),
    undefined,
  );
}

function toneOf(step: WhyStep): 'failed' | 'degraded' {
  return step.glyph === 'degraded' || step.glyph === 'waiting' ? 'degraded' : 'failed';
}

function Glyph({ step }: { readonly step: WhyStep }): ReactNode {
  switch (step.glyph) {
    case 'rights':
      return <ShieldX size={14} strokeWidth={2} aria-hidden="true" />;
    case 'refused':
      return <Ban size={14} strokeWidth={2} aria-hidden="true" />;
    case 'waiting':
      return <Clock3 size={14} strokeWidth={2} aria-hidden="true" />;
    default:
      return <StateGlyph state={step.glyph} size={14} />;
  }
}

const icons: Readonly<Record<WhyChip['icon'], typeof Shield>> = {
  diff: FileDiff,
  rbac: Shield,
  person: User,
  refused: CircleX,
  line: FileText,
  object: Database,
  spec: GitCommitHorizontal,
  queue: ListOrdered,
  condition: Activity,
};

/** One stop for Tab; arrows walk the chips. */
function Chips(props: {
  readonly chips: readonly WhyChip[];
  readonly opened: string | undefined;
  readonly onLine: (text: string) => void;
}): ReactNode {
  const { t } = useI18n();
  const { text } = useSentences();
  const store = useWindowStore();
  const [stop, setStop] = useState(0);
  const bar = useRef<HTMLDivElement>(null);
  const current = Math.min(stop, props.chips.length - 1);
  function onKeyDown(event: KeyboardEvent) {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const next = (current + step + props.chips.length) % props.chips.length;
    setStop(next);
    bar.current?.querySelectorAll('button')[next]?.focus();
  }
  return (
    <div ref={bar} className="whyChips" role="toolbar" aria-label={t('why.chips')} onKeyDown={onKeyDown}>
      {props.chips.map((chip, index) => {
        const Icon = icons[chip.icon];
        const label = text(chip.label);
        const aside = chip.aside === undefined ? '' : text(chip.aside);
        const isLine = chip.link.to === 'line';
        return (
          <button
            key={`${chip.icon} ${label} ${aside}`}
            type="button"
            className="chip"
            tabIndex={index === current ? 0 : -1}
            title={isLine ? chip.link.text : undefined}
            aria-expanded={isLine ? chip.link.text === props.opened : undefined}
            onFocus={() => setStop(index)}
            onClick={() => (isLine ? props.onLine(chip.link.text) : follow(store, chip.link))}
          >
            <Icon size={12} strokeWidth={1.75} aria-hidden="true" />
            <span className="cut">{label}</span>
            {aside !== '' && <span className="mono">{aside}</span>}
          </button>
        );
      })}
    </div>
  );
}

/** Goes where a chip leads. */
export function follow(store: WindowStore, link: Exclude<WhyChip['link'], { to: 'line' }>): void {
  switch (link.to) {
    case 'version':
      store.setState({ historyMode: 'diff' });
      openObject(store, link.key, link.seq);
      return;
    case 'event':
      store.setState({ eventSeq: link.seq, eventFilter: '' });
      goTo(store, { tab: 'events' });
      return;
    case 'rbac':
      store.setState({ rbacRow: link.row, rbacSegment: 'matrix' });
      goTo(store, { tab: 'rbac' });
      return;
    case 'finding':
      store.setState({ finding: link.id });
      goTo(store, { tab: 'findings' });
      return;
    case 'queue':
      store.setState({ controller: link.controller, queueKey: link.key, queueSegment: 'now' });
      goTo(store, { tab: 'queue' });
      return;
    case 'ownership':
    case 'conditions':
      goTo(store, { tab: link.to });
      return;
  }
}

/** A log or audit line, whole. */
function Line({ text, onClose }: { readonly text: string; readonly onClose: () => void }): ReactNode {
  const { t } = useI18n();
  return (
    <div className="whyLine">
      <code>{text}</code>
      <CopyIconButton text={text} label={t('action.copy')} />
      <IconButton small label={t('why.line.close')} onClick={onClose}>
        <X size={14} strokeWidth={1.75} />
      </IconButton>
    </div>
  );
}
