/**
 * The items of a list's JSON text, each with its own text: parsed once as a whole, then cut by one scan, so that what is
 * recorded is what came and nothing is printed anew. Pure.
 */
import type { KubeObject } from '../../../shared/model/kube.ts';

export interface ListText {
  readonly resourceVersion: string;
  readonly continueToken: string;
  readonly remainingItemCount: number | undefined;
  readonly items: readonly { readonly raw: string; readonly object: KubeObject }[];
}

export interface TypeOfItems {
  readonly apiVersion: string;
  readonly kind: string;
}

/**
 * undefined: the text is no Kubernetes list. Items of built-in kinds carry neither apiVersion nor kind in a list: both
 * are put in front, so that an item reads the same as in a watch.
 */
export function parseListText(text: string, type: TypeOfItems): ListText | undefined {
  let list: ParsedList;
  try {
    list = JSON.parse(text) as ParsedList;
  } catch {
    return undefined;
  }
  if (typeof list !== 'object' || list === null || !('metadata' in list)) return undefined;
  const objects = list.items ?? [];
  if (!Array.isArray(objects)) return undefined;
  const raws = cutItems(text, objects.length);
  const head = `{"apiVersion":${JSON.stringify(type.apiVersion)},"kind":${JSON.stringify(type.kind)}`;
  const items = objects.map((object, index) => {
    const raw = raws?.[index] ?? JSON.stringify(object);
    if (typeof object?.kind === 'string' && object.kind !== '') return { raw, object };
    const separator = raw === '{}' ? '' : ',';
    return { raw: `${head}${separator}${raw.slice(1)}`, object: { ...object, ...type } };
  });
  const { resourceVersion = '', continue: continueToken = '', remainingItemCount } = list.metadata ?? {};
  return { resourceVersion, continueToken, remainingItemCount, items };
}

interface ParsedList {
  readonly metadata?: {
    readonly resourceVersion?: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
  readonly items?: readonly KubeObject[] | null;
}

const quote = 34;
const backslash = 92;
const openBrace = 123;
const closeBrace = 125;
const openBracket = 91;
const closeBracket = 93;

/** The texts of the `count` elements of the outermost member `items`; undefined where the scan finds anything else. */
function cutItems(text: string, count: number): string[] | undefined {
  if (count === 0) return [];
  const start = findItems(text);
  if (start < 0) return undefined;
  const raws: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code === openBrace || code === openBracket) {
      if (depth === 0) from = at;
      depth++;
    } else if (code === closeBrace || code === closeBracket) {
      if (depth === 0) break;
      depth--;
      if (depth === 0) raws.push(text.slice(from, at + 1));
    }
  }
  return raws.length === count ? raws : undefined;
}

/** Index behind the bracket that opens the list's own `items`; -1 when there is none. */
function findItems(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      const end = endOfString(text, at);
      if (depth === 1 && end - at === 6 && text.startsWith('items', at + 1)) {
        const value = /^\s*:\s*\[/.exec(text.slice(end + 1, end + 40));
        if (value !== null) return end + 1 + value[0].length;
      }
      at = end;
    } else if (code === openBrace || code === openBracket) depth++;
    else if (code === closeBrace || code === closeBracket) depth--;
  }
  return -1;
}

/** Index of the quote that closes the string opened at `from`. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === backslash) at++;
    else if (code === quote) return at;
  }
  return text.length;
}
