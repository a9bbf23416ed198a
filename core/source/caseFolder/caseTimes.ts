/** Times that the names and the small files of a case folder state. */
import type { CaseFile, CaseProblem } from './caseFiles.ts';

/** The moment of judgement, ms: an RFC 3339 time. Anything else is a problem, and undefined. */
export function readAsOf(file: CaseFile | undefined, problems: CaseProblem[]): number | undefined {
  if (file === undefined) return undefined;
  const text = file.text.trim();
  // Date.parse takes much else for a time: "5" would be a day of 2001.
  const ms = /^\d{4}-\d\d-\d\dT/i.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(ms)) return ms;
  problems.push({
    file: file.name,
    line: 1,
    text: 'no RFC 3339 time; the newest time found is used instead',
  });
  return undefined;
}

/** `metrics-20261130T073250Z.txt` says when it was scraped, ms. */
export function nameTime(file: Pick<CaseFile, 'name'>): number | undefined {
  const match = /^metrics-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.txt$/.exec(file.name);
  if (match === null) return undefined;
  const [year = 0, month = 1, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1).map(Number);
  return Date.UTC(year, month - 1, day, hour, minute, second);
}
