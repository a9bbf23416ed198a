import { Plug } from 'lucide-react';
import type { ReactNode } from 'react';
import { useCall } from '../client/useCall.ts';
import { useAction, useValueOf } from '../client/useEngine.tsx';
import { useI18n } from '../i18n/i18n.tsx';
import { Button, KeyHint } from '../widgets/controls.tsx';
import { ProblemLine } from '../widgets/parts.tsx';
import { type DemoId, demoIds, demoInfo } from './demos.ts';

/** After the last step: the other incidents, a cluster of one's own, or just staying. */
export function TourEnd(props: {
  readonly demo: DemoId;
  readonly onLeave: () => void;
  readonly onBack: () => void;
}): ReactNode {
  const { t } = useI18n();
  const start = useAction('demo.start');
  const close = useAction('session.close');
  const there = useCall('demo.list', {}).value?.demos;
  const others = demoIds.filter(
    (id) => id !== props.demo && there?.some((demo) => demo.id === id && demo.problem === undefined),
  );
  // A cluster that is recorded behind the demo comes back; else the page to connect.
  const behind = useValueOf('playback', {}, ({ value }) => value?.behind?.context);
  const problem = start.problem ?? close.problem;
  return (
    <>
      {others.length > 0 && (
        <section className="tourOthers" aria-label={t('tour.end.more')}>
          <h3 className="label strong">{t('tour.end.more')}</h3>
          {others.map(demoInfo).map((info) => (
            <button
              key={info.id}
              type="button"
              className="tourOther"
              onClick={() => void start.run({ id: info.id })}
            >
              <info.icon size={14} strokeWidth={1.75} aria-hidden="true" />
              <span className="cut">{t(info.title)}</span>
              <span className="label">{t('demo.length', { n: info.steps, minutes: info.minutes })}</span>
            </button>
          ))}
        </section>
      )}
      {problem !== undefined && <ProblemLine text={problem.message} />}
      <div className="tourFoot">
        <Button small kind="quiet" onClick={props.onBack}>
          {t('tour.back')}
          <KeyHint keys="P" />
        </Button>
        <Button small onClick={props.onLeave}>
          {t('tour.end.stay')}
        </Button>
        <Button
          small
          kind="primary"
          icon={<Plug size={14} strokeWidth={1.75} />}
          onClick={() => void close.run({})}
        >
          {behind === undefined ? t('tour.end.connect') : t('tour.end.behind', { context: behind })}
        </Button>
      </div>
    </>
  );
}
