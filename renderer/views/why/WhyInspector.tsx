/** Beside the cause: what to apply, when the key runs next, what follows if nothing changes and what wakes it. */
import { Lightbulb } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { WhyFix, WhyNext, WhyView } from '../../../shared/contract/views/why.ts';
import { formatCountdown, formatDurationWords, formatTime } from '../../format/format.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { useMoment } from '../../state/useConnection.ts';
import { useViewAction } from '../../state/viewActions.tsx';
import { BasisMark } from '../../widgets/BasisMark.tsx';
import { CodePatch } from '../../widgets/CodePatch.tsx';
import { CopyButton, writeClipboard } from '../../widgets/Copy.tsx';
import { Segmented } from '../../widgets/controls.tsx';
import { useSentences } from './sentenceText.tsx';

export function WhyInspector({ view }: { readonly view: WhyView }): ReactNode {
  return (
    <>
      <Fix view={view} />
      <Next view={view} />
    </>
  );
}

function Fix({ view }: { readonly view: WhyView }): ReactNode {
  const { t } = useI18n();
  const { rich } = useSentences();
  const { fix } = view;
  const needless = view.cause === 'ready' || view.cause === 'progressing' || view.cause === 'deleting';
  return (
    <section className="section whyFix">
      <div className="sectionHead">
        <h3 className="title">{t('why.fix')}</h3>
        <span className="sectionEnd label">{t('why.fix.never')}</span>
      </div>
      {fix === undefined ? (
        <p className="small secondary">{t(needless ? 'why.fix.needless' : 'why.fix.none')}</p>
      ) : (
        <>
          <p className="small">{rich(fix.text)}</p>
          {fix.forms.length > 0 && <Forms fix={fix} />}
        </>
      )}
    </section>
  );
}

type Form = WhyFix['forms'][number];

const wraps: Readonly<Record<Form['form'], string>> = {
  role: '',
  marker: 'patchWrap',
  command: 'patchWrap',
  code: 'patchWrap patchBreak',
};

/** The chosen form with its Copy; a marker stands below the patch too, so that the next release keeps it. */
function Forms({ fix }: { readonly fix: WhyFix }): ReactNode {
  const { t } = useI18n();
  const { rich } = useSentences();
  const [wanted, setWanted] = useState(0);
  const chosen = Math.min(wanted, fix.forms.length - 1);
  const form = fix.forms[chosen] as Form;
  useViewAction('copy', () => void writeClipboard(form.copy));
  const beside = form.form === 'role' ? fix.forms.find((other) => other.form === 'marker') : undefined;
  const label = (one: Form, index: number) =>
    t(one.loses && index > 0 ? 'why.fix.form.last' : `why.fix.form.${one.form}`);
  return (
    <>
      <div className="whyForms">
        {fix.forms.length > 1 ? (
          <Segmented<string>
            label={t('why.fix')}
            value={`${chosen}`}
            options={fix.forms.map((one, index) => ({ value: `${index}`, label: label(one, index) }))}
            onChange={(value) => setWanted(Number(value))}
          />
        ) : (
          <span className="label strong">{label(form, 0)}</span>
        )}
        <CopyButton text={form.copy} />
      </div>
      {form.text !== undefined && <p className="small secondary whyFormText">{rich(form.text)}</p>}
      <div className={wraps[form.form]}>
        <CodePatch lines={form.lines} label={label(form, chosen)} />
      </div>
      {beside !== undefined && (
        <>
          {beside.text !== undefined && <p className="small secondary whyFormText">{rich(beside.text)}</p>}
          <div className="patchWrap">
            <CodePatch lines={beside.lines} label={t('why.fix.form.marker')} />
          </div>
        </>
      )}
    </>
  );
}

function Next({ view }: { readonly view: WhyView }): ReactNode {
  const { t } = useI18n();
  const { rich } = useSentences();
  const { next } = view;
  if (next === undefined) {
    if (!view.known) return null;
    return (
      <section className="section">
        <div className="sectionHead">
          <h3 className="title">{t('why.next')}</h3>
        </div>
        <p className="small secondary">{t('why.next.none')}</p>
      </section>
    );
  }
  return (
    <>
      <section className="section">
        <div className="sectionHead">
          <h3 className="title">{t('why.next')}</h3>
          <span className="sectionEnd">
            <BasisMark basis={next.basis} />
          </span>
        </div>
        <p className="small secondary">{rich(next.text)}</p>
        {next.runsAt !== undefined && <Countdown next={next} runsAt={next.runsAt} />}
        <After view={view} next={next} />
      </section>
      {hintOf(view, next)}
    </>
  );
}

