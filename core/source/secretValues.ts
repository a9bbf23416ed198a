/**
 * Secrets that stand as plain text in pod specs, wherever an object holds one: values of environment variables whose name
 * looks like a secret, such flags and assignments in arguments, passwords in URLs. Gives what to put in their place;
 * secretFilter.ts puts it there. A name of a secret, a reference or a switch is no secret: hiding it would hide causes.
 */
import { fieldsOf } from '../../shared/base/json.ts';

/** By key or index: a text to put there, or what to change below. */
export type TextEdits = Map<string, string | TextEdits>;

/** What stands in the place of a hidden value: equal values give equal marks within one process. */
export type Mark = (value: string) => string;

export interface SecretWords {
  readonly isSecretLike: (name: string) => boolean;
  readonly mark: Mark;
}

/** No object of an API server is nested like this; what is deeper is left alone, and the stack with it. */
const deepest = 64;

/** Undefined when there is nothing to hide. */
export function secretValues(value: unknown, words: SecretWords, depth = 0): TextEdits | undefined {
  if (typeof value !== 'object' || value === null || depth > deepest) return undefined;
  let edits: TextEdits | undefined;
  for (const key in value) {
    const child: unknown = (value as Readonly<Record<string, unknown>>)[key];
    // Most members are texts and numbers; managedFields are the largest part of many objects and hold names only.
    if (typeof child !== 'object' || key === 'managedFields') continue;
    let below: TextEdits | undefined;
    if (key === 'env' && Array.isArray(child)) below = envEdits(child, words);
    else if ((key === 'args' || key === 'command') && Array.isArray(child))
      below = argumentEdits(child, words);
    else below = secretValues(child, words, depth + 1);
    if (below !== undefined) {
      edits ??= new Map();
      edits.set(key, below);
    }
  }
  return edits;
}

function envEdits(env: readonly unknown[], words: SecretWords): TextEdits | undefined {
  const edits: TextEdits = new Map();
  for (const [index, entry] of env.entries()) {
    const { name, value } = fieldsOf(entry);
    if (typeof name !== 'string' || typeof value !== 'string') continue;
    const hidden =
      namesSecret(name, words) && mayBeSecret(value) ? words.mark(value) : withoutLogin(value, words);
    if (hidden !== value) edits.set(String(index), new Map([['value', hidden]]));
  }
  return edits.size === 0 ? undefined : edits;
}

/** `--token=x`, `PASSWORD=x` anywhere in a line, and `--token x`. The value may be quoted. */
const assigned = /((?:^|[\s;&"'])-{0,2})([A-Za-z_][\w.-]*)(=)("[^"]*"|'[^']*'|[^\s;&"']+)/g;
const following = /((?:^|[\s;&"'])--?)([A-Za-z][\w.-]*)(\s+)("[^"]*"|'[^']*'|[^-\s;&"'][^\s;&"']*)/g;

function argumentEdits(list: readonly unknown[], words: SecretWords): TextEdits | undefined {
  const edits: TextEdits = new Map();
  for (const [index, text] of list.entries()) {
    if (typeof text !== 'string') continue;
    const before: unknown = list[index - 1];
    const isValue =
      typeof before === 'string' &&
      /^--?[A-Za-z][\w.-]*$/.test(before) &&
      namesSecret(before.replace(/^-+/, ''), words);
    const hidden =
      isValue && !text.startsWith('-') && mayBeSecret(text) ? words.mark(text) : hideIn(text, words);
    if (hidden !== text) edits.set(String(index), hidden);
  }
  return edits.size === 0 ? undefined : edits;
}

function hideIn(text: string, words: SecretWords): string {
  const hide = (all: string, start: string, name: string, is: string, value: string) => {
    const plain = value.replace(/^(["'])(.*)\1$/s, '$2');
    if (!namesSecret(name, words) || !mayBeSecret(plain)) return all;
    return `${start}${name}${is}${words.mark(plain)}`;
  };
  return withoutLogin(text.replace(assigned, hide).replace(following, hide), words);
}

/**
 * `scheme://user:password@host` and Go's `user:password@tcp(host)`: the rest of it tells where, and stays. Lengths are
 * bounded: a hostile text must not cost more than its own length.
 */
const login =
  /((?:(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,31}:\/\/[^\s/:@]{0,255}|(?:^|[\s"'=])[^\s:@/"'=]{1,255}):)([^\s/@]{1,255})(?=@(?:tcp\(|unix\(|[^\s@]))/gi;

function withoutLogin(text: string, { mark }: SecretWords): string {
  if (!text.includes('@')) return text;
  return text.replace(login, (all, head: string, password: string, offset: number) => {
    const isUrl = head.includes('://');
    if (!isUrl && !/^@(tcp|unix)\(/.test(text.slice(offset + all.length))) return all;
    return mayBeSecret(password) ? head + mark(password) : all;
  });
}

/** Where a secret is, or how it is handled, rather than the thing itself. */
const kinds =
  'file|path|dir|name|namespace|ref|ttl|timeout|expiry|expiration|audience|version|type|mode|provider|enabled';
const about = new RegExp(`[-_.](?:${kinds})s?$`, 'i');
const aboutInCamelCase = new RegExp(
  `[a-z0-9](?:${kinds.replace(/\b[a-z]/g, (letter) => letter.toUpperCase())})s?$`,
);

function namesSecret(name: string, { isSecretLike }: SecretWords): boolean {
  return isSecretLike(name) && !about.test(name) && !aboutInCamelCase.test(name);
}

/** Not a switch, nor a reference to another variable. */
function mayBeSecret(value: string): boolean {
  return value !== '' && !/^(true|false|yes|no|on|off)$/i.test(value) && !/^\$[({]?\w+[)}]?$/.test(value);
}
