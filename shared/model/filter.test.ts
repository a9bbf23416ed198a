import { describe, expect, it } from 'vitest';
import {
  compileFilter,
  type FilterSchema,
  markWords,
  parseBytes,
  parseDuration,
  parseFilter,
  printTerm,
  printValue,
} from './filter.ts';

interface Row {
  readonly kind: string;
  readonly name: string;
  readonly failures?: number;
  readonly waitMs?: number;
  readonly bytes?: number;
}

const schema: FilterSchema<Row> = {
  fields: [
    { name: 'kind', kind: 'word', of: (row) => row.kind, example: 'Pod' },
    { name: 'name', also: ['n'], kind: 'text', of: (row) => row.name, example: 'orders' },
    { name: 'failures', kind: 'number', of: (row) => row.failures, example: '3' },
    { name: 'wait', kind: 'duration', of: (row) => row.waitMs, example: '5s' },
    { name: 'size', kind: 'bytes', of: (row) => row.bytes, example: '1MB' },
  ],
  text: (row) => [row.kind, row.name],
};
const row: Row = {
  kind: 'Database',
  name: 'shop/orders-db',
  failures: 17,
  waitMs: 162_000,
  bytes: 2_000_000,
};

function holds(text: string, of: Row = row): boolean {
  return compileFilter(text, schema).test(of);
}
function codes(text: string): readonly string[] {
  return compileFilter(text, schema).problems.map(({ code }) => code);
}

describe('[F1] words', () => {
  it.each([
    ['', true],
    ['   ', true],
    ['orders', true],
    ['ORDERS database', true],
    ['orders pod', false],
    ['-pod', true],
    ['-orders', false],
    ['"shop/orders"', true],
    ['"shop orders"', false],
    ['-"shop orders"', true],
    ['-', true],
    ['""', true],
  ])('%s → %s', (text, matches) => {
    expect(holds(text)).toBe(matches);
    expect(codes(text)).toEqual([]);
  });
});

describe('[F2] fields', () => {
  it.each([
    ['kind:database', true],
    ['kind:data', false],
    ['name:orders', true],
    ['n:orders', true],
    ['NAME:Orders', true],
    ['-kind:Pod', true],
    ['name:"shop/orders-db"', true],
    ['failures>3', true],
    ['failures:>3', true],
    ['failures>17', false],
    ['failures>=17', true],
    ['failures<=17 failures<18', true],
    ['failures:17', true],
    ['-failures>3', false],
    ['wait>2m30s', true],
    ['wait>3m', false],
    ['wait<1h', true],
    ['size>1.5MB', true],
    ['size<900kB', false],
  ])('%s → %s', (text, matches) => {
    expect(holds(text)).toBe(matches);
    expect(codes(text)).toEqual([]);
  });
  it('holds no comparison for a row that says nothing, and excludes none', () => {
    const bare: Row = { kind: 'Pod', name: 'a' };
    expect(['failures>0', 'failures<100', 'failures:0', 'wait<1h'].map((text) => holds(text, bare))).toEqual(
      Array(4).fill(false),
    );
    expect(holds('-failures>0', bare)).toBe(true);
  });
});

describe('[F3] what is wrong is named and narrows nothing', () => {
  it.each([
    ['failures>many', 'not-a-number'],
    ['wait>5', 'not-a-duration'],
    ['size>big', 'not-a-size'],
    ['name>a', 'not-comparable'],
    ['kind:', 'empty'],
    ['"orders', 'open-quote'],
  ])('%s: %s', (text, code) => {
    const compiled = compileFilter(text, schema);
    expect(compiled.problems.map((problem) => problem.code)).toEqual([code]);
    expect(compiled.test(row)).toBe(true);
    const [problem] = compiled.problems;
    expect(text.slice(problem?.from, problem?.to)).toBe(text);
  });
  it('looks for an unknown field as a word, and says so', () => {
    expect(codes('nosuch:word')).toEqual(['unknown-field']);
    expect(holds('nosuch:word')).toBe(false);
    expect(holds('system:node', { kind: 'User', name: 'system:node:a' })).toBe(true);
  });
  it('knows whether anything narrows', () => {
    expect(['', 'kind:', 'wait>5', 'a'].map((text) => compileFilter(text, schema).all)).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });
});

