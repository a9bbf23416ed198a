import { Route } from 'lucide-react';
import type { ReactNode } from 'react';
import { useI18n } from '../i18n/i18n.tsx';
import { usePlayback } from '../state/usePlayback.ts';
import { useWindowStore } from '../state/useWindow.tsx';
import { Button } from '../widgets/controls.tsx';
import { startTour, tourOf } from './tourState.ts';
import { shownDemo, useTourState } from './useTour.ts';

/** Opens the tour of the shown demo again, from its first step. Nothing where there is none. */
export function TourButton(): ReactNode {
  const { t } = useI18n();
  const store = useWindowStore();
  const demo = shownDemo(usePlayback());
  const open = useTourState().demo !== undefined;
  if (demo === undefined) return null;
  return (
    <Button
      small
      aria-pressed={open}
      icon={<Route size={14} strokeWidth={1.75} />}
      onClick={() => startTour(tourOf(store), demo)}
    >
      {t('tour.reopen')}
    </Button>
  );
}