/** The figure never jitters: whole seconds from 10 s up, in a fixed width. */
function Countdown({ next, runsAt }: { readonly next: WhyNext; readonly runsAt: number }): ReactNode {
  const { t, number } = useI18n();
  const now = useMoment(250);
  const left = runsAt - now;
  const since = next.since ?? runsAt - (next.delayMs ?? 0);
  const share = runsAt > since ? Math.max(0, Math.min(1, (now - since) / (runsAt - since))) : 1;
  const at = formatTime(runsAt);
  return (
    <>
      <p className="whyCount">
        <span className="whyFigure" role="timer" aria-live="off">
          {!next.certain && <span className="whyAbout">{t('why.next.guess')} </span>}
          {left < 10 ? t('why.next.due') : formatCountdown(left)}
        </span>
        <span className="small secondary">
          {next.attempt === undefined
            ? t('why.next.run', { at })
            : t('why.next.until', { n: number(next.attempt), at })}
        </span>
      </p>
      <div className="whyTrack" aria-hidden="true">
        <i style={{ width: `${share * 100}%` }} />
      </div>
    </>
  );
}

type Tab = 'nothing' | 'fixed';

function After({ view, next }: { readonly view: WhyView; readonly next: WhyNext }): ReactNode {
  const { t } = useI18n();
  const [wanted, setTab] = useState<Tab>('nothing');
  const both = next.later.length > 0 && view.wakes.length > 0;
  const tab: Tab = both ? wanted : next.later.length > 0 ? 'nothing' : 'fixed';
  if (next.later.length === 0 && view.wakes.length === 0) return null;
  return (
    <div className="whyAfter">
      {both ? (
        <Segmented<Tab>
          label={t('why.next.tabs')}
          value={tab}
          options={[
            { value: 'nothing', label: t('why.next.nothing') },
            { value: 'fixed', label: t('why.next.fixed') },
          ]}
          onChange={setTab}
        />
      ) : (
        <h4 className="label strong">{t(tab === 'nothing' ? 'why.next.nothing' : 'why.next.wakes')}</h4>
      )}
      {tab === 'nothing' ? <Later next={next} /> : <Wakes view={view} />}
    </div>
  );
}

/** Each attempt and the wait after it; once the wait no longer grows, one line stands for all that follow. */
function Later({ next }: { readonly next: WhyNext }): ReactNode {
  const { t, number, locale } = useI18n();
  const cap = next.later.find(({ atCap }) => atCap);
  return (
    <ol className="whyLater">
      {next.later.map(({ at, attempt, delayMs }) => (
        <li key={attempt}>
          <span className="mono">{formatTime(wholeSecond(at))}</span>
          <span>{t(`why.later.${next.ends}`, { n: number(attempt) })}</span>
          <span className="tertiary whyThen">
            {t('why.later.then', { time: formatDurationWords(delayMs, locale) })}
          </span>
        </li>
      ))}
      {cap !== undefined && (
        <li>
          <span className="mono">{formatTime(wholeSecond(cap.at + cap.delayMs))}</span>
          <span>{t('why.later.cap', { time: formatDurationWords(cap.delayMs, locale) })}</span>
          <span className="tertiary whyThen">{`${cap.delayMs / 1000} s`}</span>
        </li>
      )}
    </ol>
  );
}

function wholeSecond(at: number): number {
  return Math.round(at / 1000) * 1000;
}

function Wakes({ view }: { readonly view: WhyView }): ReactNode {
  const { rich } = useSentences();
  return (
    <ul className="whyWakes small">
      {view.wakes.map((sentence) => (
        <li key={sentence.id}>{rich(sentence)}</li>
      ))}
    </ul>
  );
}

/** What the user would not expect: that the fix alone runs nothing, and how good the predictions were. */
function hintOf(view: WhyView, next: WhyNext): ReactNode {
  const first = view.wakes.find(({ id }) => id.startsWith('wake.role') || id === 'wake.elsewhere');
  if (first === undefined && next.matched === undefined) return null;
  return <Hint view={view} first={first} matched={next.matched} />;
}

function Hint(props: {
  readonly view: WhyView;
  readonly first: WhyView['wakes'][number] | undefined;
  readonly matched: WhyNext['matched'];
}): ReactNode {
  const { locale } = useI18n();
  const { rich } = useSentences();
  return (
    <section className="section whyHint">
      <Lightbulb size={16} strokeWidth={1.75} aria-hidden="true" />
      <p className="small secondary">
        {props.first !== undefined && rich(props.first)}
        {locale === 'en' && ' '}
        {props.matched !== undefined && rich(props.matched)}
      </p>
    </section>
  );
}