describe('[F4] values with units', () => {
  it('reads durations and sizes, and nothing without a unit where one is needed', () => {
    expect(['300ms', '2m30s', '1.5h', '3d', '500µs'].map(parseDuration)).toEqual([
      300, 150_000, 5_400_000, 259_200_000, 0.5,
    ]);
    expect(['5', '', 's', '5 s', '-5s', '5x'].map(parseDuration)).toEqual(Array(6).fill(undefined));
    expect(['412', '12kB', '3.1MB', '1gb'].map(parseBytes)).toEqual([412, 12_000, 3_100_000, 1e9]);
    expect(['', 'x', '1TB', '-1'].map(parseBytes)).toEqual(Array(4).fill(undefined));
  });
});

describe('[F5] properties, over 3,000 random filters', () => {
  const random = seeded(20_261_130);
  const alphabet = [
    'a',
    'B',
    'kind',
    'name',
    'wait',
    ':',
    '>',
    '<',
    '=',
    '-',
    '"',
    '\\',
    ' ',
    '5s',
    '3',
    '中',
    '/',
  ];
  const texts = Array.from({ length: 3000 }, () =>
    Array.from({ length: 1 + Math.floor(random() * 12) }, () => pick(alphabet)).join(''),
  );
  const rows: readonly Row[] = Array.from({ length: 12 }, (_, n) => ({
    kind: pick(['Pod', 'Database']),
    name: Array.from({ length: 6 }, () => pick(['a', 'b', '-', '/', '"', ' ', '中'])).join(''),
    ...(n % 3 === 0 ? {} : { failures: n, waitMs: n * 1000 }),
  }));
  function pick<T>(list: readonly T[]): T {
    return list[Math.floor(random() * list.length)] as T;
  }

  it('never throws, and the places of terms are in order and inside the text', () => {
    for (const text of texts) {
      let last = 0;
      for (const { from, to } of parseFilter(text).terms) {
        expect(from).toBeGreaterThanOrEqual(last);
        expect(to).toBeGreaterThan(from);
        last = to;
      }
      expect(last).toBeLessThanOrEqual(text.length);
      for (const one of rows) compileFilter(text, schema).test(one);
    }
  });
  it('prints a term as a text that means the same', () => {
    for (const text of texts) {
      const { terms } = parseFilter(text);
      const again = parseFilter(terms.map(printTerm).join(' ')).terms;
      const meaning = ({ exclude, field, sign, value }: (typeof terms)[number]) => ({
        exclude,
        field,
        sign,
        value,
      });
      expect(again.map(meaning), text).toEqual(terms.map(meaning));
    }
  });
  it('does not depend on the order of terms', () => {
    for (const text of texts) {
      const { terms } = parseFilter(text);
      const backward = [...terms].reverse().map(printTerm).join(' ');
      for (const one of rows) {
        expect(holds(backward, one), text).toBe(holds(terms.map(printTerm).join(' '), one));
      }
    }
  });
  it('narrows by each further term, and a term and its exclusion never hold together', () => {
    for (const text of texts) {
      const [term] = parseFilter(text).terms;
      if (term === undefined) continue;
      const plain = printTerm({ ...term, exclude: false });
      const not = printTerm({ ...term, exclude: true });
      const narrows = !compileFilter(plain, schema).all;
      for (const one of rows) {
        if (!holds(`kind:Pod ${plain}`, one)) continue;
        expect(holds('kind:Pod', one)).toBe(true);
        expect(holds(plain, one)).toBe(true);
        if (narrows) expect(holds(not, one), plain).toBe(false);
      }
    }
  });
  it('finds any row by any piece of its name, quoted or not', () => {
    for (const one of rows) {
      for (let from = 0; from < one.name.length; from += 1) {
        const piece = one.name.slice(from, from + 3);
        expect(holds(printValue(piece), one), JSON.stringify(piece)).toBe(true);
        expect(holds(`name:${printValue(piece)}`, one), JSON.stringify(piece)).toBe(true);
      }
    }
  });
});

describe('[F6] marks', () => {
  it('cuts a text where the words are, joins what overlaps and keeps every character', () => {
    expect(markWords('shop/orders-db', ['orders', 'shop'])).toEqual([
      { text: 'shop', hit: true },
      { text: '/', hit: false },
      { text: 'orders', hit: true },
      { text: '-db', hit: false },
    ]);
    expect(markWords('aaab', ['aa'])).toEqual([
      { text: 'aaa', hit: true },
      { text: 'b', hit: false },
    ]);
    expect(markWords('İx', ['x'])).toEqual([{ text: 'İx', hit: false }]);
    expect(markWords('', ['x'])).toEqual([]);
  });
  it('marks what a filter looked for, not what it left out', () => {
    expect(compileFilter('orders -pod kind:Database failures>3', schema).words).toEqual([
      'orders',
      'database',
    ]);
  });
});

/** mulberry32: the same walk in every run. */
function seeded(seed: number): () => number {
  let a = seed;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
