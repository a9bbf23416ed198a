import type { ReactNode } from 'react';
import { type Command, commands } from '../commands.ts';
import type { MessageKey } from '../i18n/catalogue.ts';
import { useI18n } from '../i18n/i18n.tsx';
import { keysOf } from '../state/keys.ts';
import { useWindow, useWindowStore } from '../state/useWindow.tsx';
import { Kbd } from '../widgets/controls.tsx';
import { Dialog } from '../widgets/Dialog.tsx';
import { useCommandContext } from './useShortcuts.ts';

const groups: readonly Command['group'][] = ['go', 'view', 'object', 'app'];
const lists: readonly (readonly [readonly string[], MessageKey])[] = [
  [['ArrowUp', 'ArrowDown', 'K', 'J'], 'help.lists.move'],
  [['Enter'], 'help.lists.open'],
  [['Home', 'End'], 'help.lists.ends'],
  [['←', '→'], 'help.splitters'],
  [['Escape'], 'help.escape'],
];

/** `?`: the keys that do something in the view on screen, from the command table. */
export function HelpDialog(): ReactNode {
  const { t } = useI18n();
  const store = useWindowStore();
  const open = useWindow((s) => s.helpOpen);
  const overrides = useWindow((s) => s.preferences.keys);
  const context = useCommandContext();
  const shown = commands.filter(
    (command) =>
      keysOf(command, overrides).length > 0 && (command.when === undefined || command.when(context)),
  );
  return (
    <Dialog open={open} onClose={() => store.setState({ helpOpen: false })} title={t('help.title')}>
      <div className="helpGrid">
        {groups.map((group) => {
          const members = shown.filter((command) => command.group === group);
          if (members.length === 0) return null;
          return (
            <section key={group}>
              <h3 className="label strong">{t(`group.${group}`)}</h3>
              {members.map((command) => (
                <p key={command.id} className="helpRow">
                  <span>{t(command.title)}</span>
                  <span className="helpKeys">
                    {keysOf(command, overrides).map((keys) => (
                      <Kbd key={keys} keys={keys} />
                    ))}
                    <span className="visuallyHidden">{keysOf(command, overrides).join(', ')}</span>
                  </span>
                </p>
              ))}
            </section>
          );
        })}
        <section>
          <h3 className="label strong">{t('help.lists')}</h3>
          {lists.map(([keys, title]) => (
            <p key={title} className="helpRow">
              <span>{t(title)}</span>
              <span className="helpKeys">
                {keys.map((key) => (
                  <Kbd key={key} keys={key} />
                ))}
              </span>
            </p>
          ))}
        </section>
      </div>
      <p className="small tertiary helpNote">{t('help.single')}</p>
    </Dialog>
  );
}
