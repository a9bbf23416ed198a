import { ListOrdered, ShieldAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ObjectRefView } from '../../../shared/contract/views/objects.ts';
import type { KeyRow } from '../../../shared/contract/views/operators.ts';
import type { ControllerProfile } from '../../../shared/model/profile.ts';
import { useTableOf, useValueOf } from '../../client/useEngine.tsx';
import { useI18n } from '../../i18n/i18n.tsx';
import { useMoment } from '../../state/useConnection.ts';
import { useController, useProfile } from '../../state/useOperator.ts';
import { useWindowStore } from '../../state/useWindow.tsx';
import { goTo } from '../../state/windowState.ts';
import { Button } from '../../widgets/controls.tsx';
import { StateGlyph } from '../../widgets/StateGlyph.tsx';
import { calm } from '../queue/WaitingSection.tsx';
import { controllerOf, gapOn } from './timelineWords.ts';

/** Above the versions of a key that fails: how often, when it runs next, and the ways to the cause. */
export function FailingLine({ object }: { readonly object: ObjectRefView }): ReactNode {
  const profile = useProfile();
  const current = useController();
  const controller = useTableOf('informers', {}, ({ rows }) =>
    controllerOf(object, rows, profile?.controllers ?? [], current?.name),
  );
  return controller === undefined ? null : <KeyLine objectKey={object.key} controller={controller} />;
}

function KeyLine(props: { readonly objectKey: string; readonly controller: ControllerProfile }): ReactNode {
  const { t } = useI18n();
  const store = useWindowStore();
  const { name } = props.controller;
  const resource = props.controller.for.value;
  const row = useTableOf('keys', { controller: name }, ({ rows }) =>
    rows.find((key) => key.object === props.objectKey && key.failures > 0),
  );
  const gap = useValueOf('rbac', {}, (s) => gapOn(resource, s.value?.lens?.rows ?? [])?.id);
  if (row === undefined) return null;
  return (
    <div className="failingLine small">
      <StateGlyph state="failed" size={14} />
      <span>
        {t(row.certain === false ? 'timeline.failing.about' : 'timeline.failing', { n: row.failures })}
      </span>
      <span className="secondary">
        <Next row={row} />
      </span>
      <Button
        small
        icon={<ListOrdered size={14} strokeWidth={1.75} />}
        onClick={() => {
          store.setState({ controller: name, queueKey: row.key });
          goTo(store, { tab: 'queue' });
        }}
      >
        {t('tab.queue')}
      </Button>
      {gap !== undefined && (
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
