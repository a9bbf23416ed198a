import { type ReactNode, useRef } from 'react';
import { useI18n } from '../i18n/i18n.tsx';
import { useConnection } from '../state/useConnection.ts';
import { railQuery, useMedia } from '../state/useMedia.ts';
import { useIsRecording } from '../state/usePlayback.ts';
import { useWindow, useWindowStore } from '../state/useWindow.tsx';
import { setPreferences, type Tab } from '../state/windowState.ts';
import { ConditionsView } from '../views/conditions/ConditionsView.tsx';
import { EventsView } from '../views/events/EventsView.tsx';
import { FindingsView } from '../views/findings/FindingsView.tsx';
import { RevisionBanner } from '../views/history/RevisionBanner.tsx';
import { InformersView } from '../views/informers/InformersView.tsx';
import { OwnershipView } from '../views/ownership/OwnershipView.tsx';
import { ProfileDialog } from '../views/profile/ProfileDialog.tsx';
import { QueueView } from '../views/queue/QueueView.tsx';
import { RbacView } from '../views/rbac/RbacView.tsx';
import { TimelineView } from '../views/timeline/TimelineView.tsx';
import { WhyView } from '../views/why/WhyView.tsx';
import { Splitter } from '../widgets/Splitter.tsx';
import { Boundary } from './Boundary.tsx';
import { LostBanner } from './LostBanner.tsx';
import { Nav } from './Nav.tsx';
import { NavRail } from './NavRail.tsx';
import { useShownName } from './ShownMenu.tsx';
import { StatusStrip } from './StatusStrip.tsx';
import { TabBar } from './TabBar.tsx';
import { TopBar } from './TopBar.tsx';
import { useFirstLanding } from './useFirstLanding.ts';
import { useLateParts } from './useLateParts.ts';

const views: Readonly<Record<Tab, () => ReactNode>> = {
  why: WhyView,
  timeline: TimelineView,
  conditions: ConditionsView,
  ownership: OwnershipView,
  queue: QueueView,
  rbac: RbacView,
  informers: InformersView,
  events: EventsView,
  findings: FindingsView,
};

/** The window once a cluster is open: bars, navigation, one view, the strip of the recording. */
export function MainFrame(): ReactNode {
  const { t } = useI18n();
  const store = useWindowStore();
  const narrow = useMedia(railQuery);
  const navWidth = useWindow((s) => s.preferences.navWidth);
  const navShown = useWindow((s) => s.preferences.navShown);
  const tab = useWindow((s) => s.place.tab);
  const context = useConnection()?.context;
  const shownName = useShownName();
  const recording = useIsRecording();
  const view = useRef<HTMLElement>(null);
  useFirstLanding();
  useLateParts();
  const View = views[tab];
  return (
    <div className="frame">
      <button type="button" className="skipLink" onClick={() => focusFirst(view.current)}>
        {t('app.skip')}
      </button>
      <TopBar />
      <div className="frameBody">
        {narrow || !navShown ? (
          <NavRail />
        ) : (
          <nav className="frameSide" data-region="nav" aria-label={t('region.nav')}>
            <div className="frameNav" style={{ width: navWidth }}>
              <Nav />
            </div>
            <Splitter
              label={t('split.nav')}
              axis="x"
              edge="before"
              size={navWidth}
              min={200}
              max={360}
              reset={232}
              onSize={(size) => setPreferences(store, { navWidth: size })}
              onCollapse={() => setPreferences(store, { navShown: false })}
            />
          </nav>
        )}
        <main className="frameCentre" ref={view}>
          <h1 className="visuallyHidden">{`${recording ? shownName : (context ?? '')}: ${t(`tab.${tab}`)}`}</h1>
          <TabBar />
          <LostBanner />
          <RevisionBanner />
          <Boundary key={tab}>
            <View />
          </Boundary>
        </main>
      </div>
      <StatusStrip />
      <ProfileDialog />
    </div>
  );
}

function focusFirst(root: HTMLElement | null): void {
  root
    ?.querySelector<HTMLElement>('[data-region="view"] [tabindex="0"], [data-region="view"] button')
    ?.focus();
}
