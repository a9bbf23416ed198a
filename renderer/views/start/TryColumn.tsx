import { PackageOpen } from 'lucide-react';
import type { ReactNode } from 'react';
import { useI18n } from '../../i18n/i18n.tsx';
import { setSessionsUi } from '../../state/sessionsUi.ts';
import { useWindowStore } from '../../state/useWindow.tsx';
import { Button } from '../../widgets/controls.tsx';
import { DemoCards } from './DemoCards.tsx';

/** Recorded incidents, and where a session of one's own goes. Neither needs a cluster. */
export function TryColumn({ focusFirst }: { readonly focusFirst: boolean }): ReactNode {
  const { t } = useI18n();
  const store = useWindowStore();
  return (
    <div className="tryColumn">
      <section aria-label={t('demos.title')}>
        <div className="startHead">
          <h2 className="title">{t('demos.title')}</h2>
          <span className="small tertiary">{t('demos.where')}</span>
        </div>
        <p className="small secondary startSub">{t('demos.text')}</p>
        <DemoCards focusFirst={focusFirst} />
      </section>
      <section className="dropCard" aria-label={t('drop.title')}>
        <PackageOpen size={18} strokeWidth={1.75} aria-hidden="true" />
        <h2 className="strong">{t('drop.title')}</h2>
        <p className="small secondary">{t('drop.text')}</p>
        <div className="dropButtons">
          <Button onClick={() => setSessionsUi(store, { dialog: 'open' })}>{t('drop.choose')}</Button>
        </div>
      </section>
      <p className="small tertiary dropSafe">{t('drop.safe')}</p>
    </div>
  );
}
