/**
 * Draws states that only a pointer or a key can bring about: every rule of the page for `:hover`, `:focus-visible` and
 * `:active` is said again for a class. So a sample shows what the widget's own rules say, and cannot lie about it.
 */
const classes = { ':hover': 'asHover', ':focus-visible': 'asFocus', ':active': 'asActive' } as const;
export const forcedClass = { hover: 'asHover', focus: 'asFocus', active: 'asActive' } as const;

/** Adds the rules once; those of style sheets that come later are missed. */
export function addForcedRules(): void {
  const rules: string[] = [];
  for (const sheet of document.styleSheets) collect(sheet.cssRules, rules);
  const style = document.createElement('style');
  style.textContent = rules.join('\n');
  document.head.append(style);
}

function collect(list: CSSRuleList, rules: string[]): void {
  for (const rule of list) {
    if (!(rule instanceof CSSStyleRule)) continue;
    const selector = forcedSelector(rule.selectorText);
    if (selector !== undefined) rules.push(`${selector} { ${rule.style.cssText} }`);
  }
}

/** The selector with classes in place of states; undefined when it names none of them. */
export function forcedSelector(selector: string): string | undefined {
  let forced = selector.replaceAll(':focus-within', ':has(.asFocus)').replace(/:focus(?![\w-])/g, '.asFocus');
  for (const [state, name] of Object.entries(classes)) forced = forced.replaceAll(state, `.${name}`);
  return forced === selector ? undefined : forced;
}
