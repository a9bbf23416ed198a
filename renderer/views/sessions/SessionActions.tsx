import { Menu } from '@base-ui/react/menu';
import { Ellipsis, FolderOpen, FolderSearch, Pencil, Pin, PinOff, Trash2 } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import type { SessionRow } from '../../../shared/contract/views/sessions.ts';
import { useAction, useEngine } from '../../client/useEngine.tsx';
import { useShell } from '../../client/useShell.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { openSession } from '../../state/sessionsUi.ts';
import { usePlayback } from '../../state/usePlayback.ts';
import { useWindowStore } from '../../state/useWindow.tsx';
import { deleteBlocked } from './sessionWords.ts';

export interface SessionAction {
  readonly id: 'open' | 'rename' | 'keep' | 'folder' | 'delete';
  readonly label: string;
  readonly icon: ReactNode;
  /** Why it cannot be done now. */
  readonly unavailable: string | undefined;
  readonly run: () => void;
}

/** What can be done with one session, for menus and buttons alike. `problem`: what the engine refused last. */
export function useSessionActions(
  row: SessionRow | undefined,
  ask: { readonly rename: () => void; readonly remove: () => void },
): { readonly actions: readonly SessionAction[]; readonly problem: string | undefined } {
  const { t } = useI18n();
  const engine = useEngine();
  const store = useWindowStore();
  const shell = useShell();
  const keep = useAction('session.keep');
  const shown = usePlayback()?.path;
  if (row === undefined) return { actions: [], problem: undefined };
  const unreadable = row.state === 'unreadable' ? row.problem?.message : undefined;
  const blocked = deleteBlocked(row, shown);
  const size = { size: 14, strokeWidth: 1.75, 'aria-hidden': true } as const;
  const actions: SessionAction[] = [
    {
      id: 'open',
      label: t('sessions.open'),
      icon: <FolderOpen {...size} />,
      unavailable: unreadable ?? (row.state === 'recording' ? t('sessions.open.recording') : undefined),
      run: () => void openSession(engine, store, row.path, row.name),
    },
    {
      id: 'rename',
      label: t('sessions.rename'),
      icon: <Pencil {...size} />,
      unavailable: unreadable,
      run: ask.rename,
    },
    {
      id: 'keep',
      label: t(row.kept ? 'sessions.keep.stop' : 'sessions.keep'),
      icon: row.kept ? <PinOff {...size} /> : <Pin {...size} />,
      unavailable: unreadable,
      run: () => void keep.run({ id: row.id, kept: !row.kept }),
    },
    {
      id: 'delete',
      label: t('sessions.delete'),
      icon: <Trash2 {...size} />,
      unavailable: blocked === undefined ? undefined : t(blocked),
      run: ask.remove,
    },
  ];
  if (shell.can('showInFolder')) {
    actions.splice(3, 0, {
      id: 'folder',
      label: t('sessions.showInFolder'),
      icon: <FolderSearch {...size} />,
      unavailable: undefined,
      run: () => void shell.call('showInFolder', { path: row.path }),
    });
  }
  return { actions, problem: keep.problem?.message };
}

/** The menu behind the three dots of a row. */
export function SessionMenu(props: {
  readonly row: SessionRow;
  readonly actions: readonly SessionAction[];
}): ReactNode {
  const { t } = useI18n();
  // The menu hangs inside the landmark of its row.
  const layer = useRef<HTMLSpanElement>(null);
  return (
    <Menu.Root>
      <span ref={layer} className="sessionLayer" />
      <Menu.Trigger
        className="iconButton small sessionMore"
        aria-label={t('sessions.menu', { name: props.row.name })}
      >
        <Ellipsis size={14} strokeWidth={1.75} aria-hidden="true" />
      </Menu.Trigger>
      <Menu.Portal container={layer}>
        <Menu.Positioner className="menuLayer" positionMethod="fixed" align="end" sideOffset={4}>
          <Menu.Popup className="menuPopup">
            {props.actions.map((action) => (
              <Menu.Item
                key={action.id}
                className="menuItem"
                disabled={action.unavailable !== undefined}
                title={action.unavailable}
                onClick={action.run}
              >
                {action.icon}
                {action.label}
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
