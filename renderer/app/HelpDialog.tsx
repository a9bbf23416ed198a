import type { ReactNode } from 'react';
import { commandGroups, commands } from '../commands.ts';
import type { MessageKey } from '../i18n/catalogue.ts';
import { useI18n } from '../i18n/i18n.tsx';
import { activeKeys, hostOf } from '../state/keys.ts';
import { useWindow, useWindowStore } from '../state/useWindow.tsx';
import { Button, chordText, Kbd } from '../widgets/controls.tsx';
import { Dialog } from '../widgets/Dialog.tsx';
import { useCommandContext } from './useShortcuts.ts';

const lists: readonly (readonly [readonly string[], MessageKey])[] = [
  [['ArrowUp', 'ArrowDown', 'K', 'J'], 'help.lists.move'],
  [['Enter'], 'help.lists.open'],
  [['Home', 'End'], 'help.lists.ends'],
  [['ArrowUp'], 'help.grid.head'],
  [['Enter'], 'help.grid.sort'],
  [['Shift+←', 'Shift+→'], 'help.grid.width'],
  [['←', '→'], 'help.splitters'],
  [['Enter'], 'help.splitters.hide'],
  [['Escape'], 'help.escape'],
];
const grammar: readonly (readonly [string, MessageKey])[] = [
  ['orders helm', 'help.filter.and'],
  ['kind:Database', 'help.filter.field'],
  ['-writer:kubelet', 'help.filter.not'],
  ['failures>3  gap<5s', 'help.filter.more'],
];

/** `?`: the keys that do something in the view on screen, as they are bound now, and how to filter. */
export function HelpDialog(): ReactNode {
  const { t } = useI18n();
  const store = useWindowStore();
  const open = useWindow((s) => s.helpOpen);
  const preferences = useWindow((s) => s.preferences);
  const context = useCommandContext();
  if (!open) return null;
  const shown = commands
    .map((command) => ({ command, keys: activeKeys(command, preferences, hostOf()) }))
    .filter(({ command, keys }) => keys.length > 0 && (command.when === undefined || command.when(context)));
  const close = () => store.setState({ helpOpen: false });
  return (
    <Dialog
      open={open}
      onClose={close}
      reads
      title={t('help.title')}
      subtitle={
        <Button
          small
          onClick={() => {
            close();
            store.setState({ settingsOpen: true });
          }}
        >
          {t('settings.open')}
        </Button>
      }
    >
      <div className="helpGrid">
        {commandGroups.map((group) => {
          const members = shown.filter(({ command }) => command.group === group);
          if (members.length === 0) return null;
          return (
            <section key={group}>
              <h3 className="label strong">{t(`group.${group}`)}</h3>
              {members.map(({ command, keys }) => (
                <HelpRow key={command.id} title={t(command.title)} keys={keys} />
              ))}
            </section>
          );
        })}
        <section>
          <h3 className="label strong">{t('help.lists')}</h3>
          {lists.map(([keys, title]) => (
            <HelpRow key={title} title={t(title)} keys={keys} />
          ))}
        </section>
        <section>
          <h3 className="label strong">{t('help.filter')}</h3>
          {grammar.map(([example, title]) => (
            <p key={title} className="helpRow">
              <span>{t(title)}</span>
              <code className="secondary">{example}</code>
            </p>
          ))}
        </section>
      </div>
      <p className="small tertiary helpNote">{t('help.single')}</p>
    </Dialog>
  );
}

function HelpRow(props: { readonly title: string; readonly keys: readonly string[] }): ReactNode {
  return (
    <p className="helpRow">
      <span>{props.title}</span>
      <span className="helpKeys">
        {props.keys.map((key) => (
          <Kbd key={key} keys={key} />
        ))}
        <span className="visuallyHidden">{props.keys.map(chordText).join(', ')}</span>
      </span>
    </p>
  );
}
