/**
 * Arguments, strictly: what a command does not know is an error with a hint, never ignored. `--flag value` and
 * `--flag=value`; flags and positionals in any order; `--` ends the flags.
 */
import { err, ok, type Result } from '../shared/base/result.ts';

export interface FlagSpec {
  readonly name: string;
  /**
   * switch: no value. list: may be repeated. duration: ms, from text such as 10s, 1m30s, 500ms. optional: with or without
   * a value; a word behind it is its value only when it is a plain name (no dot, no slash), so that a file stays a file.
   */
  readonly kind: 'switch' | 'text' | 'optional' | 'list' | 'duration' | 'port';
  readonly short?: string;
  /** Placeholder in the help. */
  readonly value?: string;
  readonly help: string;
}

export interface CommandSpec {
  readonly name: string;
  readonly summary: string;
  readonly usage: string;
  readonly details?: string;
  readonly flags: readonly FlagSpec[];
  /** Positional arguments allowed. */
  readonly positionals: number;
  /** Takes a command line after `--`. */
  readonly trailing: boolean;
  readonly examples: readonly (readonly [line: string, what: string])[];
}

export interface ParsedArgs {
  readonly help: boolean;
  readonly positionals: readonly string[];
  readonly trailing: readonly string[];
  /** Names of the flags that were given. */
  readonly given: readonly string[];
  has(name: string): boolean;
  text(name: string): string | undefined;
  list(name: string): readonly string[];
  /** ms of a duration, or a port. */
  number(name: string): number | undefined;
}

const plainName = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;

/** An error is one sentence with a hint. */
export function parseArgs(spec: CommandSpec, argv: readonly string[]): Result<ParsedArgs, string> {
  const values = new Map<string, string[]>();
  const numbers = new Map<string, number>();
  const positionals: string[] = [];
  let trailing: readonly string[] = [];
  let help = false;
  for (let at = 0; at < argv.length; at++) {
    const arg = argv[at] ?? '';
    if (arg === '--') {
      if (!spec.trailing) return err(`${spec.name} takes nothing after "--".`);
      trailing = argv.slice(at + 1);
      break;
    }
    if (arg === '--help' || arg === '-h') {
      help = true;
      continue;
    }
    if (!arg.startsWith('-') || arg === '-') {
      positionals.push(arg);
      continue;
    }
    const equals = arg.indexOf('=');
    const name = equals < 0 ? arg : arg.slice(0, equals);
    const flag = spec.flags.find((one) => name === `--${one.name}` || name === `-${one.short ?? ''}`);
    if (flag === undefined) return err(unknownFlag(spec, name));
    let value = equals < 0 ? undefined : arg.slice(equals + 1);
    if (flag.kind === 'switch') {
      if (value !== undefined) return err(`--${flag.name} takes no value.`);
      value = '';
    } else if (flag.kind === 'optional') {
      const next = argv[at + 1] ?? '';
      if (value === undefined) {
        value = plainName.test(next) ? next : '';
        if (value !== '') at++;
      }
    } else {
      if (value === undefined) value = argv[++at];
      if (value === undefined || value === '' || (equals < 0 && value.startsWith('--')))
        return err(`--${flag.name} needs a value: --${flag.name} ${flag.value ?? 'VALUE'}.`);
      const number = numberOf(flag, value);
      if (typeof number === 'string') return err(number);
      if (number !== undefined) numbers.set(flag.name, number);
    }
    const before = values.get(flag.name);
    if (before === undefined) values.set(flag.name, [value]);
    else if (flag.kind === 'list') before.push(value);
    else if (flag.kind !== 'switch') return err(`--${flag.name} is given twice.`);
  }
  if (!help) {
    const extra = positionals[spec.positionals];
    if (extra !== undefined)
      return err(
        spec.positionals === 0
          ? `${spec.name} takes no argument; "${extra}" was given.${spec.trailing ? ' A command to run goes after "--".' : ''}`
          : `${spec.name} takes ${spec.positionals === 1 ? 'one argument' : `at most ${spec.positionals} arguments`}; "${extra}" is one too many.`,
      );
    if (positionals.includes('')) return err('An argument is empty.');
  }
  return ok({
    help,
    positionals,
    trailing,
    given: [...values.keys()],
    has: (name) => values.has(name),
    text: (name) => values.get(name)?.[0],
    list: (name) => values.get(name) ?? [],
    number: (name) => numbers.get(name),
  });
}

/** A number, a sentence when it is none, undefined for flags that are text. */
function numberOf(flag: FlagSpec, value: string): number | string | undefined {
  if (flag.kind === 'port') {
    const port = /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN;
    return port >= 0 && port <= 65_535
      ? port
      : `--${flag.name} is a port from 0 (any) to 65535; "${value}" is none.`;
  }
  if (flag.kind !== 'duration') return undefined;
  return (
    parseDurationMs(value) ?? `--${flag.name} is a duration such as 10s, 1m30s or 500ms; "${value}" is none.`
  );
}

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** What a timer can wait, ms: 24.8 days. A longer one would ring at once. */
const longestMs = 2 ** 31 - 1;

/** `10s`, `1m30s`, `500ms`, `0`; undefined for anything else, and for more than a timer can wait. */
export function parseDurationMs(text: string): number | undefined {
  if (text === '0') return 0;
  if (!/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text)) return undefined;
  let total = 0;
  for (const [, number, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g))
    total += Number(number) * (unitMs[unit ?? ''] ?? 0);
  return total <= longestMs ? total : undefined;
}

function unknownFlag(spec: CommandSpec, name: string): string {
  const names = [...spec.flags.map((flag) => `--${flag.name}`), '--help'];
  const hint = nearest(name, names);
  return `${spec.name} has no flag ${name}.${hint === undefined ? '' : ` Did you mean ${hint}?`}`;
}

/** The closest of `names`, when it is close enough to be a slip of the keyboard. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  const plain = (text: string) => text.replace(/^-+/, '').toLowerCase();
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const candidate of names) {
    const [a, b] = [plain(name), plain(candidate)];
    const distance = a.length >= 3 && b.startsWith(a) ? 1 : editDistance(a, b);
    if (
      distance <= Math.max(1, Math.floor(b.length / 3)) &&
      distance < (best?.distance ?? Number.POSITIVE_INFINITY)
    )
      best = { name: candidate, distance };
  }
  return best?.name;
}

/** Levenshtein distance. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let at = 1; at <= a.length; at++) {
    const next = [at];
    for (let to = 1; to <= b.length; to++) {
      const swap = (row[to - 1] ?? 0) + (a[at - 1] === b[to - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
