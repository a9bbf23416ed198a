import { useContext, useEffect, useMemo } from 'react';
import type { MenuCommand } from '../../shared/contract/shell.ts';
import { parseMomentLink } from '../../shared/model/momentLink.ts';
import { useShell } from '../client/useShell.ts';
import { type Command, type CommandContext, commandGroups, commands } from '../commands.ts';
import { type I18n, useI18n } from '../i18n/i18n.tsx';
import { keysOf } from '../state/keys.ts';
import { useWindowStore } from '../state/useWindow.tsx';
import { ViewActionsContext } from '../state/viewActions.tsx';
import { followLink } from './followLink.ts';
import { useCommandContext } from './useShortcuts.ts';

/** Enough to be told of a change at once by a person, and never more than a few times a second. */
const settleMs = 120;

/**
 * The desktop's menu is what the command table says, in the window's language, with what can be done now. A browser has
 * no menu. Entries and links of the desktop run here as if they had been pressed in the window.
 */
export function useMenu(): void {
  const shell = useShell();
  const context = useCommandContext();
  const actions = useContext(ViewActionsContext);
  const store = useWindowStore();
  const { t } = useI18n();
  const headings = useMemo(
    () => ({
      ...Object.fromEntries(commandGroups.map((group) => [group, t(`group.${group}`)])),
      // A menu bar has words of its own for these.
      view: t('shell.menu.view'),
      edit: t('shell.menu.edit'),
      window: t('shell.menu.window'),
    }),
    [t],
  );
  useEffect(() => {
    if (shell.kind !== 'desktop') return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let sent = '';
    function send() {
      const menu = { commands: menuOf(commands, context, t), headings };
      const text = JSON.stringify(menu);
      if (text === sent) return;
      sent = text;
      // A shell that is going away takes its menu with it.
      shell.call('setMenu', menu).catch(() => undefined);
    }
    function soon() {
      clearTimeout(timer);
      timer = setTimeout(send, settleMs);
    }
    send();
    const subscriptions = [store.subscribe(soon), actions.onChange(soon)];
    return () => {
      clearTimeout(timer);
      for (const end of subscriptions) end();
    };
  }, [shell, context, actions, store, t, headings]);
  useEffect(() => {
    const listening = shell.on((event) => {
      if (event.type === 'command') runCommand(event.id, context);
      else if (event.type === 'link') {
        const link = parseMomentLink(event.url);
        if (link === undefined) return;
        void followLink(context.engine, context.store, link, (name) => t('link.noSession', { name }));
      }
    });
    return () => listening.dispose();
  }, [shell, context, t]);
}

/** The table as the shell shows it: what only makes sense as a key is left out. */
export function menuOf(
  table: readonly Command[],
  context: CommandContext,
  t: I18n['t'],
): readonly MenuCommand[] {
  const { preferences } = context.store.getState();
  return table
    .filter((command) => command.keyOnly !== true || command.id === 'palette')
    .map((command) => ({
      id: command.id,
      title: t(command.title),
      group: command.group,
      keys: keysOf(command, preferences.keys),
      enabled: command.when === undefined || command.when(context),
      ...(command.checked === undefined ? {} : { checked: command.checked(context) }),
    }));
}

/** Runs a command by its id when it can be done now; an id nobody knows does nothing. */
export function runCommand(id: string, context: CommandContext): void {
  const command = commands.find((one) => one.id === id);
  if (command === undefined || (command.when !== undefined && !command.when(context))) return;
  command.run(context);
}
