/**
 * Lines of the logs of a case folder as records of feeds. A line happened when it says, as exactly as it says; one that
 * states no time (a stack trace, a broken line) stands where the line before it does.
 */
import type { SourceId } from '../../shared/model/ids.ts';
import type { RecordInput, TimeInterval } from '../session/record.ts';
import { parseAuditLine } from '../source/audit/auditEntry.ts';
import type { CaseFile, CaseProblem } from '../source/caseFolder/caseFiles.ts';
import { createLineJoiner } from '../source/log/joinLines.ts';
import { parseLogLine } from '../source/log/logEntry.ts';

export interface TimedLine {
  readonly text: string;
  /** As the line states it. */
  readonly at: TimeInterval | undefined;
}

/** Every line of a log, blank ones too; one that came in pieces, or holds a value over several lines, is one. */
export function timedLog(file: CaseFile, nearMs: number | undefined): readonly TimedLine[] {
  const options = nearMs === undefined ? {} : { nearMs };
  const joiner = createLineJoiner<undefined>({ fold: false });
  const joined = linesIn(file.text).flatMap((text) => joiner.push(text, undefined));
  return [...joined, ...joiner.flush()].map(({ text }) => ({ text, at: parseLogLine(text, options).at }));
}

/** Every line of an audit file; what is none is told in `problems`. */
export function timedAudit(file: CaseFile, problems: CaseProblem[]): readonly TimedLine[] {
  return linesIn(file.text).map((text, index) => {
    if (text.trim() === '') return { text, at: undefined };
    const parsed = parseAuditLine(text);
    if (!parsed.ok) {
      problems.push({ file: file.name, line: index + 1, text: parsed.error });
      return { text, at: undefined };
    }
    const times = parsed.value.map(({ at }) => at);
    return {
      text,
      at: {
        lo: Math.min(...times.map(({ lo }) => lo)),
        hi: Math.max(...times.map(({ hi }) => hi)),
      },
    };
  });
}

export interface FolderSpan {
  readonly from: number;
  readonly asOf: number;
  /** What happened later is not of this folder, ms. */
  readonly until: number;
}

/** `receivedAt` of a line is the latest that it can have been written, and never before the line above it was. */
export function folderFeed(
  kind: 'log' | 'audit' | 'metrics',
  source: SourceId,
  lines: readonly TimedLine[],
  { from, asOf, until }: FolderSpan,
): readonly RecordInput[] {
  const records: RecordInput[] = [];
  let at = lines.find((line) => line.at !== undefined)?.at ?? { lo: from, hi: asOf };
  let receivedAt = from;
  for (const line of lines) {
    at = line.at ?? at;
    if (at.lo > until) continue;
    receivedAt = Math.max(receivedAt, Math.min(at.hi, asOf));
    records.push({ kind, source, at, receivedAt, payload: line.text });
  }
  return records;
}

function linesIn(text: string): readonly string[] {
  const lines = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
