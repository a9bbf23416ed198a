/** Whether we may read a kind: what is not there then is not evaluated, never "none". */
import { useTableOf } from '../client/useEngine.tsx';

/** True when the watch of `kind` (`databases.db.example.com`, as profiles name it) was refused. */
export function useForbidden(kind: string): boolean {
  return useTableOf('informers', {}, ({ rows }) =>
    rows.some(
      (row) =>
        row.state === 'forbidden' &&
        (row.group === '' ? row.resource : `${row.resource}.${row.group}`) === kind,
    ),
  );
}
