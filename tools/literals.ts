/**
 * Finds words on screen that do not come from the catalogue: text between tags, text in attributes that people read or
 * hear, and words put around a message. Parses with Vite's parser (TypeScript 7 has no API).
 */
import { parseSync } from 'vite';

export interface Literal {
  readonly line: number;
  readonly text: string;
  readonly why: 'text' | 'attribute' | 'glued';
}

/** Attributes whose text is seen or read out. */
const read = new Set([
  'label',
  'title',
  'placeholder',
  'aria-label',
  'alt',
  'text',
  'unavailable',
  'aria-description',
]);

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [field: string]: unknown;
}

/** Literals of one file, in its order. `path` tells the parser whether there is JSX. */
export function findLiterals(path: string, source: string): readonly Literal[] {
  const found: Literal[] = [];
  const { program } = parseSync(path, source);
  function add(node: Node, text: string, why: Literal['why']): void {
    if (isWords(text))
      found.push({ line: source.slice(0, node.start).split('\n').length, text: text.trim(), why });
  }
  visit(program as unknown as Node, (node) => {
    if (node.type === 'JSXText') add(node, String(node.value), 'text');
    if (node.type === 'JSXExpressionContainer') {
      const inner = node.expression as Node;
      if (inner.type === 'Literal' && typeof inner.value === 'string') add(inner, inner.value, 'text');
    }
    if (node.type === 'JSXAttribute') {
      const name = (node.name as Node).name;
      const value = node.value as Node | null;
      if (typeof name === 'string' && read.has(name) && value?.type === 'Literal')
        add(value, String(value.value), 'attribute');
    }
    if (node.type === 'TemplateLiteral' && (node.expressions as readonly Node[]).some(isMessage)) {
      for (const quasi of node.quasis as readonly Node[])
        add(quasi, String((quasi.value as { readonly cooked?: string }).cooked ?? ''), 'glued');
    }
    if (node.type === 'BinaryExpression' && node.operator === '+') {
      const sides = [node.left, node.right] as readonly Node[];
      const other = sides.find((side) => side.type === 'Literal' && typeof side.value === 'string');
      if (other !== undefined && sides.some(isMessage)) add(other, String(other.value), 'glued');
    }
  });
  return found;
}

/** `t(…)` or `rich(…)`. */
function isMessage(node: Node): boolean {
  const callee = node.type === 'CallExpression' ? (node.callee as Node) : undefined;
  return callee?.type === 'Identifier' && (callee.name === 't' || callee.name === 'rich');
}

/** Two letters in a row, or a Han character: not a sign, a unit or a separator. */
function isWords(text: string): boolean {
  return /\p{L}{2,}|\p{Script=Han}/u.test(text.replace(/&\w+;/g, ''));
}

function visit(node: Node, see: (node: Node) => void): void {
  see(node);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child === 'object' && child !== null && typeof (child as Node).type === 'string')
        visit(child, see);
    }
  }
}
