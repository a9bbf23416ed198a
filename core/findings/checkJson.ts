/** The answer of `loopscope check --json`, live and for a folder alike (design, section 6). */
import type { Finding, Fix, NotEvaluated } from '../../shared/model/finding.ts';

export interface CheckJson {
  readonly format: 1;
  readonly asOf: string;
  readonly findings: readonly CheckJsonFinding[];
  readonly notEvaluated: readonly NotEvaluated[];
}

export interface CheckJsonFinding {
  readonly rule: string;
  readonly severity: Finding['severity'];
  readonly subject: string;
  readonly title: string;
  readonly why: string;
  readonly basis: 'observed' | 'reported' | 'inferred';
  readonly fix: Fix;
  /** `file` and `line` in a folder; `record` is the number of a session's record. */
  readonly evidence: readonly {
    readonly file?: string;
    readonly line?: number;
    readonly record?: number;
    readonly at?: string;
    readonly text: string;
  }[];
}

/** Open findings only. `asOf` is RFC 3339. */
export function checkJson(result: {
  readonly asOf: string;
  readonly findings: readonly Finding[];
  readonly notEvaluated: readonly NotEvaluated[];
}): CheckJson {
  return {
    format: 1,
    asOf: result.asOf,
    findings: result.findings
      .filter((finding) => finding.closedAt === undefined)
      .map(({ rule, severity, subject, title, why, basis, fix, evidence }) => ({
        rule,
        severity,
        subject,
        title,
        why,
        basis: basis.kind,
        fix,
        evidence: evidence.map(({ file, line, seq, at, text }) => ({
          ...(file === undefined ? {} : { file }),
          ...(line === undefined ? {} : { line }),
          ...(seq === undefined ? {} : { record: seq }),
          ...(at === undefined ? {} : { at }),
          text,
        })),
      })),
    notEvaluated: result.notEvaluated,
  };
}
