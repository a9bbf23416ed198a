import type { ReactNode } from 'react';
import type { DeletionHold, OwnershipView } from '../../../shared/contract/views/structure.ts';
import { formatTime } from '../../format/format.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { useWindowStore } from '../../state/useWindow.tsx';
import { openObject } from '../../state/windowState.ts';
import { BasisMark } from '../../widgets/BasisMark.tsx';
import { CodePatch, toLines } from '../../widgets/CodePatch.tsx';
import { CopyButton } from '../../widgets/Copy.tsx';
import { Button } from '../../widgets/controls.tsx';
import { KeyValue, Section } from '../../widgets/parts.tsx';
import { StateGlyph } from '../../widgets/StateGlyph.tsx';
import { ownershipVerdict, removalCommand } from './ownershipWords.ts';

export interface OwnershipInspectorProps {
  readonly view: OwnershipView;
  /** Id of a box of the graph. */
  readonly selected: string | undefined;
}

/** What to do about a deletion that waits, what follows, what was checked, and the chosen box. */
export function OwnershipInspector({ view, selected }: OwnershipInspectorProps): ReactNode {
  const { t } = useI18n();
  const verdict = ownershipVerdict(view);
  return (
    <>
      {'hold' in verdict && <WaysOut view={view} hold={verdict.hold} />}
      <Section title={t('ownership.selected')}>
        <Selected view={view} selected={selected} />
      </Section>
      <Section title={t('ownership.checked')}>
        <ul className="ownerChecks small">
          <li>
            <StateGlyph state={view.problems.length === 0 ? 'ok' : 'failed'} size={12} />
            <span>
              {view.problems.length === 0
                ? t('ownership.checked.references')
                : t('ownership.checked.references.not', { n: view.problems.length })}
            </span>
          </li>
          {view.unreadable.length > 0 && (
            <li title={view.unreadable.join(', ')}>
              <StateGlyph state="unknown" size={12} />
              <span>{t('ownership.checked.unreadable', { n: view.unreadable.length })}</span>
            </li>
          )}
        </ul>
      </Section>
    </>
  );
}

function WaysOut({ view, hold }: { readonly view: OwnershipView; readonly hold: DeletionHold }): ReactNode {
  const { t } = useI18n();
  const command = removalCommand(view, hold);
  const ways: ReactNode[] = [];
  const handler = hold.handler?.name;
  if (handler !== undefined && hold.handlerState !== 'unknown')
    ways.push(t(hold.handlerState === 'running' ? 'ownership.ways.wait' : 'ownership.ways.run', { handler }));
  ways.push(
    <>
      <p>{t('ownership.ways.byHand')}</p>
      <div className="patchWrap">
        <CodePatch lines={toLines(command, false)} label={t('ownership.ways.command')} />
      </div>
      <div className="wayCopy">
        <CopyButton text={command} kind={handler === undefined ? 'primary' : 'plain'} />
        <span className="tertiary">{t('ownership.ways.test')}</span>
      </div>
    </>,
  );
  return (
    <>
      <Section big title={t('ownership.ways')} end={t('findings.inspect.never')}>
        <ol className="small">
          {ways.map((way, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list is made at once and in order
            <li key={index} className="wayOut">
              <span className="wayNumber">{index + 1}</span>
              <div>{way}</div>
            </li>
          ))}
        </ol>
      </Section>
      <Section title={t('ownership.then')}>
        <p className="small secondary">{thenWords(view, t)}</p>
      </Section>
    </>
  );
}

function thenWords(view: OwnershipView, t: ReturnType<typeof useI18n>['t']): string {
  if (view.holds.length > 1) return t('ownership.then.more', { n: view.holds.length - 1 });
  const dependents =
    view.nodes.filter(({ level }) => level === 1).length +
    view.folded.reduce((sum, { count }) => sum + count, 0);
  if (dependents === 0) return t('ownership.then.alone');
  return t(`ownership.then.${view.propagation ?? 'background'}`, { n: dependents });
}

function Selected({ view, selected }: OwnershipInspectorProps): ReactNode {
  const { t } = useI18n();
  const store = useWindowStore();
  const node = view.nodes.find(({ object }) => object.key === selected);
  if (node !== undefined) {
    const { object } = node;
    return (
      <>
        <KeyValue
          items={[
            [t('ownership.selected.object'), `${object.kind} ${object.namespace}/${object.name}`],
            node.deletingSince !== undefined && [
              t('ownership.selected.deleting'),
              <span key="at" className="mono">
                {formatTime(node.deletingSince)}
              </span>,
            ],
            node.finalizers.length > 0 && [
              t('ownership.selected.finalizers'),
              <code key="finalizers">{node.finalizers.join('\n')}</code>,
            ],
          ]}
        />
        {node.exists && (
          <div className="wayCopy">
            <Button small onClick={() => openObject(store, object.key)}>
              {t('ownership.selected.open')}
            </Button>
          </div>
        )}
      </>
    );
  }
  const hold = view.holds.find(
    ({ index }) => selected === `finalizer ${index}` || selected === `handler ${index}`,
  );
  if (hold === undefined) return <p className="small secondary">{t('ownership.selected.none')}</p>;
  return (
    <KeyValue
      items={[
        [t('ownership.finalizer'), <code key="finalizer">{hold.finalizer}</code>],
        hold.setBy !== undefined && [t('ownership.selected.setBy'), hold.setBy],
        hold.handler !== undefined && [
          t('ownership.selected.handler'),
          hold.handler.workload ?? hold.handler.name,
        ],
        [t('ownership.selected.known'), <BasisMark key="basis" basis={hold.basis} show="source" />],
      ]}
    />
  );
}
