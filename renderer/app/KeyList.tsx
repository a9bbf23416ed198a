// biome-ignore-all lint/a11y/useSemanticElements: an ARIA listbox: one Tab stop holds the keys and names the active option
// biome-ignore-all lint/a11y/useFocusableInteractive: an ARIA listbox: one Tab stop holds the keys and names the active option
import { useVirtualizer } from '@tanstack/react-virtual';
import { RotateCw } from 'lucide-react';
import {
  type KeyboardEvent,
  memo,
  type ReactNode,
  useContext,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { KeyRow } from '../../shared/contract/views/operators.ts';
import type { InformerRow } from '../../shared/contract/views/sources.ts';
import { compileFilter } from '../../shared/model/filter.ts';
import type { ControllerProfile } from '../../shared/model/profile.ts';
import { useTable, useTableOf } from '../client/useEngine.tsx';
import { formatCountdown } from '../format/format.ts';
import { useI18n } from '../i18n/i18n.tsx';
import { ClockContext } from '../state/clock.ts';
import { keySchema } from '../state/listSchemas.ts';
import { useMoment } from '../state/useConnection.ts';
import { useStableOrder } from '../state/useStableOrder.ts';
import { useWindow, useWindowStore } from '../state/useWindow.tsx';
import { useViewAction } from '../state/viewActions.tsx';
import { goTo, openObject } from '../state/windowState.ts';
import { Cut } from '../widgets/Cut.tsx';
import { stepOf } from '../widgets/DataGrid.tsx';
import { FilterField, type FilterHandle } from '../widgets/FilterField.tsx';
import { StateGlyph } from '../widgets/StateGlyph.tsx';
import { useHighlight } from '../widgets/useHighlight.ts';
import { compareKeys } from './keyOrder.ts';

const rowHeight = 24;

/** Every object of the controller's For kind, worst first. One stop for Tab; arrows choose, Enter opens. */
export function KeyList({ controller }: { readonly controller: ControllerProfile }): ReactNode {
  const { t, number } = useI18n();
  const id = useId();
  const store = useWindowStore();
  const { rows, state } = useTable('keys', { controller: controller.name });
  const forbidden = useTableOf('informers', {}, (s) =>
    s.rows.some((row) => isForbidden(row, controller.for.value)),
  );
  const filter = useWindow((s) => s.keyFilter);
  const opened = useWindow((s) => s.place.object);
  const field = useRef<FilterHandle>(null);
  useViewAction('filter.keys', () => field.current?.focus());
  const [held, setHeld] = useState(false);
  const [active, setActive] = useState<string | undefined>(undefined);
  const scroller = useRef<HTMLDivElement>(null);
  const ordered = useStableOrder(rows, (row) => row.key, compareKeys, held);
  const clock = useContext(ClockContext);
  const schema = useMemo(() => keySchema(() => clock.now()), [clock]);
  const compiled = useMemo(() => compileFilter(filter, schema), [filter, schema]);
  const shown = useMemo(() => ordered.filter(compiled.test), [ordered, compiled]);
  useHighlight(scroller, compiled.words);
  const oneNamespace = useMemo(() => new Set(rows.map((row) => row.namespace)).size === 1, [rows]);
  const virtual = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 10,
    getItemKey: (index) => shown[index]?.key ?? index,
    initialRect: { width: 232, height: 600 },
  });
  const healthy = rows.filter((row) => row.health === 'ok').length;
  const selectedKey = active ?? rows.find((row) => row.object === opened)?.key;

  function open(row: KeyRow) {
    setActive(row.key);
    store.setState({ queueKey: row.key, navOpen: false });
    // What is well is looked at for what happened to it, all else for its cause.
    if (row.health === 'ok') openObject(store, row.object);
    else goTo(store, { tab: 'why', object: row.object });
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = shown.findIndex((row) => row.key === selectedKey);
    const target = stepOf(event.key, at, 12, shown.length);
    if (target !== undefined) {
      event.preventDefault();
      const index = Math.max(0, Math.min(shown.length - 1, target));
      const row = shown[index];
      if (row === undefined) return;
      setActive(row.key);
      virtual.scrollToIndex(index, { align: 'auto' });
    } else if (event.key === 'Enter' && at >= 0) {
      event.preventDefault();
      open(shown[at] as KeyRow);
    }
  }
  return (
    <section className="navKeys">
      <div className="navHead">
        <h2 className="label strong navKeysTitle">
          <Cut text={t('nav.keys', { controller: controller.name })} />
        </h2>
        <span className="label">{state === 'loading' ? '' : number(rows.length)}</span>
      </div>
      <FilterField
        small
        className="navFilter"
        inputRef={field}
        label={t('nav.keys.filter')}
        value={filter}
        onChange={(keyFilter) => store.setState({ keyFilter })}
        fields={schema.fields}
        problems={compiled.problems}
        count={{ shown: shown.length, n: rows.length }}
        onList={() => scroller.current?.focus()}
      />
      {state !== 'loading' && shown.length === 0 && (
        <p className="navNothing small tertiary">
          {rows.length > 0
            ? t('nav.keys.noMatch')
            : t(forbidden ? 'nav.keys.forbidden' : 'nav.keys.none', { kind: controller.for.value })}
        </p>
      )}
      <div
        ref={scroller}
        className="navList"
        role="listbox"
        aria-label={t('nav.keys', { controller: controller.name })}
        // A row that is scrolled away is not in the page and cannot be named.
        aria-activedescendant={
          virtual.getVirtualItems().some(({ key }) => key === selectedKey)
            ? `${id}-${selectedKey}`
            : undefined
        }
        tabIndex={0}
        data-region-list="true"
        onKeyDown={onKeyDown}
        onPointerEnter={() => setHeld(true)}
        onPointerLeave={() => setHeld(false)}
        onFocus={() => setHeld(true)}
        onBlur={() => setHeld(false)}
      >
        <div style={{ height: virtual.getTotalSize(), position: 'relative' }} role="presentation">
          {virtual.getVirtualItems().map((item) => {
            const row = shown[item.index] as KeyRow;
            return (
              <KeyLine
                key={row.key}
                id={`${id}-${row.key}`}
                row={row}
                top={item.start}
                selected={row.key === selectedKey}
                bare={oneNamespace}
                onOpen={open}
              />
            );
          })}
        </div>
      </div>
      <div className="navFoot small tertiary">
        <Cut text={t('nav.keys.summary', { ok: healthy, n: rows.length - healthy })} />
        <span className="navOrder">{t('nav.keys.order')}</span>
      </div>
    </section>
  );
}

