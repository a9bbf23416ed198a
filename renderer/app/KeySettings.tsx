import { Plus, RotateCcw, Search, X } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { type Command, commandGroups, commands } from '../commands.ts';
import { useI18n } from '../i18n/i18n.tsx';
import {
  bind,
  chordOf,
  conflictsOf,
  hostOf,
  isBrowserKey,
  isFixedKey,
  isSingle,
  isTabKey,
  keysOf,
} from '../state/keys.ts';
import { useWindow, useWindowStore } from '../state/useWindow.tsx';
import { setPreferences } from '../state/windowState.ts';
import { Button, Check, chordText, IconButton, isMac, Kbd, TextField } from '../widgets/controls.tsx';

/** Every command with its keys: add by pressing, remove, reset; what is used twice is said where it stands. */
export function KeySettings(): ReactNode {
  const { t } = useI18n();
  const store = useWindowStore();
  const preferences = useWindow((s) => s.preferences);
  const overrides = preferences.keys;
  const [text, setText] = useState('');
  const search = useRef<HTMLInputElement>(null);
  const conflicts = useMemo(() => conflictsOf(commands, overrides), [overrides]);
  const changed = commands.filter((command) => overrides[command.id] !== undefined).length;
  const words = text.trim().toLowerCase().split(/\s+/).filter(Boolean);
  const shown = commands.filter((command) => {
    const says = `${t(command.title)} ${keysOf(command, overrides).map(chordText).join(' ')}`.toLowerCase();
    return words.every((word) => says.includes(word));
  });
  function set(command: Command, keys: readonly string[]) {
    setPreferences(store, { keys: bind(store.getState().preferences.keys, command, keys) });
  }
  return (
    <div className="keySettings">
      <div className="keySwitches">
        <Check
          label={t('settings.single')}
          checked={preferences.singleKeys}
          onChange={(singleKeys) => setPreferences(store, { singleKeys })}
        />
        <p className="small secondary">{t('settings.single.note')}</p>
        {hostOf() === 'browser' && (
          <>
            <Check
              label={t('settings.browser')}
              checked={preferences.browserKeys}
              onChange={(browserKeys) => setPreferences(store, { browserKeys })}
            />
            <p className="small secondary">{t('settings.browser.note')}</p>
          </>
        )}
      </div>
      <div className="keyTools">
        <TextField
          className="keySearch"
          inputRef={search}
          label={t('settings.search')}
          placeholder={t('settings.search')}
          value={text}
          onChange={setText}
          icon={<Search size={14} strokeWidth={1.75} aria-hidden="true" />}
        />
        <span className="small secondary" role="status">
          {conflicts.size > 0
            ? t('settings.keys.conflicts', { n: conflicts.size })
            : changed > 0
              ? t('settings.keys.changed', { n: changed })
              : ''}
        </span>
        <Button
          small
          disabled={changed === 0}
          onClick={() => {
            // The button can do nothing more then, and what cannot be pressed keeps no focus.
            search.current?.focus();
            setPreferences(store, { keys: {} });
          }}
        >
          {t('settings.keys.resetAll')}
        </Button>
      </div>
      {shown.length === 0 && <p className="secondary keyNone">{t('settings.search.none', { text })}</p>}
      {commandGroups.map((group) => {
        const members = shown.filter((command) => command.group === group);
        if (members.length === 0) return null;
        return (
          <section key={group}>
            <h3 className="label strong keyGroup">{t(`group.${group}`)}</h3>
            {members.map((command) => (
              <KeyLine
                key={command.id}
                command={command}
                keys={keysOf(command, overrides)}
                conflicts={conflicts}
                onKeys={(keys) => set(command, keys)}
                onTake={(other, chord) =>
                  set(
                    other,
                    keysOf(other, overrides).filter((one) => one !== chord),
                  )
                }
              />
            ))}
          </section>
        );
      })}
    </div>
  );
}

interface KeyLineProps {
  readonly command: Command;
  readonly keys: readonly string[];
  readonly conflicts: ReadonlyMap<string, readonly string[]>;
  readonly onKeys: (keys: readonly string[]) => void;
  readonly onTake: (other: Command, chord: string) => void;
}

