import type { ReactNode } from 'react';
import type { Playback } from '../../../shared/contract/views/playback.ts';
import { useShownName } from '../../app/ShownMenu.tsx';
import { useEngine } from '../../client/useEngine.tsx';
import { useI18n } from '../../i18n/i18n.tsx';
import { closeShown } from '../../state/playbackActions.ts';
import { useViewAction } from '../../state/viewActions.tsx';
import { Button, KeyHint } from '../../widgets/controls.tsx';
import { Progress } from '../../widgets/parts.tsx';

/** A session or demo on its way to the screen: records counted, and Cancel. */
export function OpeningProgress({ playback }: { readonly playback: Playback }): ReactNode {
  const { t, number } = useI18n();
  const engine = useEngine();
  const name = useShownName();
  useViewAction('leave', () => void closeShown(engine));
  const { progress } = playback;
  const title = t('playback.opening', { name });
  return (
    <div className="connectProgress">
      <h2 className="title">{title}</h2>
      <div className="progressCount">
        <span className="countBig">{number(progress?.records ?? 0)}</span>
        <span className="small secondary">
          {progress === undefined ? t('playback.opening.unit') : t('playback.opening.of', { n: progress.of })}
        </span>
      </div>
      <Progress
        value={progress === undefined || progress.of === 0 ? undefined : progress.records / progress.of}
        label={title}
      />
      <p className="small secondary">{t('playback.opening.text')}</p>
      <div className="progressActions">
        <Button autoFocus onClick={() => void closeShown(engine)}>
          {t('action.cancel')}
          <KeyHint keys="Escape" />
        </Button>
      </div>
    </div>
  );
}
