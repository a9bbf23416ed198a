// biome-ignore-all lint/a11y/useSemanticElements: an ARIA listbox: one Tab stop holds the keys and names the active option
// biome-ignore-all lint/a11y/useFocusableInteractive: an ARIA listbox: one Tab stop holds the keys and names the active option
import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { Search } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react';
import { useI18n } from '../i18n/i18n.tsx';
import { isRecording, shownPlayback } from '../state/usePlayback.ts';
import { useWindow, useWindowStore } from '../state/useWindow.tsx';
import { goTo, openObject } from '../state/windowState.ts';
import { KeyHint } from '../widgets/controls.tsx';
import { followLink } from './followLink.ts';
import { PaletteLine } from './PaletteLine.tsx';
import { type Entry, usePaletteEntries } from './usePaletteEntries.ts';
import { useCommandContext } from './useShortcuts.ts';
import './palette.css';

/** Ctrl/Cmd+K: objects, keys, views, commands, records, moments and links in one list. */
export function Palette(): ReactNode {
  const store = useWindowStore();
  const open = useWindow((s) => s.paletteOpen);
  const { t } = useI18n();
  return (
    <BaseDialog.Root open={open} onOpenChange={(next) => store.setState({ paletteOpen: next })}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="dialogScrim" />
        <BaseDialog.Popup className="palette" aria-label={t('palette.label')}>
          {open && <PaletteBody onDone={() => store.setState({ paletteOpen: false })} />}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}

function PaletteBody({ onDone }: { readonly onDone: () => void }): ReactNode {
  const { t } = useI18n();
  const id = useId();
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const { entries, searching, failed } = usePaletteEntries(text);
  const run = useRun();
  const at = Math.min(active, Math.max(0, entries.length - 1));
  useEffect(() => {
    document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, at]);

  function choose(entry: Entry | undefined) {
    if (entry === undefined || (entry.kind === 'link' && entry.link === undefined)) return;
    onDone();
    run(entry);
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    const to = stepTo(event.key, at, entries);
    if (to !== undefined) {
      event.preventDefault();
      setActive(to);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      choose(entries[at]);
    }
  }
  return (
    <>
      <div className="paletteField">
        <Search size={16} strokeWidth={1.75} aria-hidden="true" />
        <input
          // biome-ignore lint/a11y/noAutofocus: the dialog exists to type into this field
          autoFocus
          role="combobox"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={entries.length > 0 ? `${id}-${at}` : undefined}
          aria-label={t('palette.label')}
          placeholder={t('palette.placeholder')}
          spellCheck={false}
          autoComplete="off"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setActive(0);
          }}
          onKeyDown={onKeyDown}
        />
        <KeyHint keys="Escape" />
      </div>
      <div
        className="paletteList"
        role="listbox"
        id={`${id}-list`}
        aria-label={t('palette.label')}
        aria-busy={searching}
      >
        {entries.map((entry, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox above has the keys
          <div
            key={entry.id}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            aria-disabled={entry.kind === 'link' && entry.link === undefined ? true : undefined}
            className="paletteRow"
            onPointerMove={() => setActive(index)}
            onClick={() => choose(entry)}
          >
            {entries[index - 1]?.group === entry.group ? (
              <span />
            ) : (
              <span className="label paletteGroup">{t(`palette.group.${entry.group}`)}</span>
            )}
            <PaletteLine entry={entry} />
          </div>
        ))}
      </div>
      {entries.length === 0 && !searching && (
        <p className="paletteNone secondary">{t('palette.nothing', { text })}</p>
      )}
      <p className="paletteFoot label" {...(failed === undefined ? {} : { role: 'alert' })}>
        {failed !== undefined
          ? t('palette.failed', { why: failed })
          : searching
            ? t('palette.searching')
            : t('palette.hint')}
      </p>
    </>
  );
}

/** Arrows by one and around, page keys by group, Ctrl with Home and End to the ends. */
function stepTo(key: string, at: number, entries: readonly Entry[]): number | undefined {
  const n = entries.length;
  if (n === 0) return undefined;
  const starts = entries.flatMap((entry, index) =>
    entries[index - 1]?.group === entry.group ? [] : [index],
  );
  switch (key) {
    case 'ArrowDown':
      return (at + 1) % n;
    case 'ArrowUp':
      return (at - 1 + n) % n;
    case 'PageDown':
      return starts.find((start) => start > at) ?? n - 1;
    case 'PageUp':
      return starts.findLast((start) => start < at) ?? 0;
    default:
      return undefined;
  }
}

/** Goes where an entry leads. */
function useRun(): (entry: Entry) => void {
  const context = useCommandContext();
  const { t } = useI18n();
  const { store, engine } = context;
  function toRecord(seq: number) {
    store.setState({ eventSeq: seq, eventFilter: '', eventInitial: true });
    goTo(store, { tab: 'events' });
  }
  return (entry) => {
    switch (entry.kind) {
      case 'command':
        return entry.command.run(context);
      case 'object':
        return openObject(store, entry.hit.object.key);
      case 'key':
        store.setState({ queueKey: entry.row.key });
        return openObject(store, entry.row.object);
      case 'place':
        return goTo(store, entry.place);
      case 'record':
        return toRecord(entry.near?.seq ?? entry.seq);
      case 'time':
        if (isRecording(shownPlayback(engine))) {
          void engine.call('playback.seek', { at: entry.at }).catch(() => undefined);
        } else if (entry.near !== undefined) toRecord(entry.near.seq);
        return;
      case 'link':
        if (entry.link === undefined) return;
        void followLink(engine, store, entry.link, (name) => t('link.noSession', { name }));
    }
  };
}
