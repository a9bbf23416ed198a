/**
 * KeyParts: what a key is made of, taken apart once and not with every record of its object; facts of one object share
 * these words then.
 */
import { type ObjectKey, type ObjectKeyParts, parseObjectKey } from '../../shared/model/ids.ts';

const known = new Map<ObjectKey, ObjectKeyParts>();
/** Forgotten as a whole when there are more; that costs only time. */
const mostKnown = 20_000;

/** As parseObjectKey(). */
export function partsOfKey(key: ObjectKey): ObjectKeyParts {
  let parts = known.get(key);
  if (parts === undefined) {
    if (known.size >= mostKnown) known.clear();
    parts = parseObjectKey(key);
    known.set(key, parts);
  }
  return parts;
}
