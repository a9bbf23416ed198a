import { ChevronDown } from 'lucide-react';
import {
  type ButtonHTMLAttributes,
  createContext,
  type InputHTMLAttributes,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useContext,
} from 'react';
import type { GlyphState } from './StateGlyph.tsx';
import { StateGlyph } from './StateGlyph.tsx';
import { Tip } from './Tip.tsx';
import './controls.css';

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: 'plain' | 'primary' | 'quiet';
  readonly small?: boolean;
  readonly icon?: ReactNode;
  /** Why it cannot be pressed: stays focusable, shown dashed, the reason in its tooltip. */
  readonly unavailable?: string | undefined;
}

export function Button(props: ButtonProps): ReactNode {
  const {
    kind = 'plain',
    small = false,
    icon,
    unavailable,
    className = '',
    children,
    onClick,
    ...rest
  } = props;
  const button = (
    <button
      type="button"
      {...rest}
      {...(unavailable === undefined
        ? onClick === undefined
          ? {}
          : { onClick }
        : { 'aria-disabled': true })}
      className={`button ${kind} ${small ? 'small' : ''} ${className}`}
    >
      {icon}
      {children}
    </button>
  );
  return unavailable === undefined ? button : <Tip text={unavailable}>{button}</Tip>;
}

export interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** Name for assistive technology and tooltip. */
  readonly label: string;
  readonly small?: boolean;
  readonly keys?: string;
}

export function IconButton({
  label,
  small = false,
  keys,
  className = '',
  ...rest
}: IconButtonProps): ReactNode {
  return (
    <Tip text={label} {...(keys === undefined ? {} : { keys })}>
      <button
        type="button"
        aria-label={label}
        {...rest}
        className={`iconButton ${small ? 'small' : ''} ${className}`}
      />
    </Tip>
  );
}

/** A chord as it is: `Mod+K` as two caps, Ctrl and K. */
export function Kbd({ keys }: { readonly keys: string }): ReactNode {
  return (
    <span className="kbdGroup" aria-hidden="true">
      {partsOf(keys).map((key) => (
        <kbd key={key} className="kbd">
          {keyLabel(key)}
        </kbd>
      ))}
    </span>
  );
}

/** What a default chord is bound to now; undefined: to nothing, or it is switched off. Without a window: itself. */
export const BoundKeysContext = createContext<(chord: string) => string | undefined>((chord) => chord);

/** Beside a control: the keys that do the same, as the user has bound them. `keys` is the default of the command. */
export function KeyHint({ keys }: { readonly keys: string }): ReactNode {
  const bound = useContext(BoundKeysContext)(keys);
  return bound === undefined ? null : <Kbd keys={bound} />;
}

/** A chord in words: `Ctrl+K`. */
export function chordText(chord: string): string {
  return partsOf(chord).map(keyLabel).join('+');
}

/** The plus sign is a key too. */
function partsOf(chord: string): readonly string[] {
  return chord.split(/\+(?!$)/);
}

function keyLabel(key: string): string {
  if (key === 'Mod') return isMac() ? '⌘' : 'Ctrl';
  if (key === 'Escape') return 'Esc';
  if (key === 'ArrowUp') return '↑';
  if (key === 'ArrowDown') return '↓';
  return key;
}

export function isMac(): boolean {
  return typeof navigator !== 'undefined' && /mac/i.test(navigator.platform);
}

export interface SegmentedProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly label: ReactNode }[];
  readonly onChange: (value: T) => void;
}

/** One of a few: a radio group that is one stop, arrows move the choice. */
export function Segmented<T extends string>(props: SegmentedProps<T>): ReactNode {
  const { label, value, options, onChange } = props;
  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const index = options.findIndex((option) => option.value === value);
    const next = options[(index + step + options.length) % options.length];
    if (next === undefined) return;
    onChange(next.value);
    const buttons = event.currentTarget.querySelectorAll('button');
    buttons[options.indexOf(next)]?.focus();
  }
  return (
    <div className="segmented" role="radiogroup" aria-label={label} onKeyDown={onKeyDown}>
      {options.map((option) => (
        // biome-ignore lint/a11y/useSemanticElements: a radio button that looks like a segment
        <button
          key={option.value}
          type="button"
          role="radio"
          aria-checked={option.value === value}
          tabIndex={option.value === value ? 0 : -1}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}

export interface TextFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'size'> {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly icon?: ReactNode;
  readonly end?: ReactNode;
  readonly small?: boolean;
  readonly mono?: boolean;
  readonly invalid?: boolean;
  readonly changed?: boolean;
  readonly inputRef?: Ref<HTMLInputElement>;
}

export function TextField(props: TextFieldProps): ReactNode {
  const {
    label,
    onChange,
    icon,
    end,
    small,
    mono,
    invalid,
    changed,
    inputRef,
    className = '',
    ...rest
  } = props;
  const classes = [
    'field',
    small && 'small',
    mono && 'mono',
    invalid && 'invalid',
    changed && 'changed',
    className,
  ];
  return (
    <div className={classes.filter(Boolean).join(' ')}>
      {icon}
      <input
        spellCheck={false}
        autoComplete="off"
        {...rest}
        ref={inputRef}
        aria-label={label}
        aria-invalid={invalid === true ? true : undefined}
        onChange={(event) => onChange(event.target.value)}
      />
      {end}
    </div>
  );
}

export function Check(props: {
  readonly label: ReactNode;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}): ReactNode {
  return (
    <label className="checkLine">
      <input
        className="checkBox"
        type="checkbox"
        checked={props.checked}
        onChange={(event) => props.onChange(event.target.checked)}
      />
      {props.label}
    </label>
  );
}

export function Select<T extends string>(props: {
  readonly label: string;
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly label: string }[];
  readonly onChange: (value: T) => void;
}): ReactNode {
  return (
    <span className="selectBox">
      <select
        aria-label={props.label}
        value={props.value}
        onChange={(event) => props.onChange(event.target.value as T)}
      >
        {props.options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown size={14} strokeWidth={1.75} aria-hidden="true" />
    </span>
  );
}

export type PillTone = 'neutral' | 'ok' | 'progressing' | 'degraded' | 'failed' | 'unknown' | 'gap';

export function Pill(props: {
  readonly tone: PillTone;
  readonly glyph?: GlyphState;
  readonly icon?: ReactNode;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <span className={`pill pill-${props.tone}`}>
      {props.glyph !== undefined && <StateGlyph state={props.glyph} size={12} />}
      {props.icon}
      {props.children}
    </span>
  );
}