function KeyLine({ command, keys, conflicts, onKeys, onTake }: KeyLineProps): ReactNode {
  const { t } = useI18n();
  const { singleKeys, browserKeys } = useWindow((s) => s.preferences);
  const [recording, setRecording] = useState(false);
  const [refused, setRefused] = useState<string | undefined>(undefined);
  const add = useRef<HTMLButtonElement>(null);
  const title = t(command.title);
  const changed = keys.join(' ') !== command.keys.join(' ');
  // What was pressed or chosen is gone with the change: the focus goes to the one control of the line that stays.
  function stay(change: () => void) {
    add.current?.focus();
    setRecording(false);
    setRefused(undefined);
    change();
  }
  return (
    <div className="keyLine">
      <span className="keyTitle">{title}</span>
      <span className="keyChords">
        {keys.length === 0 && !recording && <span className="small tertiary">{t('settings.key.none')}</span>}
        {keys.map((chord) => (
          <span key={chord} className="keyChord">
            <Kbd keys={chord} />
            <button
              type="button"
              className="iconButton small"
              aria-label={t('settings.key.remove', { keys: chordText(chord), command: title })}
              onClick={() => stay(() => onKeys(keys.filter((one) => one !== chord)))}
            >
              <X size={12} strokeWidth={1.75} />
            </button>
          </span>
        ))}
        {recording && (
          <KeyRecorder
            onChord={(chord) =>
              stay(() => {
                if (isFixedKey(chord)) setRefused(chord);
                else onKeys([...keys, chord]);
              })
            }
            onCancel={() => stay(() => undefined)}
            onLeave={() => setRecording(false)}
          />
        )}
      </span>
      <span className="keyActions">
        <button
          ref={add}
          type="button"
          className="iconButton small"
          aria-label={t('settings.key.add', { command: title })}
          onClick={() => {
            setRefused(undefined);
            setRecording(true);
          }}
        >
          <Plus size={14} strokeWidth={1.75} />
        </button>
        {changed ? (
          <IconButton
            small
            label={t('settings.key.reset', { command: title })}
            onClick={() => stay(() => onKeys(command.keys))}
          >
            <RotateCcw size={14} strokeWidth={1.75} />
          </IconButton>
        ) : (
          <i className="keyNoReset" />
        )}
      </span>
      {refused !== undefined && (
        <p className="keyNote small inkDegraded" role="alert">
          {t('settings.key.fixed', { keys: chordText(refused) })}
        </p>
      )}
      {keys.map((chord) => {
        const others = (conflicts.get(chord) ?? []).filter((id) => id !== command.id);
        const first = commands.find(({ id }) => id === others[0]);
        if (first !== undefined) {
          return (
            <p key={chord} className="keyNote small inkDegraded">
              {t('settings.key.conflict', { keys: chordText(chord), other: t(first.title) })}{' '}
              <Button small onClick={() => stay(() => onTake(first, chord))}>
                {t('settings.key.take')}
              </Button>
            </p>
          );
        }
        if (hostOf() === 'browser' && (isTabKey(chord) || (isBrowserKey(chord) && !browserKeys))) {
          return (
            <p key={chord} className="keyNote small secondary">
              {t(isTabKey(chord) ? 'settings.key.tabs' : 'settings.key.browser', { keys: chordText(chord) })}
            </p>
          );
        }
        if (isSingle(chord) && !singleKeys && changed) {
          return (
            <p key={chord} className="keyNote small secondary">
              {t('settings.key.single', { keys: chordText(chord) })}
            </p>
          );
        }
        return null;
      })}
    </div>
  );
}

/** Takes the next press before anything else in the window does. Esc cancels; so does leaving it, wherever the focus went. */
function KeyRecorder(props: {
  readonly onChord: (chord: string) => void;
  readonly onCancel: () => void;
  readonly onLeave: () => void;
}): ReactNode {
  const { t } = useI18n();
  const field = useRef<HTMLSpanElement>(null);
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    field.current?.focus();
    function onKeyDown(event: KeyboardEvent) {
      const chord = chordOf(event, isMac());
      event.preventDefault();
      event.stopImmediatePropagation();
      if (chord === undefined) return;
      if (chord === 'Escape') latest.current.onCancel();
      else latest.current.onChord(chord);
    }
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  }, []);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: takes the focus while it waits for a key
    <span ref={field} className="keyRecorder small" role="status" tabIndex={0} onBlur={props.onLeave}>
      {t('settings.key.press')}
    </span>
  );
}
