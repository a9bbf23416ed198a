import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useI18n } from '../../i18n/i18n.tsx';
import { useViewAction } from '../../state/viewActions.tsx';
import { IconButton } from '../../widgets/controls.tsx';
import { LastRunLink } from '../traces/RunLink.tsx';
import { WalkSection } from '../traces/WalkList.tsx';

/** A key as its queue names it. */
export interface AskedKey {
  readonly controller: string;
  readonly key: string;
}

/** "Why did it not run since?": the steps that a change takes to a run, and the one that holds this key back. */
export function AskedInspector(props: { readonly asked: AskedKey; readonly onClose: () => void }): ReactNode {
  const { t } = useI18n();
  const { controller, key } = props.asked;
  useViewAction('leave', props.onClose);
  return (
    <>
      <div className="inspectorHead">
        <h2 className="title">{key}</h2>
        <span className="inspectorEnd">
          <IconButton small label={t('walk.close')} keys="Escape" onClick={props.onClose}>
            <X size={14} strokeWidth={1.75} />
          </IconButton>
        </span>
      </div>
      <WalkSection query={{ controller, key }} />
      <section className="section">
        <LastRunLink controller={controller} name={key} />
      </section>
    </>
  );
}
