// biome-ignore-all lint/a11y/useSemanticElements: an ARIA listbox: one Tab stop holds the keys and names the active option
// biome-ignore-all lint/a11y/useFocusableInteractive: an ARIA listbox: one Tab stop holds the keys and names the active option
import { Funnel, RefreshCw, Terminal } from 'lucide-react';
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { ContextSummary, ExecCommand } from '../../../shared/contract/views/connection.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { useViewAction } from '../../state/viewActions.tsx';
import { Cut } from '../../widgets/Cut.tsx';
import { Button, KeyHint, TextField } from '../../widgets/controls.tsx';
import { stepOf } from '../../widgets/DataGrid.tsx';
import { ProblemLine, Skeleton } from '../../widgets/parts.tsx';
import { StateGlyph } from '../../widgets/StateGlyph.tsx';
import type { ContextsState } from './useContexts.ts';

export interface ContextListProps {
  readonly contexts: ContextsState;
  readonly selected: ContextSummary | undefined;
  readonly consent: ExecCommand | undefined;
  readonly consentFor: string | undefined;
  readonly busy: boolean;
  readonly namespaces: string;
  readonly onNamespaces: (text: string) => void;
  readonly onSelect: (context: ContextSummary) => void;
  readonly onConnect: (context: ContextSummary, consent?: 'once' | 'always') => void;
  readonly onCancel: () => void;
}

