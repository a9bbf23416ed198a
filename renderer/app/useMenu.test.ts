import { describe, expect, it } from 'vitest';
import { zMenuCommand } from '../../shared/contract/shell.ts';
import { browserClock } from '../client/browserClock.ts';
import { EngineClient } from '../client/engineClient.ts';
import { type CommandContext, commandGroups, commands } from '../commands.ts';
import { createI18n } from '../i18n/i18n.tsx';
import { ViewActions } from '../state/viewActions.tsx';
import { createWindowStore, setPreferences } from '../state/windowState.ts';
import { createScriptedClient } from '../testing/scriptedEngine.ts';
import { menuOf, runCommand } from './useMenu.ts';

function contextOf(change: Partial<CommandContext> = {}): CommandContext {
  return {
    store: createWindowStore(),
    engine: new EngineClient(createScriptedClient('idle', browserClock), {
      schedule: () => () => {},
    } as never),
    actions: new ViewActions(),
    connected: true,
    lost: false,
    sheet: false,
    narrow: false,
    focusRegion: () => {},
    ...change,
  } as CommandContext;
}

describe('[W6] the menu', () => {
  it('is the table in the language of the window, with what can be done now', () => {
    const context = contextOf({ connected: false });
    setPreferences(context.store, { theme: 'dark', keys: { help: ['F1'] } });
    const menu = new Map(menuOf(commands, context, createI18n('zh-CN').t).map((entry) => [entry.id, entry]));
    expect(menu.get('help')).toMatchObject({ title: '显示按键', keys: ['F1'], enabled: true, group: 'app' });
    expect(menu.get('tab.queue')).toMatchObject({ enabled: false, group: 'go' });
    expect(menu.get('theme.dark')).toMatchObject({ checked: true });
    expect(menu.get('theme.light')).toMatchObject({ checked: false });
    expect(menu.has('region.next'), 'what only makes sense as a key').toBe(false);
    expect([...menu.values()].map((entry) => zMenuCommand.safeParse(entry).success)).not.toContain(false);
  });
  it('has a heading for every group in both languages', () => {
    for (const locale of ['en', 'zh-CN'] as const) {
      const { t } = createI18n(locale);
      expect(commandGroups.map((group) => t(`group.${group}`)).every((heading) => heading !== '')).toBe(true);
    }
  });
  it('runs an entry only while it can be done, and nothing for an unknown one', () => {
    const off = contextOf({ connected: false });
    runCommand('tab.queue', off);
    runCommand('nothing', off);
    expect(off.store.getState().place.tab).toBe('events');
    const on = contextOf();
    runCommand('tab.queue', on);
    expect(on.store.getState().place.tab).toBe('queue');
  });
});
