/** What `loopscope rbac` prints: gaps first, each with the rule that would close it, then what is used and what never was. */

import { assertNever } from '../shared/base/assert.ts';
import {
  type PolicyRule,
  type RbacLens,
  type RbacRef,
  type RbacRow,
  type RbacStep,
  rbacVerbs,
} from '../shared/model/rbac.ts';
import { tableLines } from './columns.ts';
import { clean } from './output.ts';
import { isoTime } from './traceJson.ts';

/** One JSON document with a newline at its end: the lens as the window has it. */
export function rbacJson(lens: RbacLens, operator: string, asOf: number): string {
  return `${JSON.stringify({ format: 1, asOf: isoTime(asOf), operator, lens }, undefined, 2)}\n`;
}

/** `width`: characters of the terminal; undefined: nothing is cut. Ends with a newline. */
export function rbacText(lens: RbacLens, width?: number): string {
  const gaps = lens.rows.filter(({ group }) => group === 'gap');
  const rest = lens.rows.filter(({ group }) => group !== 'gap');
  const lines = [
    `${lens.identity.user}: ${count(lens.rules, 'rule')} of ${count(lens.roles, 'role')} by ${count(lens.bindings, 'binding')}`,
    ...(lens.unreadable.length === 0
      ? []
      : [`Not evaluated: ${lens.unreadable.join(', ')} could not be read, so what is granted is not known.`]),
    '',
    ...gaps.flatMap((row) => [...gapLines(row), '']),
    ...(rest.length === 0 ? [] : [...restLines(rest, width), '']),
    gaps.length === 0
      ? `No gap: ${lens.covered} of ${lens.needed} needs are granted.`
      : `${count(gaps.length, 'gap')}: ${lens.covered} of ${lens.needed} needs are granted.`,
  ];
  return `${lines.map((line) => clean(line)).join('\n')}\n`;
}

function gapLines(row: RbacRow): readonly string[] {
  const { gap } = row;
  if (gap === undefined) return [`✖ ${resourceText(row)}`];
  const seen =
    gap.refusals === 0
      ? 'needed, not tried yet'
      : `refused ${gap.refusals === 1 ? 'once' : `${gap.refusals} times`}${gap.lastRefusedAt === undefined ? '' : `, last at ${gap.lastRefusedAt}`}`;
  return [
    `✖ ${gap.verbs.join(', ')} ${resourceText(row)} ${scopeText(row)}: ${seen}`,
    ...gap.steps.map((step) => `    ${stepText(step)}`),
    ...gap.patch.yaml
      .replace(/\n+$/, '')
      .split('\n')
      .map((line) => `      ${line}`),
    `      ${gap.marker}`,
  ];
}

function stepText(step: RbacStep): string {
  switch (step.kind) {
    case 'reach':
      return `${count(step.rules, 'rule')} reach it through ${count(step.clusterRoleBindings, 'ClusterRoleBinding')} and ${count(step.roleBindings, 'RoleBinding')}`;
    case 'missingRole':
      return `${refText(step.binding)} names ${refText(step.role)}, which does not exist`;
    case 'nearest':
      return `nearest: ${refText(step.path.role)} rule #${step.path.ruleIndex + 1} (${step.verbs.join(', ')} ${step.resource}), which lacks the ${step.lacks}`;
    case 'noRule':
      return `no rule names ${step.resources.join(', ')} in ${step.apiGroup === '' ? 'the core group' : step.apiGroup}`;
    default:
      return assertNever(step);
  }
}

function restLines(rows: readonly RbacRow[], width: number | undefined): readonly string[] {
  const columns = [
    { title: 'GRANTED' },
    { title: 'RESOURCE', least: 20 },
    { title: 'SCOPE', least: 10 },
    { title: 'VERBS', least: 12 },
    { title: 'BY', least: 12 },
  ];
  return tableLines(
    columns,
    rows.map((row) => [
      row.group === 'used' ? '✓ used' : '– never seen in use',
      `${resourceText(row)}${row.broad ? ' (broad)' : ''}`,
      row.scope === '' ? 'everywhere' : row.scope,
      verbsOf(row),
      row.grants[0] === undefined ? '' : refText(row.grants[0].role),
    ]),
    width,
  );
}

/** In column order; `*` where a rule grants all. */
function verbsOf({ cells, grants }: RbacRow): string {
  if (grants.some(({ rule }: { readonly rule: PolicyRule }) => rule.verbs.includes('*'))) return '*';
  const granted = Object.entries(cells).filter(
    ([, state]) => state === 'grantedUsed' || state === 'grantedNotSeen',
  );
  const order: readonly string[] = rbacVerbs;
  const place = (verb: string) => (order.includes(verb) ? order.indexOf(verb) : order.length);
  return granted
    .map(([verb]) => verb)
    .sort((a, b) => place(a) - place(b))
    .join(',');
}

function resourceText({ apiGroup, resource, subresource, resourceNames }: RbacRow): string {
  const name = subresource === '' ? resource : `${resource}/${subresource}`;
  const group = apiGroup === '' ? name : `${name}.${apiGroup}`;
  return resourceNames.length === 0 ? group : `${group} (${resourceNames.join(', ')})`;
}

function scopeText({ scope }: RbacRow): string {
  return scope === '' ? 'everywhere' : `in ${scope}`;
}

function refText({ kind, namespace, name }: RbacRef): string {
  return `${kind} ${namespace === '' ? name : `${namespace}/${name}`}`;
}

function count(number: number, word: string): string {
  return number === 1 ? `1 ${word}` : `${number} ${word}s`;
}
