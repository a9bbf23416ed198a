import { Menu } from '@base-ui/react/menu';
import { ChevronDown, PanelRight } from 'lucide-react';
import { Fragment, type KeyboardEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { useTableOf, useValueOf } from '../client/useEngine.tsx';
import { useI18n } from '../i18n/i18n.tsx';
import { sheetQuery, useMedia } from '../state/useMedia.ts';
import { useWindow, useWindowStore } from '../state/useWindow.tsx';
import { goTo, type Tab, tabs, toggleInspector } from '../state/windowState.ts';
import { IconButton } from '../widgets/controls.tsx';
import { shownTabs } from './tabFit.ts';

/** Object views, a divider, controller views. What does not fit goes into More. Badges count gaps and open findings only. */
export function TabBar(): ReactNode {
  const { t } = useI18n();
  const store = useWindowStore();
  const current = useWindow((s) => s.place.tab);
  const sheet = useMedia(sheetQuery);
  const inspectorOpen = useWindow((s) => (sheet ? s.sheetOpen : s.preferences.inspectorOpen));
  const badges = useBadges();
  const list = useRef<HTMLDivElement>(null);
  const measure = useRef<HTMLDivElement>(null);
  const shown = useFit(list, measure, current);
  const hidden = tabs.filter((tab) => !shown.includes(tab));
  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    const at = shown.indexOf(current);
    const to =
      event.key === 'ArrowRight'
        ? (at + 1) % shown.length
        : event.key === 'ArrowLeft'
          ? (at - 1 + shown.length) % shown.length
          : event.key === 'Home'
            ? 0
            : event.key === 'End'
              ? shown.length - 1
              : undefined;
    const next = to === undefined ? undefined : shown[to];
    if (next === undefined) return;
    event.preventDefault();
    goTo(store, { tab: next });
    event.currentTarget.querySelector<HTMLElement>(`[data-tab="${next}"]`)?.focus();
  }
  return (
    <div className="tabBar">
      <div className="tabMeasure" ref={measure} aria-hidden="true">
        {tabs.map((tab) => (
          <span key={tab} className="tab">
            <TabText tab={tab} badge={badges[tab]} />
          </span>
        ))}
      </div>
      <div
        ref={list}
        className="tabs"
        role="tablist"
        aria-label={t('tab.label')}
        data-region="tabs"
        onKeyDown={onKeyDown}
      >
        {shown.map((tab) => (
          <Fragment key={tab}>
            {tab === firstOfController(shown) && <i className="tabDivider" role="presentation" />}
            <button
              type="button"
              role="tab"
              data-tab={tab}
              className="tab"
              aria-selected={tab === current}
              tabIndex={tab === current ? 0 : -1}
              onClick={() => goTo(store, { tab })}
            >
              <TabText tab={tab} badge={badges[tab]} />
            </button>
          </Fragment>
        ))}
      </div>
      {hidden.length > 0 && <MoreTabs hidden={hidden} badges={badges} />}
      <IconButton
        label={t('top.inspector')}
        aria-pressed={inspectorOpen}
        onClick={() => toggleInspector(store, sheet)}
      >
        <PanelRight size={16} strokeWidth={1.75} />
      </IconButton>
    </div>
  );
}

/** The divider stands before the first view of the controller that is shown. */
function firstOfController(shown: readonly Tab[]): Tab | undefined {
  return shown.find((tab) => tabs.indexOf(tab) >= tabs.indexOf('queue'));
}

function TabText({ tab, badge }: { readonly tab: Tab; readonly badge: Badge | undefined }): ReactNode {
  const { t } = useI18n();
  const label = t(`tab.${tab}`);
  return (
    <>
      <span className="tabLabel" data-text={label}>
        {label}
      </span>
      {badge !== undefined && badge.count > 0 && (
        <>
          <span className={`badge badge-${badge.tone}`} aria-hidden="true">
            {badge.count}
          </span>
          <span className="visuallyHidden">
            {t(badge.tone === 'gap' ? 'tab.badge.gaps' : 'tab.badge.open', { n: badge.count })}
          </span>
        </>
      )}
    </>
  );
}

function MoreTabs(props: { readonly hidden: readonly Tab[]; readonly badges: Badges }): ReactNode {
  const { t } = useI18n();
  const store = useWindowStore();
  return (
    <Menu.Root>
      <Menu.Trigger className="tab tabMore">
        {t('tab.more')}
        <ChevronDown size={14} strokeWidth={1.75} aria-hidden="true" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className="menuLayer" align="end" sideOffset={4}>
          <Menu.Popup className="menuPopup">
            {props.hidden.map((tab) => (
              <Menu.Item key={tab} className="menuItem" onClick={() => goTo(store, { tab })}>
                <TabText tab={tab} badge={props.badges[tab]} />
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

/** Which tabs fit. Measured on copies that are never shown, so that a tab in More has a width too. */
function useFit(
  list: { readonly current: HTMLElement | null },
  measure: { readonly current: HTMLElement | null },
  current: Tab,
): readonly Tab[] {
  const [shown, setShown] = useState<readonly Tab[]>(tabs);
  useLayoutEffect(() => {
    const [bar, copies] = [list.current?.parentElement, measure.current];
    if (bar === null || bar === undefined || copies === null) return;
    function measured() {
      const widths = [...(copies?.children ?? [])].map((copy) => copy.getBoundingClientRect().width);
      const next = shownTabs(widths, (bar?.clientWidth ?? 0) - 60, current);
      setShown((before) => (before.join() === next.join() ? before : next));
    }
    measured();
    const observer = new ResizeObserver(measured);
    observer.observe(bar);
    for (const copy of copies.children) observer.observe(copy);
    return () => observer.disconnect();
  }, [list, measure, current]);
  return shown;
}

interface Badge {
  readonly count: number;
  readonly tone: 'failed' | 'gap';
}
type Badges = Readonly<Partial<Record<Tab, Badge>>>;

function useBadges(): Badges {
  const open = useValueOf(
    'findings',
    {},
    (s) => s.value?.findings.filter((f) => f.closedAt === undefined).length ?? 0,
  );
  const rights = useValueOf('rbac', {}, (s) => s.value?.lens?.gaps ?? 0);
  const gaps = useTableOf('gaps', {}, (s) => s.total);
  return {
    rbac: { count: rights, tone: 'failed' },
    informers: { count: gaps, tone: 'gap' },
    findings: { count: open, tone: 'failed' },
  };
}
