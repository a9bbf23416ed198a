/** Rules as YAML, in the short flow form that people write in role manifests. */

/** What a new rule says; empty lists are left out. */
export interface NewRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** The lines of one rule as an item of a `rules` list, without indentation of its own. */
export function ruleLines(rule: NewRule): readonly string[] {
  const fields = [
    `apiGroups: ${flowList(rule.apiGroups)}`,
    `resources: ${flowList(rule.resources)}`,
    ...(rule.resourceNames && rule.resourceNames.length > 0
      ? [`resourceNames: ${flowList(rule.resourceNames)}`]
      : []),
    `verbs: ${flowList(rule.verbs)}`,
  ];
  return fields.map((field, index) => `${index === 0 ? '- ' : '  '}${field}`);
}

export function flowList(values: readonly string[]): string {
  return `[${values.map(scalar).join(', ')}]`;
}

/** Plain where every YAML version reads it as that text, else single quoted. */
export function scalar(value: string): string {
  const plain =
    /^[A-Za-z][\w./-]*(:[\w./-]+)*$/.test(value) && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(value);
  return plain ? value : `'${value.replaceAll("'", "''")}'`;
}