function isForbidden(row: InformerRow, resource: string): boolean {
  return (
    row.state === 'forbidden' &&
    (row.group === '' ? row.resource : `${row.resource}.${row.group}`) === resource
  );
}

interface KeyLineProps {
  readonly id: string;
  readonly row: KeyRow;
  readonly top: number;
  readonly selected: boolean;
  /** All keys share one namespace: it is left out. */
  readonly bare: boolean;
  readonly onOpen: (row: KeyRow) => void;
}

const KeyLine = memo(function KeyLine({ id, row, top, selected, bare, onOpen }: KeyLineProps): ReactNode {
  const { t } = useI18n();
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the keys, an option is not a stop of its own
    <div
      id={id}
      className="navKey"
      role="option"
      aria-selected={selected}
      style={{ transform: `translateY(${top}px)` }}
      title={`${row.key}: ${row.lastError ?? row.text}`}
      onClick={() => onOpen(row)}
    >
      <StateGlyph state={row.health} size={12} form="dot" label={t(`health.${row.health}`)} />
      <span className="cut">
        {!bare && row.namespace !== '' && <span className="tertiary">{row.namespace}/</span>}
        {row.name}
      </span>
      {row.failures > 0 && (
        <span className={row.failures > 10 ? 'keyFailures inkFailed' : 'keyFailures inkDegraded'}>
          {row.certain === false && '~'}
          {row.failures}
          <RotateCw size={10} strokeWidth={2} aria-label={t('nav.key.failures', { n: row.failures })} />
        </span>
      )}
      <span className="keyState tertiary">
        <KeyState row={row} />
      </span>
    </div>
  );
});

function KeyState({ row }: { readonly row: KeyRow }): ReactNode {
  const { t } = useI18n();
  switch (row.state) {
    case 'running':
      return t('nav.key.running');
    case 'ready':
      return t('nav.key.ready');
    case 'waiting':
      return row.nextRunAt === undefined ? '' : <Until at={row.nextRunAt} />;
    case 'idle':
      return row.health === 'deleting' ? t('health.deleting') : '';
  }
}

/** A countdown to `at`; `due` below 10 ms. */
export function Until({ at }: { readonly at: number }): ReactNode {
  const { t } = useI18n();
  const now = useMoment(250);
  const left = at - now;
  return left < 10 ? t('nav.key.due') : formatCountdown(left);
}