export function ContextList(props: ContextListProps): ReactNode {
  const { t } = useI18n();
  const { contexts, selected } = props;
  const [filter, setFilter] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const cards = useRef<HTMLDivElement>(null);
  useViewAction('filter', () => field.current?.focus());
  const all = contexts.value?.contexts;
  const shown = useMemo(() => {
    const words = filter.trim().toLowerCase().split(/\s+/).filter(Boolean);
    return (all ?? []).filter((c) => {
      const text = `${c.name} ${c.server} ${c.cluster} ${c.user} ${c.auth}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
  }, [all, filter]);
  if (contexts.value === undefined) {
    return contexts.error === undefined ? <Skeleton /> : <ProblemLine text={contexts.error} />;
  }
  const { files, problem, origin } = contexts.value;
  if (shown.length === 0 && filter === '') {
    return (
      <NoContexts
        files={files}
        origin={t(`connect.origin.${origin}`)}
        problem={problem?.message}
        reading={contexts.reading}
        onReload={contexts.reload}
      />
    );
  }
  const read = files.filter((file) => file.state === 'read').length;
  return (
    <>
      <div className="connectHead">
        <h2 className="title">{t('connect.title')}</h2>
        <span className="small tertiary">
          {t('connect.count', { n: all?.length ?? 0, files: t('connect.files', { n: read }) })}
        </span>
      </div>
      <p className="small secondary connectSub">{t('connect.nothing')}</p>
      <TextField
        inputRef={field}
        label={t('connect.filter')}
        placeholder={t('connect.filter')}
        value={filter}
        onChange={setFilter}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing || (event.key !== 'Escape' && event.key !== 'ArrowDown')) return;
          event.preventDefault();
          // Esc clears first; then it leaves the field for the list, as the arrow does.
          if (event.key === 'Escape' && filter !== '') setFilter('');
          else cards.current?.focus();
        }}
        icon={<Funnel size={14} strokeWidth={1.75} aria-hidden="true" />}
        end={filter === '' ? <KeyHint keys="/" /> : undefined}
      />
      {problem !== undefined && (
        <div className="connectProblem">
          <ProblemLine text={problem.message} />
        </div>
      )}
      <Cards {...props} shown={shown} list={cards} />
      {shown.length === 0 && (
        <p className="small secondary connectNone">{t('connect.noMatch', { text: filter })}</p>
      )}
      {props.consent !== undefined && selected !== undefined ? (
        <ExecConfirm
          command={props.consent}
          context={props.consentFor ?? selected.name}
          onRun={(consent) => props.onConnect(selected, consent)}
          onCancel={props.onCancel}
        />
      ) : (
        selected !== undefined && <ConnectForm {...props} selected={selected} />
      )}
      <div className="connectFiles">
        {files.map((file) => (
          <span
            key={file.path}
            className={file.state === 'read' ? 'small tertiary cut' : 'small inkDegraded cut'}
            title={file.path}
          >
            <span className="mono" title={file.path}>
              {file.path}
            </span>
            {file.state !== 'read' && ` · ${t(`connect.file.${file.state}`)}`}
          </span>
        ))}
        <Button
          small
          kind="quiet"
          icon={<RefreshCw size={14} strokeWidth={1.75} />}
          disabled={contexts.reading}
          onClick={contexts.reload}
        >
          {t('connect.reread')}
        </Button>
      </div>
    </>
  );
}

function Cards(
  props: ContextListProps & {
    readonly shown: readonly ContextSummary[];
    readonly list: RefObject<HTMLDivElement | null>;
  },
): ReactNode {
  const { t } = useI18n();
  const id = useId();
  const { shown, selected } = props;
  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = shown.findIndex((c) => c.name === selected?.name);
    const target = stepOf(event.key, at, 5, shown.length);
    if (target !== undefined) {
      event.preventDefault();
      const next = shown[Math.max(0, Math.min(shown.length - 1, target))];
      if (next !== undefined) props.onSelect(next);
    } else if (event.key === 'Enter' && selected !== undefined && !props.busy) {
      event.preventDefault();
      props.onConnect(selected);
    }
  }
  const at = shown.findIndex((c) => c.name === selected?.name);
  // Among many the chosen one may lie outside of what the list shows.
  useEffect(() => {
    if (at >= 0) document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, at]);
  return (
    <div
      ref={props.list}
      className="contextCards"
      role="listbox"
      aria-label={t('connect.title')}
      aria-activedescendant={at < 0 ? undefined : `${id}-${at}`}
      tabIndex={0}
      data-region-list="true"
      onKeyDown={onKeyDown}
    >
      {shown.map((context, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the keys
        <div
          key={context.name}
          id={`${id}-${index}`}
          role="option"
          aria-selected={context.name === selected?.name}
          className="contextCard"
          onClick={() => props.onSelect(context)}
          onDoubleClick={() => {
            if (!props.busy) props.onConnect(context);
          }}
        >
          <StateGlyph state={context.problem === undefined ? 'unknown' : 'failed'} size={12} />
          <span className="contextLine">
            <Cut className="strong" text={context.name} />
            <Cut
              className={context.problem === undefined ? 'small tertiary' : 'small inkFailed'}
              text={context.problem?.message ?? (context.current ? t('connect.current') : '')}
            />
          </span>
          <span className="contextLine">
            <Cut className="mono tertiary contextServer" text={context.server} />
            <Cut
              className="small secondary"
              text={
                context.exec === undefined
                  ? t(`connect.auth.${context.auth}`)
                  : t('connect.exec', { command: lastPart(context.exec.command) })
              }
            />
          </span>
        </div>
      ))}
    </div>
  );
}

function ConnectForm(props: ContextListProps & { readonly selected: ContextSummary }): ReactNode {
  const { t } = useI18n();
  const { selected } = props;
  return (
    <form
      className="connectForm"
      onSubmit={(event) => {
        event.preventDefault();
        props.onConnect(selected);
      }}
    >
      <dl className="keyValue">
        <dt>{t('connect.user')}</dt>
        <dd>{selected.user}</dd>
        <dt>{t('connect.file')}</dt>
        <dd className="mono">{selected.file}</dd>
      </dl>
      <label className="label" htmlFor="connectNamespaces">
        {t('connect.namespaces')}
      </label>
      <TextField
        id="connectNamespaces"
        label={t('connect.namespaces')}
        placeholder={
          selected.namespace === undefined ? t('connect.namespaces.placeholder') : selected.namespace
        }
        value={props.namespaces}
        onChange={props.onNamespaces}
      />
      <p className="small tertiary">{t('connect.namespaces.hint')}</p>
      <Button
        kind="primary"
        type="submit"
        disabled={props.busy}
        {...(selected.problem === undefined ? {} : { unavailable: selected.problem.message })}
      >
        {t('connect.go', { context: selected.name })}
      </Button>
    </form>
  );
}

/** The command a kubeconfig wants to run is shown before it runs. */
export function ExecConfirm(props: {
  readonly command: ExecCommand;
  readonly context: string;
  readonly onRun: (consent: 'once' | 'always') => void;
  readonly onCancel: () => void;
}): ReactNode {
  const { t } = useI18n();
  const { command } = props;
  useViewAction('leave', props.onCancel);
  return (
    <section className="execConfirm" aria-label={t('connect.consent.title', { context: props.context })}>
      <h3 className="execHead">
        <Terminal size={16} strokeWidth={1.75} aria-hidden="true" />
        {t('connect.consent.title', { context: props.context })}
      </h3>
      <div className="execBody">
        <p className="small secondary">{t('connect.consent.explain')}</p>
        <pre className="execCommand">
          <code className="execLine">{[command.command, ...command.args.map(quote)].join(' ')}</code>
          {command.envNames.length > 0 && (
            <code className="secondary">
              {t('connect.consent.env', { names: command.envNames.join(' ') })}
            </code>
          )}
          <code className="secondary">
            {t('connect.consent.from', { file: command.file, user: command.user })}
          </code>
        </pre>
        <div className="execActions">
          <Button kind="primary" autoFocus onClick={() => props.onRun('once')}>
            {t('connect.consent.once')}
          </Button>
          <Button onClick={() => props.onRun('always')}>{t('connect.consent.always')}</Button>
          <Button kind="quiet" onClick={props.onCancel}>
            {t('action.cancel')}
          </Button>
        </div>
      </div>
    </section>
  );
}

function NoContexts(props: {
  readonly files: readonly {
    readonly path: string;
    readonly state: 'read' | 'missing' | 'empty' | 'malformed';
  }[];
  readonly origin: string;
  readonly problem: string | undefined;
  readonly reading: boolean;
  readonly onReload: () => void;
}): ReactNode {
  const { t } = useI18n();
  const malformed = props.files.some((file) => file.state === 'malformed');
  return (
    <div className="noContexts">
      <h2 className="title">{t(malformed ? 'connect.malformed' : 'connect.none.title')}</h2>
      {props.problem !== undefined && <ProblemLine text={props.problem} />}
      <p className="small secondary">
        {t('connect.none.looked')} <span className="tertiary">({props.origin})</span>
      </p>
      <ul>
        {props.files.map((file) => (
          <li key={file.path} className="noContextFile">
            <StateGlyph state={file.state === 'malformed' ? 'failed' : 'none'} size={12} />
            <span className="mono">{file.path}</span>
            <span className="small tertiary">{t(`connect.file.${file.state}`)}</span>
          </li>
        ))}
      </ul>
      <p className="small secondary">{t('connect.none.how')}</p>
      <div>
        <Button
          kind="primary"
          icon={<RefreshCw size={14} strokeWidth={1.75} />}
          disabled={props.reading}
          onClick={props.onReload}
        >
          {t('connect.reread')}
        </Button>
      </div>
    </div>
  );
}

function lastPart(command: string): string {
  return command.split(/[\\/]/).at(-1) ?? command;
}

/** As a shell would need it, so that what is shown is unambiguous. */
export function quote(argument: string): string {
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", `'\\''`)}'`;
}
