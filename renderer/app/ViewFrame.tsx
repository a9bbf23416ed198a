import type { CSSProperties, ReactNode } from 'react';
import { useI18n } from '../i18n/i18n.tsx';
import { sheetQuery, useMedia } from '../state/useMedia.ts';
import { useWindow, useWindowStore } from '../state/useWindow.tsx';
import { useViewAction } from '../state/viewActions.tsx';
import { setPreferences, type Tab } from '../state/windowState.ts';
import { Splitter } from '../widgets/Splitter.tsx';

export interface ViewFrameProps {
  readonly tab: Tab;
  /** The 44-px line above both columns. */
  readonly head?: ReactNode;
  readonly children: ReactNode;
  readonly inspector?: ReactNode;
  /** Width before the user changed it. */
  readonly inspectorWidth?: number;
}

/** Centre and inspector of one view. Under 900 px the inspector is a sheet over the centre. */
export function ViewFrame(props: ViewFrameProps): ReactNode {
  const { t } = useI18n();
  const store = useWindowStore();
  const widths = useWindow((s) => s.preferences.inspectorWidth);
  const wide = useMedia('(min-width: 1920px)');
  const narrow = useMedia('(max-width: 1279px)');
  const sheet = useMedia(sheetQuery);
  const open = useWindow((s) => (sheet ? s.sheetOpen : s.preferences.inspectorOpen));
  const usual = wide ? 440 : narrow ? 320 : (props.inspectorWidth ?? 376);
  const most = narrow ? 420 : 560;
  const width = Math.min(widths[props.tab] ?? usual, most);
  const inspector = open ? props.inspector : undefined;
  return (
    <div className="viewFrame" style={{ '--inspector': `${width}px` } as CSSProperties}>
      {props.head !== undefined && <div className="viewHead">{props.head}</div>}
      <div className="viewColumns">
        <section className="viewCentre" data-region="view" aria-label={t(`tab.${props.tab}`)}>
          {props.children}
        </section>
        {inspector !== undefined && !sheet && (
          <Splitter
            label={t('split.inspector')}
            axis="x"
            edge="after"
            size={width}
            min={304}
            max={most}
            reset={usual}
            onSize={(size) => setPreferences(store, { inspectorWidth: { ...widths, [props.tab]: size } })}
            onCollapse={() => setPreferences(store, { inspectorOpen: false })}
          />
        )}
        {inspector !== undefined && (
          <Inspector
            sheet={sheet}
            label={t('region.inspector')}
            onClose={() => store.setState({ sheetOpen: false })}
          >
            {inspector}
          </Inspector>
        )}
      </div>
    </div>
  );
}

function Inspector(props: {
  readonly sheet: boolean;
  readonly label: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}): ReactNode {
  const { sheet } = props;
  useViewAction('leave', sheet ? props.onClose : undefined);
  return (
    <aside
      className={sheet ? 'inspector inspectorSheet' : 'inspector'}
      data-region="inspector"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by key
      tabIndex={0}
      aria-label={props.label}
    >
      {props.children}
    </aside>
  );
}
