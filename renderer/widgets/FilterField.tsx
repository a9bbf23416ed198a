import { Popover } from '@base-ui/react/popover';
import { CircleQuestionMark, Funnel, X } from 'lucide-react';
import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useId,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { type FilterField as Field, type FilterProblem, printValue } from '../../shared/model/filter.ts';
import type { MessageKey } from '../i18n/catalogue.ts';
import { useI18n } from '../i18n/i18n.tsx';
import { IconButton, KeyHint, TextField } from './controls.tsx';
import './filterField.css';

export interface FilterHandle {
  focus(): void;
}

export interface FilterFieldProps {
  readonly label: string;
  readonly placeholder?: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** Fields of the list, in the order of the help. */
  readonly fields: readonly Pick<Field<never>, 'name' | 'kind' | 'example'>[];
  readonly problems: readonly FilterProblem[];
  /** ArrowDown, and Esc in an empty field: to the list. */
  readonly onList?: () => void;
  readonly inputRef?: Ref<FilterHandle>;
  /** A button until it is asked for, or while nothing is typed. */
  readonly fold?: boolean;
  readonly small?: boolean;
  readonly className?: string;
  /** Rows that are left, of all; shown while something narrows. */
  readonly count?: { readonly shown: number; readonly n: number } | undefined;
}

/** The filter of a list: what is wrong stands below it, what can be said opens beside it. */
export function FilterField(props: FilterFieldProps): ReactNode {
  const { t } = useI18n();
  const note = useId();
  const input = useRef<HTMLInputElement>(null);
  const [asked, setAsked] = useState(false);
  function open() {
    flushSync(() => setAsked(true));
    input.current?.focus();
  }
  useImperativeHandle(props.inputRef, () => ({ focus: open }));
  const { value, onChange, problems, count } = props;
  const [first] = problems;
  function onKeyDown(event: KeyboardEvent) {
    // Esc and arrows belong to the input method while it is open.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') {
      // The first Esc clears; what lies around the list goes with the next.
      if (value !== '') {
        event.stopPropagation();
        // The list that the text emptied is there again before it gets the focus.
        flushSync(() => onChange(''));
      }
      // This press is used up: it leaves the field and nothing around it.
      event.preventDefault();
      setAsked(false);
      props.onList?.();
      // An empty list takes no focus: single keys work again all the same. A dialog keeps it.
      const field = input.current;
      if (document.activeElement === field && field?.closest('[role="dialog"]') === null) field.blur();
    } else if (event.key === 'ArrowDown') {
      event.preventDefault();
      props.onList?.();
    }
  }
  if (props.fold === true && !asked && value === '') {
    return (
      <IconButton label={props.label} keys="/" onClick={open}>
        <Funnel size={16} strokeWidth={1.75} />
      </IconButton>
    );
  }
  return (
    <div className={`filterBox ${props.className ?? ''}`}>
      <TextField
        {...(props.small === true ? { small: true } : {})}
        inputRef={input}
        label={props.label}
        placeholder={props.placeholder ?? props.label}
        value={value}
        invalid={problems.some(({ code }) => code !== 'unknown-field')}
        aria-describedby={first === undefined ? undefined : note}
        onChange={onChange}
        onKeyDown={onKeyDown}
        icon={<Funnel size={14} strokeWidth={1.75} aria-hidden="true" />}
        end={
          <>
            {count !== undefined && value !== '' && (
              <span className="label filterCount">{t('filter.count', count)}</span>
            )}
            {value === '' ? (
              <KeyHint keys="/" />
            ) : (
              <button
                type="button"
                className="iconButton small"
                aria-label={t('filter.clear')}
                onClick={() => {
                  onChange('');
                  input.current?.focus();
                }}
              >
                <X size={14} strokeWidth={1.75} />
              </button>
            )}
            <FilterHelp
              fields={props.fields}
              onExample={(example) => onChange(`${value.trim()} ${example}`.trim())}
            />
          </>
        }
      />
      {first !== undefined && (
        <p id={note} className="filterNote small">
          <ProblemText problem={first} fields={props.fields} />
        </p>
      )}
    </div>
  );
}

function ProblemText(props: {
  readonly problem: FilterProblem;
  readonly fields: FilterFieldProps['fields'];
}): ReactNode {
  const { rich } = useI18n();
  const { problem, fields } = props;
  const field = fields.find(({ name }) => name === problem.field);
  const places = {
    field: <code>{problem.field}</code>,
    value: <code>{problem.value}</code>,
    example: <code>{field === undefined ? '' : exampleOf(field)}</code>,
    fields: fields.map(({ name }) => name).join(', '),
  };
  return rich(`filter.problem.${problem.code}`, places);
}

/** `failures>3`, `kind:Database`: the example of a field as it is written. */
export function exampleOf(field: FilterFieldProps['fields'][number]): string {
  const compares = field.kind !== 'text' && field.kind !== 'word';
  return `${field.name}${compares ? '>' : ':'}${printValue(field.example)}`;
}

function FilterHelp(props: {
  readonly fields: FilterFieldProps['fields'];
  readonly onExample: (example: string) => void;
}): ReactNode {
  const { t } = useI18n();
  const [first] = props.fields;
  const examples = [
    ...props.fields.map((field) => [exampleOf(field), `filter.field.${field.name}` as MessageKey] as const),
    ...(first === undefined ? [] : [[`-${exampleOf(first)}`, 'filter.not'] as const]),
    ['"image pull"', 'filter.quoted'] as const,
  ];
  return (
    <Popover.Root>
      <Popover.Trigger className="iconButton small" aria-label={t('filter.help')}>
        <CircleQuestionMark size={14} strokeWidth={1.75} />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner className="menuLayer" align="start" sideOffset={6}>
          <Popover.Popup className="menuPopup filterHelp">
            <Popover.Title className="strong small">{t('filter.help')}</Popover.Title>
            <Popover.Description className="small secondary">{t('filter.words')}</Popover.Description>
            {examples.map(([example, meaning]) => (
              <button
                key={example}
                type="button"
                className="filterExample"
                onClick={() => props.onExample(example)}
              >
                <code>{example}</code>
                <span className="small secondary">{t(meaning)}</span>
              </button>
            ))}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
