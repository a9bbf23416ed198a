/** The YAML library's part of reading `loopscope.yaml`: the value, and the line of a field for the sentence of an error. */
import { isAlias, isMap, isNode, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { err, ok } from '../../shared/base/result.ts';
import type { FieldPath, ParseYaml } from '../profile/load.ts';

/** One YAML (or JSON) document. Never throws; a syntax error has its line. */
export const parseProfileYaml: ParseYaml = (text) => {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [problem] = document.errors;
  if (problem !== undefined) {
    const { line } = lines.linePos(problem.pos[0]);
    return err({ message: `not valid YAML: ${problem.message.split('\n')[0] ?? ''}`, line });
  }
  return ok({
    value: document.toJS({ maxAliasCount: 100 }) as unknown,
    lineOf(path) {
      const offset = offsetOf(document.contents, path);
      return offset === undefined ? undefined : lines.linePos(offset).line;
    },
  });
};

/** Where the field begins, or the nearest field above it that is there. */
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
