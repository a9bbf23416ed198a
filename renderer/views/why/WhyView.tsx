/** Why one object is not Ready, since when, and what comes next: the landing page of a chosen object. */
import { CheckCheck, CircleHelp, SearchX, ShieldAlert, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { WhyView as View, WhyNote } from '../../../shared/contract/views/why.ts';
import { ViewFrame } from '../../app/ViewFrame.tsx';
import { useValue } from '../../client/useEngine.tsx';
import { useI18n } from '../../i18n/i18n.tsx';
import { useWindow, useWindowStore } from '../../state/useWindow.tsx';
import { useViewAction } from '../../state/viewActions.tsx';
import { goTo, type HistoryMode, openObject } from '../../state/windowState.ts';
import { BasisMark } from '../../widgets/BasisMark.tsx';
import { Button } from '../../widgets/controls.tsx';
import { EmptyState, ProblemLine, Skeleton } from '../../widgets/parts.tsx';
import { ObjectBands } from '../conditions/ObjectBands.tsx';
import { NoObject } from '../NoObject.tsx';
import { ObjectHead } from '../ObjectHead.tsx';
import { useSentences } from './sentenceText.tsx';
import { WhyChain } from './WhyChain.tsx';
import { WhyChecks } from './WhyChecks.tsx';
import { WhyInspector } from './WhyInspector.tsx';
import './why.css';

export function WhyView(): ReactNode {
  const key = useWindow((s) => s.place.object);
  if (key !== undefined) return <ObjectWhy key={key} objectKey={key} />;
  return (
    <ViewFrame tab="why">
      <NoObject tab="why" icon={<CircleHelp size={20} strokeWidth={1.75} />} />
    </ViewFrame>
  );
}

function ObjectWhy({ objectKey }: { readonly objectKey: string }): ReactNode {
  const { t } = useI18n();
  const store = useWindowStore();
  const { value, state, error } = useValue('why', { key: objectKey });
  function show(historyMode: HistoryMode) {
    return () => {
      store.setState({ historyMode });
      openObject(store, objectKey);
    };
  }
  useViewAction('yaml', show('yaml'));
  useViewAction('diff', show('diff'));
  useViewAction('owners', show('owners'));
  if (value === undefined)
    return (
      <ViewFrame tab="why" head={<ObjectHead objectKey={objectKey} />}>
        {state === 'failed' ? (
          <ProblemLine text={t('state.failed', { why: error ?? '' })} />
        ) : (
          <Skeleton lines={8} />
        )}
      </ViewFrame>
    );
  return (
    <ViewFrame
      tab="why"
      inspectorWidth={392}
      head={<ObjectHead objectKey={objectKey} />}
      inspector={value.known ? <WhyInspector view={value} /> : undefined}
    >
      <div className="viewScroll">
        {state === 'failed' && <ProblemLine text={t('state.failed', { why: error ?? '' })} />}
        {value.known ? <WhyPage view={value} /> : <Unknown view={value} />}
      </div>
    </ViewFrame>
  );
}

/** Of an object that was not seen: because it may not be, or because there is none. */
function Unknown({ view }: { readonly view: View }): ReactNode {
  const { t } = useI18n();
  const { text, rich } = useSentences();
  const store = useWindowStore();
  const Icon = view.forbidden === undefined ? SearchX : ShieldAlert;
  return (
    <EmptyState
      icon={<Icon size={20} strokeWidth={1.75} />}
      title={text(view.verdict)}
      actions={
        view.forbidden === undefined ? (
          <Button onClick={() => store.setState({ paletteOpen: true })}>{t('object.none.search')}</Button>
        ) : undefined
      }
    >
      {view.helps.map((help) => (
        <p key={help.id}>{rich(help)}</p>
      ))}
    </EmptyState>
  );
}

/** The sentence, its chain, the bands, what else was looked at. */
export function WhyPage({ view }: { readonly view: View }): ReactNode {
  const { t } = useI18n();
  const { rich } = useSentences();
  return (
    <div className="whyPage">
      <p className="whyQuestion">{rich(view.question)}</p>
      <h2 className="verdict">{rich(view.verdict, `ink${inkOf(view)}`)}</h2>
      {(view.basis !== undefined || view.notes.length > 0) && (
        <div className="whyNotes">
          {view.basis !== undefined && (
            <span className="whyKnown">
              <BasisMark basis={view.basis} />
              {view.notes
                .filter(({ kind }) => kind === 'seen')
                .map((note) => (
                  <span key={note.text.id} className="small tertiary">
                    {' · '}
                    {rich(note.text)}
                  </span>
                ))}
            </span>
          )}
          {view.notes
            .filter(({ kind }) => kind !== 'seen')
            .map((note) => (
              <Note key={note.text.id} note={note} />
            ))}
          {view.upgrading && <span className="small tertiary">{t('why.upgrading')}</span>}
        </div>
      )}
      {view.chain.length > 0 && <WhyChain chain={view.chain} />}
      {view.helps.length > 0 && (
        <section className="whyHelps">
          <h3 className="label strong">{t('why.helps')}</h3>
          <ul>
            {view.helps.map((help) => (
              <li key={help.id}>
                <CircleHelp size={14} strokeWidth={1.75} aria-hidden="true" />
                <span>{rich(help)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <Bands view={view} />
      <WhyChecks checks={view.checks} />
    </div>
  );
}

/** The word the sentence turns on has the colour of what it means: red for refused and failed, amber for late. */
function inkOf(view: View): 'Ok' | 'Progressing' | 'Degraded' | 'Failed' {
  switch (view.cause) {
    case 'ready':
      return 'Ok';
    case 'progressing':
    case 'deleting':
      return 'Progressing';
    case 'hot-loop':
    case 'retry-parked':
    case 'generation-not-acknowledged':
      return 'Degraded';
    default:
      return 'Failed';
  }
}

function Note({ note }: { readonly note: WhyNote }): ReactNode {
  const { rich } = useSentences();
  const agrees = note.kind === 'agrees';
  const Icon = agrees ? CheckCheck : TriangleAlert;
  return (
    <span className={agrees ? 'whyNote small secondary' : 'whyNote small inkDegraded'}>
      <Icon size={14} strokeWidth={1.75} aria-hidden="true" />
      {rich(note.text)}
    </span>
  );
}

function Bands({ view }: { readonly view: View }): ReactNode {
  const { t } = useI18n();
  const store = useWindowStore();
  const { value } = useValue('conditions', { key: view.object.key });
  if (value === undefined || value.tracks.length === 0) return null;
  return (
    <div className="whyBands">
      <ObjectBands
        mini
        view={value}
        why={view}
        title={(from, to) => t('why.bands', { from, to })}
        onSelect={() => goTo(store, { tab: 'conditions' })}
      />
    </div>
  );
}
