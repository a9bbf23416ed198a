// biome-ignore-all lint/a11y/useSemanticElements: an ARIA listbox: one Tab stop holds the keys and names the active option
// biome-ignore-all lint/a11y/useFocusableInteractive: an ARIA listbox: one Tab stop holds the keys and names the active option
import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { Search } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useMemo, useState } from 'react';
import type { ObjectHit } from '../../shared/contract/views/objects.ts';
import { useEngine } from '../client/useEngine.tsx';
import { type Command, commands } from '../commands.ts';
import { useI18n } from '../i18n/i18n.tsx';
import { keysOf } from '../state/keys.ts';
import { useWindow, useWindowStore } from '../state/useWindow.tsx';
import { openObject } from '../state/windowState.ts';
import { Cut } from '../widgets/Cut.tsx';
import { Kbd } from '../widgets/controls.tsx';
import { useCommandContext } from './useShortcuts.ts';
import './palette.css';

type Entry =
  | { readonly kind: 'object'; readonly id: string; readonly hit: ObjectHit }
  | { readonly kind: 'command'; readonly id: string; readonly command: Command };

const objectLimit = 12;

/** Ctrl/Cmd+K: objects by name and commands, in one list. */
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
  const context = useCommandContext();
  const overrides = useWindow((s) => s.preferences.keys);
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const hits = useObjectHits(text, context.connected);
  const entries = useMemo<readonly Entry[]>(() => {
    const words = text.trim().toLowerCase().split(/\s+/);
    const offered = commands.filter(
      (command) =>
        command.keyOnly !== true &&
        (command.when === undefined || command.when(context)) &&
        words.every((word) => t(command.title).toLowerCase().includes(word)),
    );
    return [
      ...hits.map((hit): Entry => ({ kind: 'object', id: `object ${hit.object.key}`, hit })),
      ...offered.map((command): Entry => ({ kind: 'command', id: `command ${command.id}`, command })),
    ];
  }, [hits, text, context, t]);
  const at = Math.min(active, Math.max(0, entries.length - 1));
  useEffect(() => {
    document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, at]);

  function run(entry: Entry | undefined) {
    if (entry === undefined) return;
    onDone();
    if (entry.kind === 'object') openObject(context.store, entry.hit.object.key);
    else entry.command.run(context);
  }
  function onKeyDown(event: KeyboardEvent) {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      setActive((at + step + entries.length) % Math.max(1, entries.length));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      run(entries[at]);
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
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setActive(0);
          }}
          onKeyDown={onKeyDown}
        />
        <Kbd keys="Escape" />
      </div>
      <div className="paletteList" role="listbox" id={`${id}-list`} aria-label={t('palette.label')}>
        {entries.map((entry, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox above has the keys
          <div
            key={entry.id}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            className="paletteRow"
            onPointerMove={() => setActive(index)}
            onClick={() => run(entry)}
          >
            {index === 0 || entries[index - 1]?.kind !== entry.kind ? (
              <span className="label paletteGroup">
                {t(entry.kind === 'object' ? 'palette.objects' : 'palette.commands')}
              </span>
            ) : (
              <span />
            )}
            {entry.kind === 'object' ? (
              <ObjectLine hit={entry.hit} />
            ) : (
              <>
                <Cut text={t(entry.command.title)} />
                <span className="paletteEnd">
                  {keysOf(entry.command, overrides).map((keys) => (
                    <Kbd key={keys} keys={keys} />
                  ))}
                </span>
              </>
            )}
          </div>
        ))}
      </div>
      {entries.length === 0 && <p className="paletteNone secondary">{t('palette.nothing', { text })}</p>}
    </>
  );
}

function ObjectLine({ hit }: { readonly hit: ObjectHit }): ReactNode {
  const { t } = useI18n();
  const { object } = hit;
  return (
    <>
      <span className="cut" title={`${object.kind} ${object.namespace}/${object.name}`}>
        <span className="tertiary">{object.kind} </span>
        {object.namespace !== '' && <span className="tertiary">{object.namespace}/</span>}
        <span className="strong">{object.name}</span>
      </span>
      <span className="paletteEnd small tertiary">
        {hit.deleted ? t('palette.deleted') : t('palette.versions', { n: hit.versions })}
      </span>
    </>
  );
}

/** Hits for the text, asked once the typing rests for 80 ms; what is on screen stays until the answer is there. */
function useObjectHits(text: string, connected: boolean): readonly ObjectHit[] {
  const engine = useEngine();
  const [hits, setHits] = useState<readonly ObjectHit[]>([]);
  useEffect(() => {
    if (!connected || text.trim() === '') {
      setHits([]);
      return;
    }
    const abort = new AbortController();
    const timer = setTimeout(() => {
      engine.call('object.search', { text: text.trim(), limit: objectLimit }, { signal: abort.signal }).then(
        (answer) => setHits(answer.hits),
        () => undefined,
      );
    }, 80);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [engine, text, connected]);
  return hits;
}
