/**
 * Label selectors, as objects carry them (`matchLabels`, `matchExpressions`) and as kubectl writes them.
 * Source: apimachinery pkg/apis/meta/v1/helpers.go (LabelSelectorAsSelector), pkg/labels/selector.go.
 */
import { err, ok, type Result } from '../../../shared/base/result.ts';

export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>> | null;
  readonly matchExpressions?:
    | readonly {
        readonly key: string;
        readonly operator: string;
        readonly values?: readonly string[] | null;
      }[]
    | null;
}

export type Labels = Readonly<Record<string, string>>;
export type LabelRequirement =
  | { readonly key: string; readonly operator: 'in' | 'notin'; readonly values: readonly string[] }
  | { readonly key: string; readonly operator: 'exists' | 'notexists' };

/** Tells whether `labels` satisfy a selector. */
export type LabelMatcher = (labels: Labels | null | undefined) => boolean;

/**
 * Compiles a selector object. No selector matches nothing, an empty one everything. An unknown operator, `In`/`NotIn`
 * without values or `Exists`/`DoesNotExist` with values is an error sentence.
 */
export function compileLabelSelector(
  selector: LabelSelector | null | undefined,
): Result<LabelMatcher, string> {
  if (selector === null || selector === undefined) return ok(() => false);
  const requirements: LabelRequirement[] = [];
  for (const [key, value] of Object.entries(selector.matchLabels ?? {}))
    requirements.push({ key, operator: 'in', values: [value] });
  for (const expression of selector.matchExpressions ?? []) {
    const parsed = requirement(expression.key, expression.operator, expression.values ?? []);
    if (!parsed.ok) return parsed;
    requirements.push(parsed.value);
  }
  return ok(matchAll(requirements));
}

/** Parses kubectl's text form, e.g. `app=x,tier notin (db)`, `!legacy`, `env`. A syntax error is a sentence. */
export function parseLabelSelector(text: string): Result<LabelMatcher, string> {
  const requirements: LabelRequirement[] = [];
  for (const part of splitTopLevel(text)) {
    const parsed = parseRequirement(part);
    if (!parsed.ok) return parsed;
    requirements.push(parsed.value);
  }
  return ok(matchAll(requirements));
}

function matchAll(requirements: readonly LabelRequirement[]): LabelMatcher {
  return (labels) => requirements.every((one) => matches(one, labels ?? {}));
}

function matches(one: LabelRequirement, labels: Labels): boolean {
  const value = Object.hasOwn(labels, one.key) ? labels[one.key] : undefined;
  switch (one.operator) {
    case 'in':
      return value !== undefined && one.values.includes(value);
    case 'notin':
      return value === undefined || !one.values.includes(value);
    case 'exists':
      return value !== undefined;
    case 'notexists':
      return value === undefined;
  }
}

function requirement(
  key: string,
  operator: string,
  values: readonly string[],
): Result<LabelRequirement, string> {
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length === 0) return err(`the selector on "${key}" uses ${operator} without values`);
      return ok({ key, operator: operator === 'In' ? 'in' : 'notin', values });
    case 'Exists':
    case 'DoesNotExist':
      if (values.length > 0) return err(`the selector on "${key}" uses ${operator} with values`);
      return ok({ key, operator: operator === 'Exists' ? 'exists' : 'notexists' });
    default:
      return err(`"${operator}" is not a label selector operator`);
  }
}

const keyPattern = '[A-Za-z0-9]([-A-Za-z0-9_./]*[A-Za-z0-9])?';
const setBased = new RegExp(`^(${keyPattern})\\s+(in|notin)\\s*\\(([^()]*)\\)$`);
const equality = new RegExp(`^(${keyPattern})\\s*(==|=|!=)\\s*([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$`);
const existence = new RegExp(`^(!?)\\s*(${keyPattern})$`);

function parseRequirement(part: string): Result<LabelRequirement, string> {
  const set = setBased.exec(part);
  if (set) {
    const values = (set[4] ?? '').split(',').map((value) => value.trim());
    return ok({ key: set[1] ?? '', operator: set[3] === 'in' ? 'in' : 'notin', values });
  }
  const equal = equality.exec(part);
  if (equal)
    return ok({
      key: equal[1] ?? '',
      operator: equal[3] === '!=' ? 'notin' : 'in',
      values: [equal[4] ?? ''],
    });
  const exists = existence.exec(part);
  if (exists) return ok({ key: exists[2] ?? '', operator: exists[1] === '!' ? 'notexists' : 'exists' });
  return err(`"${part}" is not a label requirement`);
}

function splitTopLevel(text: string): string[] {
  return text
    .split(/,(?![^(]*\))/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
