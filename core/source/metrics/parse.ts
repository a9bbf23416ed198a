/**
 * Prometheus text format (version 0.0.4, and OpenMetrics as far as they agree) to samples. Tolerant: a line that is no
 * sample is counted and skipped, never the scrape. Source: prometheus docs, exposition_formats.md. Spec: docs/spec/feeds.md
 */
export interface MetricSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** NaN and ±Infinity as they are. */
  readonly value: number;
}

export interface ParsedMetrics {
  readonly samples: readonly MetricSample[];
  /** Lines that are neither sample, comment nor empty. */
  readonly unparsed: number;
}

/** `keep`: names wanted; others are passed over before their labels are read. Default: all. */
export function parseMetrics(text: string, keep: (name: string) => boolean = () => true): ParsedMetrics {
  const samples: MetricSample[] = [];
  let unparsed = 0;
  let start = 0;
  while (start < text.length) {
    let end = text.indexOf('\n', start);
    if (end < 0) end = text.length;
    const line = text.slice(start, end).trim();
    start = end + 1;
    if (line === '' || line.startsWith('#')) continue;
    const name = /^[a-zA-Z_:][a-zA-Z0-9_:]*/.exec(line)?.[0];
    if (name !== undefined && !keep(name)) continue;
    const sample = name === undefined ? undefined : parseSample(line, name);
    if (sample === undefined) unparsed++;
    else samples.push(sample);
  }
  return { samples, unparsed };
}

function parseSample(line: string, name: string): MetricSample | undefined {
  let at = name.length;
  while (line[at] === ' ' || line[at] === '\t') at++;
  let labels: Record<string, string> = {};
  if (line[at] === '{') {
    const parsed = parseLabels(line, at + 1);
    if (parsed === undefined) return undefined;
    labels = parsed.labels;
    at = parsed.end;
  } else if (at === name.length) return undefined;
  const [word] = line.slice(at).trim().split(/\s+/);
  const value = numberOf(word ?? '');
  return value === undefined ? undefined : { name, labels, value };
}

/** Labels from after `{` on; `end` is after `}`. Undefined when they are not well formed. */
function parseLabels(
  line: string,
  from: number,
): { readonly labels: Record<string, string>; readonly end: number } | undefined {
  const labels: Record<string, string> = {};
  let at = from;
  for (;;) {
    while (line[at] === ' ' || line[at] === ',') at++;
    if (line[at] === '}') return { labels, end: at + 1 };
    const equals = line.indexOf('="', at);
    if (equals < 0) return undefined;
    const label = line.slice(at, equals).trim();
    if (!/^[a-zA-Z_][a-zA-Z0-9_]*$/.test(label)) return undefined;
    let value = '';
    at = equals + 2;
    while (line[at] !== '"') {
      const char = line[at];
      if (char === undefined) return undefined;
      if (char === '\\') {
        const escaped = line[at + 1];
        value += escaped === 'n' ? '\n' : (escaped ?? '');
        at += 2;
      } else {
        value += char;
        at++;
      }
    }
    labels[label] = value;
    at++;
  }
}

function numberOf(word: string): number | undefined {
  if (word === '+Inf' || word === 'Inf') return Number.POSITIVE_INFINITY;
  if (word === '-Inf') return Number.NEGATIVE_INFINITY;
  if (word === 'NaN') return Number.NaN;
  if (!/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(word)) return undefined;
  return Number(word);
}
