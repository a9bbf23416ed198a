import { Network, SearchX } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react';
import type { OwnershipView as View } from '../../../shared/contract/views/structure.ts';
import type { WhyView } from '../../../shared/contract/views/why.ts';
import { ViewFrame } from '../../app/ViewFrame.tsx';
import { useValue, useValueOf } from '../../client/useEngine.tsx';
import { formatTime } from '../../format/format.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { useWindow, useWindowStore } from '../../state/useWindow.tsx';
import { openObject } from '../../state/windowState.ts';
import { BasisMark } from '../../widgets/BasisMark.tsx';
import { EmptyState, ProblemLine, Skeleton, Verdict } from '../../widgets/parts.tsx';
import { StateGlyph } from '../../widgets/StateGlyph.tsx';
import { NoObject } from '../NoObject.tsx';
import { ObjectHead } from '../ObjectHead.tsx';
import { OwnershipInspector } from './OwnershipInspector.tsx';
import { ownershipVerdict } from './ownershipWords.ts';
import './ownership.css';

/** The graph library is needed here alone: it comes when the view is opened. */
const OwnerGraph = lazy(() => import('./OwnerGraph.tsx'));

/** Owners, owned objects, and what a deletion waits for. */
export function OwnershipView(): ReactNode {
  const key = useWindow((s) => s.place.object);
  if (key !== undefined) return <ObjectOwnership key={key} objectKey={key} />;
  return (
    <ViewFrame tab="ownership">
      <NoObject tab="ownership" icon={<Network size={20} strokeWidth={1.75} />} />
    </ViewFrame>
  );
}

function ObjectOwnership({ objectKey }: { readonly objectKey: string }): ReactNode {
  const { t } = useI18n();
  const store = useWindowStore();
  const snapshot = useValue('ownership', { key: objectKey });
  const [selected, setSelected] = useState<string | undefined>(undefined);
  // The queue knows of failures that the object does not tell: its box says what its head says.
  const health = useValueOf('why', { key: objectKey }, (s) => s.value?.health);
  const view = useMemo(() => snapshot.value && withHealth(snapshot.value, health), [snapshot.value, health]);
  return (
    <ViewFrame
      tab="ownership"
      head={<ObjectHead objectKey={objectKey} />}
      inspector={view?.known === true ? <OwnershipInspector view={view} selected={selected} /> : undefined}
    >
      {snapshot.state === 'failed' && <ProblemLine text={t('state.failed', { why: snapshot.error ?? '' })} />}
      {view === undefined ? (
        snapshot.state === 'failed' ? null : (
          <Skeleton lines={6} />
        )
      ) : view.known ? (
        <div className="ownershipBody">
          <p className="small tertiary">
            {t(view.deletingSince === undefined ? 'ownership.question' : 'ownership.question.deleting', {
              name: view.object.name,
            })}
          </p>
          <Sentence view={view} />
          <Suspense fallback={<Skeleton lines={4} />}>
            <OwnerGraph
              view={view}
              selected={selected}
              onSelect={setSelected}
              onOpen={(key) => openObject(store, key)}
            />
          </Suspense>
          <Problems view={view} />
        </div>
      ) : (
        <EmptyState icon={<SearchX size={20} strokeWidth={1.75} />} title={t('ownership.unknown.title')}>
          {t('ownership.unknown')}
        </EmptyState>
      )}
    </ViewFrame>
  );
}

function withHealth(view: View, health: WhyView['health'] | undefined): View {
  if (health === undefined) return view;
  return { ...view, nodes: view.nodes.map((node) => (node.level === 0 ? { ...node, health } : node)) };
}

function Sentence({ view }: { readonly view: View }): ReactNode {
  const { t, rich } = useI18n();
  const { name } = view.object;
  const verdict = ownershipVerdict(view);
  const note =
    view.deletingSince === undefined ? (
      <Around view={view} />
    ) : (
      <>
        {'hold' in verdict && <BasisMark basis={verdict.hold.basis} show="source" />}
        {'others' in verdict && verdict.others > 0 && (
          <span>{t('ownership.note.others', { n: verdict.others })}</span>
        )}
        {view.propagation !== undefined && <span>{t(`ownership.note.propagation.${view.propagation}`)}</span>}
      </>
    );
  return <Verdict note={note}>{words()}</Verdict>;

  function words(): ReactNode {
    switch (verdict.kind) {
      case 'gone':
        return t('ownership.verdict.gone', { name, time: formatTime(verdict.at) });
      case 'stuck':
        return rich('ownership.verdict.stuck.handler', {
          name,
          finalizer: <span className="inkFailed">{verdict.hold.finalizer}</span>,
          handler: verdict.hold.handler?.name ?? verdict.hold.setBy ?? '–',
        });
      case 'waits':
        return t('ownership.verdict.waits', {
          name,
          finalizer: verdict.hold.finalizer,
          handler: verdict.hold.handler?.name ?? '–',
        });
      case 'unclear':
        return verdict.hold.handler === undefined
          ? t('ownership.verdict.unclear', { name, finalizer: verdict.hold.finalizer })
          : t('ownership.verdict.unclear.handler', {
              name,
              finalizer: verdict.hold.finalizer,
              handler: verdict.hold.handler.name,
            });
      case 'going':
        return t('ownership.verdict.going', { name });
      case 'broken':
        return t('ownership.verdict.broken', { name, n: verdict.count });
      case 'wouldWait':
        return t('ownership.verdict.wouldWait', { name, n: verdict.count });
      case 'free':
        return t('ownership.verdict.free', { name });
    }
  }
}

/** What is drawn, counted: an owner by its name, owned objects with those that are folded. */
function Around({ view }: { readonly view: View }): ReactNode {
  const { t } = useI18n();
  const owners = view.nodes.filter(({ level }) => level === -1);
  const owned =
    view.nodes.filter(({ level }) => level === 1).length +
    view.folded.reduce((sum, { count }) => sum + count, 0);
  const [owner] = owners;
  return (
    <>
      <BasisMark basis={{ kind: 'observed', from: 'watch' }} show="source" />
      {owners.length === 1 && owner !== undefined && (
        <span>{t('ownership.note.owner', { owner: `${owner.object.kind} ${owner.object.name}` })}</span>
      )}
      {owners.length > 1 && <span>{t('ownership.note.owners', { n: owners.length })}</span>}
      <span>{owned === 0 ? t('ownership.note.ownsNothing') : t('ownership.note.owns', { n: owned })}</span>
    </>
  );
}

function Problems({ view }: { readonly view: View }): ReactNode {
  const { t } = useI18n();
  if (view.problems.length === 0) return null;
  return (
    <>
      <h3 className="label strong ownerSectionTitle">{t('ownership.problems')}</h3>
      <ul className="ownerProblems small">
        {view.problems.map(({ problem, dependent, owner }) => (
          <li key={`${dependent} ${owner}`}>
            <StateGlyph state="failed" size={12} />
            <span>
              {t(`ownership.problem.${problem}`, {
                dependent: shortName(dependent),
                owner: shortName(owner),
              })}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** `Kind namespace/name` of an object key. */
function shortName(key: string): string {
  const [, kind = '', namespace = '', name = ''] = key.split('/');
  return namespace === '' ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}
