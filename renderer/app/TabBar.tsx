import { PanelRight } from 'lucide-react';
import { Fragment, type KeyboardEvent, type ReactNode } from 'react';
import { useTableOf, useValueOf } from '../client/useEngine.tsx';
import { useI18n } from '../i18n/i18n.tsx';
import { sheetQuery, useMedia } from '../state/useMedia.ts';
import { useWindow, useWindowStore } from '../state/useWindow.tsx';
import { goTo, type Tab, tabs, toggleInspector } from '../state/windowState.ts';
import { IconButton } from '../widgets/controls.tsx';

/** Object views, a divider, controller views. Badges count gaps and open findings only. */
export function TabBar(): ReactNode {
  const { t } = useI18n();
  const store = useWindowStore();
  const current = useWindow((s) => s.place.tab);
  const sheet = useMedia(sheetQuery);
  const inspectorOpen = useWindow((s) => (sheet ? s.sheetOpen : s.preferences.inspectorOpen));
  const badges = useBadges();
  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const next = tabs[(tabs.indexOf(current) + step + tabs.length) % tabs.length] as Tab;
    goTo(store, { tab: next });
    event.currentTarget.querySelector<HTMLElement>(`[data-tab="${next}"]`)?.focus();
  }
  return (
    <div className="tabBar">
      <div className="tabs" role="tablist" aria-label={t('tab.label')} onKeyDown={onKeyDown}>
        {tabs.map((tab) => {
          const badge = badges[tab];
          return (
            <Fragment key={tab}>
              {tab === 'queue' && <i className="tabDivider" role="presentation" />}
              <button
                type="button"
                role="tab"
                data-tab={tab}
                className="tab"
                aria-selected={tab === current}
                tabIndex={tab === current ? 0 : -1}
                onClick={() => goTo(store, { tab })}
              >
                {t(`tab.${tab}`)}
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
              </button>
            </Fragment>
          );
        })}
      </div>
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

interface Badge {
  readonly count: number;
  readonly tone: 'failed' | 'gap';
}

function useBadges(): Readonly<Partial<Record<Tab, Badge>>> {
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
