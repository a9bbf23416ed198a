import { PanelLeft, RefreshCcw } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTableOf } from '../client/useEngine.tsx';
import type { Locale } from '../format/format.ts';
import { useI18n } from '../i18n/i18n.tsx';
import { railQuery, useMedia } from '../state/useMedia.ts';
import { useController, useProfile } from '../state/useOperator.ts';
import { useWindow, useWindowStore } from '../state/useWindow.tsx';
import { useViewAction } from '../state/viewActions.tsx';
import { goTo, openObject, setPreferences } from '../state/windowState.ts';
import { IconButton } from '../widgets/controls.tsx';
import { StateGlyph } from '../widgets/StateGlyph.tsx';
import { Tip } from '../widgets/Tip.tsx';
import { compareKeys } from './keyOrder.ts';
import { Nav } from './Nav.tsx';

const shownKeys = 8;

/** Under 1100 px, or hidden by the user: the navigation as a rail of glyphs; Ctrl+B lays the whole over a narrow view. */
export function NavRail(): ReactNode {
  const { t, number, locale } = useI18n();
  const store = useWindowStore();
  const open = useWindow((s) => s.navOpen);
  const narrow = useMedia(railQuery);
  function toggle() {
    // In a wide window the rail is there because the navigation was hidden: it comes back to its place.
    if (narrow) store.setState({ navOpen: !open });
    else setPreferences(store, { navShown: true });
  }
  const profile = useProfile();
  const controller = useController();
  const opened = useWindow((s) => s.place.object);
  const keys = useTableOf(
    'keys',
    controller === undefined ? undefined : { controller: controller.name },
    (s) => s.rows,
  );
  const worst = [...keys].sort(compareKeys).slice(0, shownKeys);
  useViewAction('leave', open ? () => store.setState({ navOpen: false }) : undefined);
  return (
    <nav className="rail" data-region="nav" aria-label={t('region.nav')}>
      <IconButton label={t('nav.toggle')} keys="Mod+B" aria-expanded={open} onClick={toggle}>
        <PanelLeft size={16} strokeWidth={1.75} />
      </IconButton>
      {profile?.controllers.map((item) => (
        <IconButton
          key={item.name}
          label={item.name}
          aria-pressed={item.name === controller?.name}
          onClick={() => {
            store.setState({ controller: item.name });
            goTo(store, { tab: 'queue' });
          }}
        >
          <RefreshCcw size={16} strokeWidth={1.75} />
        </IconButton>
      ))}
      {worst.length > 0 && <i className="railRule" />}
      {worst.map((row) => (
        <Tip key={row.key} text={`${row.key}: ${row.text}`}>
          <button
            type="button"
            className="iconButton"
            aria-label={`${row.key}: ${t(`health.${row.health}`)}`}
            aria-pressed={row.object === opened}
            onClick={() => openObject(store, row.object)}
          >
            <StateGlyph state={row.health} size={12} form="dot" />
          </button>
        </Tip>
      ))}
      {keys.length > worst.length && (
        <span className="label" title={number(keys.length)}>
          +{compact(keys.length - worst.length, locale)}
        </span>
      )}
      {open && (
        <>
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it too */}
          {/* biome-ignore lint/a11y/noStaticElementInteractions: a scrim, not a control */}
          <div className="railScrim" onClick={() => store.setState({ navOpen: false })} />
          <div className="railNav">
            <Nav />
          </div>
        </>
      )}
    </nav>
  );
}

/** `33`, `12K`: there is room for four characters. */
function compact(n: number, locale: Locale): string {
  return new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 0 }).format(n);
}
