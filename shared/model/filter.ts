/**
 * The filter of every list: one small grammar, the fields are the list's own. Pure; spec: docs/spec/window.md, "Filter".
 *
 *   filter     = term*                         terms are and-ed, in any order
 *   term       = ["-"] ( comparison | value )  "-" leaves out what the term finds
 *   comparison = field ( ":" | ">" | "<" | ">=" | "<=" ) value
 *   value      = word | '"' any text '"'       \" and \\ inside quotes
 *
 * A bare value stands anywhere in the row. Case does not matter. A term that is not understood narrows nothing and is
 * named in `problems`, so that a half-typed filter never empties a list.
 */

/**
 * text: holds the value somewhere. word: is the value as a whole (`kind:Pod` is not PodDisruptionBudget). number: `>N`,
 * `<N` or equal. duration: the same in ms, written `300ms`, `5s`, `2m30s`, `3d`. bytes: decimal, `12kB`, `3.1MB`.
 */
export type FilterFieldKind = 'text' | 'word' | 'number' | 'duration' | 'bytes';

/** What a row says for a field; undefined or an empty list: nothing, so that no comparison holds. */
export type FilterValue = string | number | undefined;

export interface FilterField<T> {
  readonly name: string;
  /** Other names that mean the same, such as `namespace` for `ns`. */
  readonly also?: readonly string[];
  readonly kind: FilterFieldKind;
  readonly of: (row: T) => FilterValue | readonly FilterValue[];
  /** An example that can be pressed; the value without the field's name. */
  readonly example: string;
}

export interface FilterSchema<T> {
  readonly fields: readonly FilterField<T>[];
  /** What a bare word is looked for in. */
  readonly text: (row: T) => readonly (string | undefined)[];
}

export type FilterSign = ':' | '>' | '<' | '>=' | '<=';

/** One term as written. `from` and `to` are its place in the text. */
export interface FilterTerm {
  readonly from: number;
  readonly to: number;
  readonly exclude: boolean;
  readonly field: string | undefined;
  readonly sign: FilterSign | undefined;
  readonly value: string;
  readonly quoted: boolean;
}

/**
 * open-quote: a quote is not closed, the rest of the text is its value. unknown-field: looked for as a plain word.
 * empty: a field without a value. not-a-number, not-a-duration, not-a-size: see FilterFieldKind. not-comparable: `>` on a field of text.
 */
export type FilterProblemCode =
  | 'open-quote'
  | 'unknown-field'
  | 'empty'
  | 'not-a-number'
  | 'not-a-duration'
  | 'not-a-size'
  | 'not-comparable';

export interface FilterProblem {
  readonly code: FilterProblemCode;
  readonly from: number;
  readonly to: number;
  readonly field: string;
  readonly value: string;
}

export interface CompiledFilter<T> {
  readonly test: (row: T) => boolean;
  readonly problems: readonly FilterProblem[];
  /** Texts that matching rows show somewhere, for highlighting; lower case. */
  readonly words: readonly string[];
  /** No term narrows: every row passes. */
  readonly all: boolean;
}

/** Splits a text into terms. Never throws; every character but white space belongs to a term. */
export function parseFilter(text: string): {
  readonly terms: readonly FilterTerm[];
  readonly openQuote: boolean;
} {
  const terms: FilterTerm[] = [];
  let openQuote = false;
  let at = 0;
  while (at < text.length) {
    if (/\s/.test(text.charAt(at))) {
      at += 1;
      continue;
    }
    const from = at;
    const exclude = text.charAt(at) === '-' && at + 1 < text.length && !/\s/.test(text.charAt(at + 1));
    if (exclude) at += 1;
    const head = /^([a-z][a-z-]*)(:?>=|:?<=|:?>|:?<|:)/i.exec(text.slice(at));
    if (head !== null) at += head[0].length;
    const read = readValue(text, at);
    at = read.to;
    openQuote ||= read.open;
    const sign = head?.[2]?.replace(/^:(?=.)/, '') as FilterSign | undefined;
    terms.push({
      from,
      to: at,
      exclude,
      field: head?.[1]?.toLowerCase(),
      sign,
      value: read.value,
      quoted: read.quoted,
    });
  }
  return { terms, openQuote };
}

