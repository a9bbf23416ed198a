import type { ReactNode } from 'react';
import { ViewFrame } from '../../app/ViewFrame.tsx';
import { useI18n } from '../../i18n/i18n.tsx';
import { useWindow, useWindowStore } from '../../state/useWindow.tsx';
import type { WindowState } from '../../state/windowState.ts';
import { Segmented } from '../../widgets/controls.tsx';
import { RequestsPart } from './RequestsPart.tsx';
import { SourceInspector } from './SourceInspector.tsx';
import { SourcesPart, useChosenSource } from './SourcesPart.tsx';
import { WatchesPart } from './WatchesPart.tsx';
import './informers.css';
import './sources.css';

type Part = WindowState['informerSegment'];

/** Where everything comes from: every source and how it is heard, our own watches, and the audit of our own requests. */
export function InformersView(): ReactNode {
  const { t } = useI18n();
  const store = useWindowStore();
  const part = useWindow((s) => s.informerSegment);
  const source = useChosenSource();
  const choice = (
    <Segmented<Part>
      label={t('informers.segment')}
      value={part}
      options={(['sources', 'informers', 'requests'] as const).map((value) => ({
        value,
        label: t(`informers.segment.${value}`),
      }))}
      onChange={(informerSegment) => store.setState({ informerSegment })}
    />
  );
  return (
    <ViewFrame
      tab="informers"
      inspectorWidth={344}
      {...(part === 'sources' && source !== undefined
        ? { inspector: <SourceInspector key={source.id} row={source} /> }
        : {})}
    >
      {part === 'sources' ? (
        <SourcesPart choice={choice} />
      ) : part === 'informers' ? (
        <WatchesPart choice={choice} />
      ) : (
        <RequestsPart choice={choice} />
      )}
    </ViewFrame>
  );
}
