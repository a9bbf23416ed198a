import type { ReactNode } from 'react';
import { ViewFrame } from '../../app/ViewFrame.tsx';
import { useI18n } from '../../i18n/i18n.tsx';
import { useWindow, useWindowStore } from '../../state/useWindow.tsx';
import type { WindowState } from '../../state/windowState.ts';
import { Segmented } from '../../widgets/controls.tsx';
import { FeedsPart } from './FeedsPart.tsx';
import { RequestsPart } from './RequestsPart.tsx';
import { WatchesPart } from './WatchesPart.tsx';
import './informers.css';

type Part = WindowState['informerSegment'];

/** Where everything comes from: our own watches, the operator's feeds, and the audit of our own requests. */
export function InformersView(): ReactNode {
  const { t } = useI18n();
  const store = useWindowStore();
  const part = useWindow((s) => s.informerSegment);
  const choice = (
    <Segmented<Part>
      label={t('informers.segment')}
      value={part}
      options={(['informers', 'feeds', 'requests'] as const).map((value) => ({
        value,
        label: t(`informers.segment.${value}`),
      }))}
      onChange={(informerSegment) => store.setState({ informerSegment })}
    />
  );
  return (
    <ViewFrame tab="informers">
      {part === 'informers' ? (
        <WatchesPart choice={choice} />
      ) : part === 'feeds' ? (
        <FeedsPart choice={choice} />
      ) : (
        <RequestsPart choice={choice} />
      )}
    </ViewFrame>
  );
}
