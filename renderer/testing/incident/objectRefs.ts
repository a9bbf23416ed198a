import type { ObjectRefView } from '../../../shared/contract/views/objects.ts';

/** An object key in its parts. */
export function objects(key: string): ObjectRefView {
  const [group = '', kind = '', namespace = '', name = ''] = key.split('/');
  return { key, group, kind, namespace, name };
}
