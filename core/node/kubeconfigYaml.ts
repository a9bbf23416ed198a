/** YAML of a kubeconfig to plain values with their lines. Numbers stay as written: names and passwords may look like one. */
import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { err, ok, type Result } from '../../shared/base/result.ts';

export interface YamlText {
  readonly value: unknown;
  /** Line of the value at `path`, from 1; that of the nearest parent where there is none. */
  lineOf(path: readonly (string | number)[]): number;
}

/** The first thing wrong with the text, in words, and its line. Never quotes the text: it may be a credential. */
export interface YamlProblem {
  readonly message: string;
  readonly line: number;
}

export function readYaml(text: string): Result<YamlText, YamlProblem> {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
  const problem = document.errors[0];
  if (problem !== undefined) {
    return err({ message: problemText(problem.code), line: Math.max(1, lines.linePos(problem.pos[0]).line) });
  }
  const root = document.contents;
  return ok({
    value: root === null ? null : plain(root, new Set()),
    lineOf(path) {
      for (let depth = path.length; depth >= 0; depth--) {
        const node = depth === 0 ? root : document.getIn(path.slice(0, depth), true);
        const at = rangeStart(node);
        if (at !== undefined) return lines.linePos(at).line;
      }
      return 1;
    },
  });

  function plain(node: Node | null, seen: ReadonlySet<Node>): unknown {
    if (node === null) return null;
    if (isAlias(node)) {
      const target = node.resolve(document);
      return target === undefined || seen.has(target) ? null : plain(target, seen);
    }
    if (isScalar(node)) {
      if (typeof node.value === 'number' || typeof node.value === 'bigint')
        return node.source ?? String(node.value);
      return node.value;
    }
    const inside = new Set([...seen, node]);
    if (isSeq(node)) return node.items.map((item) => plain(item as Node | null, inside));
    if (isMap(node)) {
      const entries = node.items.map((pair): [string, unknown] => [
        String(isScalar(pair.key) ? (pair.key.source ?? pair.key.value) : pair.key),
        plain(pair.value as Node | null, inside),
      ]);
      return Object.fromEntries(entries);
    }
    return null;
  }
}

function rangeStart(node: unknown): number | undefined {
  if (typeof node !== 'object' || node === null || !('range' in node)) return undefined;
  return Array.isArray(node.range) && typeof node.range[0] === 'number' ? node.range[0] : undefined;
}

function problemText(code: string): string {
  switch (code) {
    case 'TAB_AS_INDENT':
      return 'a tab indents this line; YAML wants spaces';
    case 'BAD_INDENT':
      return 'the indentation is wrong';
    case 'MULTIPLE_DOCS':
      return 'a second document begins here; a kubeconfig is one document';
    case 'MISSING_CHAR':
    case 'UNEXPECTED_TOKEN':
    case 'MULTILINE_IMPLICIT_KEY':
    case 'BLOCK_AS_IMPLICIT_KEY':
      return 'this is not YAML: a quote, bracket, colon or key is out of place';
    default:
      return `this is not YAML (${code.toLowerCase().replaceAll('_', ' ')})`;
  }
}
