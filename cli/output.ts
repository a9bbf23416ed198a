/** What commands print: text for people, the JSON document of the design (section 6) for programs. */
import { findingRules } from '../core/findings/registry.ts';
import type { Finding, NotEvaluated, Severity } from '../shared/model/finding.ts';

export interface Report {
  /** RFC 3339. */
  readonly asOf: string;
  readonly findings: readonly Finding[];
  readonly notEvaluated: readonly NotEvaluated[];
}

/** `rule` of an entry in notEvaluated that concerns all rules: something they would have read is missing. */
export const everyRule = '*';

/** One JSON document, with a newline at its end. Findings that were closed meanwhile are left out. */
export function reportJson(report: Report): string {
  const findings = openFindings(report).map((finding) => ({
    rule: finding.rule,
    severity: finding.severity,
    subject: finding.subject,
    title: finding.title,
    why: finding.why,
    basis: finding.basis.kind,
    fix: finding.fix,
    evidence: finding.evidence.map(({ file, line, at, text }) => ({
      ...(file === undefined ? {} : { file }),
      ...(line === undefined ? {} : { line }),
      ...(at === undefined ? {} : { at }),
      text,
    })),
  }));
  const document = { format: 1, asOf: report.asOf, findings, notEvaluated: report.notEvaluated };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

const rank: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2 };

function openFindings(report: Report): Finding[] {
  return report.findings
    .filter((finding) => finding.closedAt === undefined)
    .sort((a, b) => rank[a.severity] - rank[b.severity]);
}

export interface Style {
  readonly colour: boolean;
}

/** Colour for a terminal, unless NO_COLOR or a dumb terminal says otherwise. */
export function styleFor(
  stream: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): Style {
  const wanted = (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb';
  return { colour: stream.isTTY === true && wanted };
}

const glyphs: Readonly<Record<Severity, string>> = { error: '✖', warning: '▲', info: '●' };
const colours: Readonly<Record<Severity, number>> = { error: 31, warning: 33, info: 36 };
/** Evidence lines shown for one finding; the rest is counted. */
const evidenceShown = 4;
const textWidth = 110;

/** For people. Ends with a newline. */
export function reportText(report: Report, style: Style): string {
  const findings = openFindings(report);
  const lines: string[] = [];
  for (const finding of findings) lines.push(...findingLines(finding, style), '');
  if (report.notEvaluated.length > 0) {
    lines.push(bold('Not evaluated', style));
    for (const { rule, reason, permission } of report.notEvaluated) {
      lines.push(`  ? ${rule === everyRule ? 'all rules' : clean(rule)}: ${clean(reason)}`);
      if (permission !== undefined) lines.push(`    would need: ${clean(permission)}`);
    }
    lines.push('');
  }
  lines.push(countLine(report, findings));
  return `${lines.join('\n')}\n`;
}

function findingLines(finding: Finding, style: Style): string[] {
  const mark = paint(`${glyphs[finding.severity]} ${finding.severity}`, colours[finding.severity], style);
  const lines = [
    `${mark}  ${bold(clean(finding.subject), style)}  ${dim(finding.rule, style)}`,
    `  ${clean(finding.title)}`,
    ...wrap(finding.why, textWidth).map((line) => `  ${line}`),
    `  ${dim(basisText(finding), style)}`,
  ];
  const shown = finding.evidence.slice(0, evidenceShown);
  for (const evidence of shown) {
    const place =
      evidence.file === undefined
        ? (evidence.at ?? '')
        : `${evidence.file}${evidence.line === undefined ? '' : `:${evidence.line}`}`;
    lines.push(`    ${dim(clean(place), style)}${place === '' ? '' : '  '}${cut(clean(evidence.text), 160)}`);
  }
  const more = finding.evidence.length - shown.length;
  if (more > 0) lines.push(`    ${dim(`and ${more} more`, style)}`);
  const [first = '', ...rest] = wrap(finding.fix.text, textWidth - 5);
  lines.push(`  ${bold('Fix', style)}  ${first}`, ...rest.map((line) => `       ${line}`));
  if (finding.fix.patch !== undefined) lines.push(...indent(finding.fix.patch, 6));
  if (finding.fix.marker !== undefined) lines.push(...indent(finding.fix.marker, 6));
  return lines;
}

function basisText(finding: Finding): string {
  switch (finding.basis.kind) {
    case 'observed':
      return `observed (${finding.basis.from})`;
    case 'reported':
      return `reported by the operator (${finding.basis.from})`;
    case 'inferred':
      return 'inferred: concluded, not seen';
  }
}

function countLine(report: Report, findings: readonly Finding[]): string {
  const count = (severity: Severity, one: string, many: string) => {
    const number = findings.filter((finding) => finding.severity === severity).length;
    return number === 0 ? [] : [`${number} ${number === 1 ? one : many}`];
  };
  const parts = [
    ...count('error', 'error', 'errors'),
    ...count('warning', 'warning', 'warnings'),
    ...count('info', 'note', 'notes'),
  ];
  const found = parts.length === 0 ? 'Nothing found' : parts.join(', ');
  const open = report.notEvaluated.length;
  const line = `${found}${open === 0 ? '' : `, ${open} not evaluated`}, as of ${clean(report.asOf)}.`;
  return findings.length === 0 ? `${line} ${rulesText()}` : line;
}

/** Nothing found means little without what was looked for: an operator whose every reconcile fails may pass. */
function rulesText(): string {
  const ids = findingRules.map(({ id }) => id);
  return `${ids.length} ${ids.length === 1 ? 'rule' : 'rules'} judged: ${ids.join(', ')}.`;
}

function indent(text: string, by: number): string[] {
  return text
    .replace(/\n+$/, '')
    .split('\n')
    .map((line) => `${' '.repeat(by)}${clean(line)}`);
}

/** Control characters and direction marks of logs and objects must not reach a terminal. */
export function clean(text: string): string {
  let result = '';
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    if (char === '\n' || char === '\t') result += ' ';
    else result += isUnsafe(code) ? '�' : char;
  }
  return result;
}

function isUnsafe(code: number): boolean {
  const control = code < 0x20 || (code >= 0x7f && code <= 0x9f);
  const direction = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
  return control || direction;
}

/** At spaces, at most `width` characters a line; a longer word stays whole. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of clean(text).split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

function cut(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

function paint(text: string, code: number, style: Style): string {
  return style.colour ? `\u001b[${code}m${text}\u001b[0m` : text;
}

function bold(text: string, style: Style): string {
  return paint(text, 1, style);
}

function dim(text: string, style: Style): string {
  return paint(text, 2, style);
}
