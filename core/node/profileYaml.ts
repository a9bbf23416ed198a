/** The YAML library's part of reading `loopscope.yaml`: the value, and the line of a field for the sentence of an error. */
import { isAlias, isMap, isNode, isSeq, LineCounter, type Node, parse, parseDocument } from 'yaml';
import type { FieldPath } from '../profile/load.ts';

/** One YAML (or JSON) document. Throws the library's error, which carries the line, for what is no YAML. */
export function parseProfileYaml(text: string): unknown {
  return parse(text, { maxAliasCount: 100 });
}

/** Line (from 1) where the field begins, or the nearest field above it that is there. Undefined for an empty text. */
export function lineOfField(text: string, path: FieldPath): number | undefined {
  const lines = new LineCounter();
  const { contents } = parseDocument(text, { lineCounter: lines });
  const offset = offsetOf(contents, path);
  return offset === undefined ? undefined : lines.linePos(offset).line;
}

function offsetOf(root: unknown, path: FieldPath): number | undefined {
  let node: Node | undefined = isNode(root) ? root : undefined;
  let offset = node?.range?.[0];
  for (const part of path) {
    if (node === undefined || isAlias(node)) break;
    let next: unknown;
    if (isMap(node)) {
      const pair = node.items.find((item) => String(item.key) === String(part));
      if (pair === undefined) break;
      if (isNode(pair.key)) offset = pair.key.range?.[0] ?? offset;
      next = pair.value;
    } else if (isSeq(node)) {
      next = node.items[Number(part)];
      if (isNode(next)) offset = next.range?.[0] ?? offset;
    } else break;
    node = isNode(next) ? next : undefined;
  }
  return offset;
}
