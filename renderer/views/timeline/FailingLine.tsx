import { CircleHelp, ListOrdered, ShieldAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ObjectRefView } from '../../../shared/contract/views/objects.ts';
import type { KeyRow } from '../../../shared/contract/views/operators.ts';
import type { ControllerProfile } from '../../../shared/model/profile.ts';
import type { SpanRow } from '../../../shared/model/trace.ts';
import { useTableOf, useValueOf } from '../../client/useEngine.tsx';
import { formatAge, formatTime } from '../../format/format.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { useMoment } from '../../state/useConnection.ts';
import { useController, useProfile } from '../../state/useOperator.ts';
import { useWindowStore } from '../../state/useWindow.tsx';
import { goTo } from '../../state/windowState.ts';
import { Button } from '../../widgets/controls.tsx';
import { ResultMark } from '../../widgets/ResultMark.tsx';
import { StateGlyph } from '../../widgets/StateGlyph.tsx';
import { calm } from '../queue/WaitingSection.tsx';
import { resultOf } from '../traces/spanWords.ts';
import type { AskedKey } from './AskedInspector.tsx';
import { controllerOf, gapOn } from './timelineWords.ts';

export interface FailingLineProps {
  readonly object: ObjectRefView;
  /** Its newest run, where one is known. */
  readonly last: SpanRow | undefined;
  readonly asking: boolean;
  readonly onAsk: (key: AskedKey) => void;
}

/**
 * Above the versions of a key: when it ran last and why it does not run now; of one that fails how often, when it runs
 * next, and the ways to the cause.
 */
export function FailingLine(props: FailingLineProps): ReactNode {
  const { object } = props;
  const profile = useProfile();
  const current = useController();
  const controller = useTableOf('informers', {}, ({ rows }) =>
    controllerOf(object, rows, profile?.controllers ?? [], current?.name),
  );
  return controller === undefined ? null : <KeyLine {...props} controller={controller} />;
}

function KeyLine(props: FailingLineProps & { readonly controller: ControllerProfile }): ReactNode {
  const { t } = useI18n();
  const store = useWindowStore();
  const { name } = props.controller;
  const { last } = props;
  const resource = props.controller.for.value;
  const row = useTableOf('keys', { controller: name }, ({ rows }) =>
    rows.find((key) => key.object === props.object.key),
  );
  const failing = row !== undefined && row.failures > 0;
  const gap = useValueOf('rbac', {}, (s) => gapOn(resource, s.value?.lens?.rows ?? [])?.id);
  if (row === undefined) return null;
  const asked = row.key;
  return (
    <div className="failingLine small">
      {failing && (
        <>
          <StateGlyph state="failed" size={14} />
          <span>
            {t(row.certain === false ? 'timeline.failing.about' : 'timeline.failing', { n: row.failures })}
          </span>
        </>
      )}
      {last !== undefined && !failing && <LastRan run={last} />}
      <span className="secondary">
        <Next row={row} />
      </span>
      {row.state !== 'running' && (
        <Button
          small
          aria-pressed={props.asking}
          icon={<CircleHelp size={14} strokeWidth={1.75} aria-hidden="true" />}
          onClick={() => props.onAsk({ controller: name, key: asked })}
        >
          {t('span.notRan')}
        </Button>
      )}
      <Button
        small
        icon={<ListOrdered size={14} strokeWidth={1.75} />}
        onClick={() => {
          store.setState({ controller: name, queueKey: row.key, queueSegment: 'now' });
          goTo(store, { tab: 'queue' });
        }}
      >
        {t('tab.queue')}
      </Button>
      {failing && gap !== undefined && (
        <Button
          small
          icon={<ShieldAlert size={14} strokeWidth={1.75} />}
          onClick={() => {
            store.setState({ rbacRow: gap, rbacSegment: 'matrix' });
            goTo(store, { tab: 'rbac' });
          }}
        >
          {t('timeline.failing.gap')}
        </Button>
      )}
    </div>
  );
}

function LastRan({ run }: { readonly run: SpanRow }): ReactNode {
  const { t } = useI18n();
  const now = useMoment(1000);
  const age = formatAge(now - run.start.hi);
  return (
    <>
      <ResultMark result={resultOf(run)} basis={run.basis.kind} size={12} />
      <span className="secondary">{t('span.last.ago', { time: formatTime(run.start.hi), age })}</span>
    </>
  );
}

function Next({ row }: { readonly row: KeyRow }): ReactNode {
  const { t } = useI18n();
  switch (row.state) {
    case 'running':
      return t('timeline.failing.running');
    case 'ready':
      return t('timeline.failing.ready');
    case 'waiting':
      return row.nextRunAt === undefined ? null : <NextRun at={row.nextRunAt} />;
    case 'idle':
      return null;
  }
}

function NextRun({ at }: { readonly at: number }): ReactNode {
  const { t } = useI18n();
  const left = at - useMoment(250);
  return left < 10 ? t('timeline.failing.due') : t('timeline.failing.next', { time: calm(left) });
}