interface ReadValue {
  readonly value: string;
  readonly to: number;
  readonly quoted: boolean;
  readonly open: boolean;
}

/** A quote at the start takes everything to the next one; anywhere else it is a character like any other. */
function readValue(text: string, from: number): ReadValue {
  if (text.charAt(from) !== '"') {
    let to = from;
    while (to < text.length && !/\s/.test(text.charAt(to))) to += 1;
    return { value: text.slice(from, to), to, quoted: false, open: false };
  }
  let value = '';
  let at = from + 1;
  while (at < text.length) {
    const char = text.charAt(at);
    if (char === '\\' && /["\\]/.test(text.charAt(at + 1))) {
      value += text.charAt(at + 1);
      at += 2;
    } else if (char === '"') {
      return { value, to: at + 1, quoted: true, open: false };
    } else {
      value += char;
      at += 1;
    }
  }
  return { value, to: at, quoted: true, open: true };
}

/** A term as text that parses to the same term. */
export function printTerm(term: Pick<FilterTerm, 'exclude' | 'field' | 'sign' | 'value'>): string {
  const head = term.field === undefined ? '' : `${term.field}${term.sign ?? ':'}`;
  return `${term.exclude ? '-' : ''}${head}${printValue(term.value)}`;
}

/** Quoted when it would mean something else without: spaces, quotes, a leading minus, a sign of a field. */
export function printValue(value: string): string {
  const plain = value !== '' && !/[\s"\\]/.test(value) && !/^[-<>:]|^[a-z][a-z-]*[:<>]/i.test(value);
  return plain ? value : `"${value.replace(/["\\]/g, '\\$&')}"`;
}

/** Compiles a text for a list. Never throws. */
export function compileFilter<T>(text: string, schema: FilterSchema<T>): CompiledFilter<T> {
  const { terms, openQuote } = parseFilter(text);
  const problems: FilterProblem[] = [];
  const tests: ((row: T) => boolean)[] = [];
  const words = new Set<string>();
  for (const term of terms) {
    const compiled = compileTerm(term, schema);
    if (compiled.problem !== undefined) problems.push(compiled.problem);
    if (compiled.test === undefined) continue;
    const { test } = compiled;
    tests.push(term.exclude ? (row) => !test(row) : test);
    if (!term.exclude && compiled.word !== undefined && compiled.word !== '') words.add(compiled.word);
  }
  if (openQuote) {
    const last = terms.at(-1);
    if (last !== undefined) problems.push(problemOf('open-quote', last));
  }
  return {
    test: (row) => tests.every((test) => test(row)),
    problems,
    words: [...words],
    all: tests.length === 0,
  };
}

interface CompiledTerm<T> {
  readonly test?: (row: T) => boolean;
  readonly problem?: FilterProblem;
  readonly word?: string;
}

function compileTerm<T>(term: FilterTerm, schema: FilterSchema<T>): CompiledTerm<T> {
  if (term.field === undefined) return term.value === '' ? {} : anywhere(term.value, schema);
  const field = schema.fields.find(
    ({ name, also }) => name === term.field || also?.includes(term.field ?? '') === true,
  );
  if (field === undefined) {
    // `system:node` and `http://…` are words with a colon; that no such field exists is said all the same.
    const whole = `${term.field}${term.sign ?? ''}${term.value}`;
    return { ...anywhere(whole, schema), problem: problemOf('unknown-field', term) };
  }
  if (term.value === '') return { problem: problemOf('empty', term) };
  switch (field.kind) {
    case 'text':
    case 'word': {
      if (term.sign !== ':') return { problem: problemOf('not-comparable', term) };
      const wanted = term.value.toLowerCase();
      const isWord = field.kind === 'word';
      return {
        word: wanted,
        test: (row) =>
          valuesOf(field, row).some((value) => {
            const says = String(value).toLowerCase();
            return isWord ? says === wanted : says.includes(wanted);
          }),
      };
    }
    case 'number':
    case 'duration':
    case 'bytes': {
      const limit = readers[field.kind](term.value);
      if (limit === undefined) return { problem: problemOf(wrong[field.kind], term) };
      const { sign = ':' } = term;
      return { test: (row) => valuesOf(field, row).some((value) => compare(Number(value), sign, limit)) };
    }
  }
}

const wrong = {
  number: 'not-a-number',
  duration: 'not-a-duration',
  bytes: 'not-a-size',
} as const satisfies Record<string, FilterProblemCode>;

function anywhere<T>(value: string, schema: FilterSchema<T>): CompiledTerm<T> {
  const wanted = value.toLowerCase();
  return {
    word: wanted,
    test: (row) => schema.text(row).some((part) => part?.toLowerCase().includes(wanted) === true),
  };
}

function valuesOf<T>(field: FilterField<T>, row: T): readonly (string | number)[] {
  const says = field.of(row);
  const list: readonly FilterValue[] = Array.isArray(says) ? says : [says as FilterValue];
  return list.filter((value) => value !== undefined);
}

function problemOf(code: FilterProblemCode, term: FilterTerm): FilterProblem {
  return { code, from: term.from, to: term.to, field: term.field ?? '', value: term.value };
}

function compare(value: number, sign: FilterSign, limit: number): boolean {
  switch (sign) {
    case ':':
      return value === limit;
    case '>':
      return value > limit;
    case '<':
      return value < limit;
    case '>=':
      return value >= limit;
    case '<=':
      return value <= limit;
  }
}

const readers = { number: parseNumber, duration: parseDuration, bytes: parseBytes } as const;

/** `12`, `1,204`, `0.5`; undefined for anything else. */
function parseNumber(text: string): number | undefined {
  const plain = text.replace(/(\d),(?=\d{3}\b)/g, '$1');
  return /^-?\d+(\.\d+)?$/.test(plain) ? Number(plain) : undefined;
}

const unitsMs: Readonly<Record<string, number>> = {
  us: 0.001,
  µs: 0.001,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** `300ms`, `5s`, `2m30s`, `1.5h`, `3d` in ms; undefined without a unit, because 5 could be anything. */
export function parseDuration(text: string): number | undefined {
  if (!/^(\d+(\.\d+)?(us|µs|ms|s|m|h|d))+$/i.test(text)) return undefined;
  let total = 0;
  for (const [, number, unit] of text.matchAll(/(\d+(?:\.\d+)?)(us|µs|ms|s|m|h|d)/gi)) {
    total += Number(number) * (unitsMs[(unit ?? '').toLowerCase()] ?? Number.NaN);
  }
  return total;
}

/** `412`, `12kB`, `3.1MB`, `1GB`: decimal, in bytes. */
export function parseBytes(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(b|kb|mb|gb)?$/i.exec(text);
  if (match === null) return undefined;
  const power = ['b', 'kb', 'mb', 'gb'].indexOf((match[2] ?? 'b').toLowerCase());
  return Number(match[1]) * 1000 ** power;
}

/** Cuts a text into parts that `words` (lower case) name and parts that they do not, in order. Overlaps join. */
export function markWords(
  text: string,
  words: readonly string[],
): readonly { readonly text: string; readonly hit: boolean }[] {
  const lower = text.toLowerCase();
  // A letter whose lower case is longer (İ) would shift every place after it.
  if (lower.length !== text.length) return [{ text, hit: false }];
  const hits = new Uint8Array(text.length);
  for (const word of words) {
    if (word === '') continue;
    for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + 1)) {
      hits.fill(1, at, at + word.length);
    }
  }
  const parts: { text: string; hit: boolean }[] = [];
  for (let at = 0; at < text.length; ) {
    let to = at;
    while (to < text.length && hits[to] === hits[at]) to += 1;
    parts.push({ text: text.slice(at, to), hit: hits[at] === 1 });
    at = to;
  }
  return parts;
}
