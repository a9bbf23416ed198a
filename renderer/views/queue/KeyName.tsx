import { type ReactNode, useCallback, useRef } from 'react';
import { useTableOf } from '../../client/useEngine.tsx';
import { useController } from '../../state/useOperator.ts';
import { useWindowStore } from '../../state/useWindow.tsx';
import { openObject } from '../../state/windowState.ts';

/** `shop/orders-db`, the namespace quieter. */
export function KeyName({ name }: { readonly name: string }): ReactNode {
  const slash = name.indexOf('/');
  return (
    <span title={name}>
      {slash > 0 && <span className="tertiary">{name.slice(0, slash + 1)}</span>}
      <span className="objectShort">{name.slice(slash + 1)}</span>
    </span>
  );
}

/** Opens the History of the object behind a key of the chosen controller; keys without an object do nothing. */
export function useOpenKey(): (key: string) => void {
  const store = useWindowStore();
  const controller = useController();
  const rows = useTableOf(
    'keys',
    controller === undefined ? undefined : { controller: controller.name },
    (s) => s.rows,
  );
  const latest = useRef(rows);
  latest.current = rows;
  // The same function whatever the keys tell: columns are made with it.
  return useCallback(
    (key) => {
      const row = latest.current.find((candidate) => candidate.key === key);
      if (row !== undefined) openObject(store, row.object);
    },
    [store],
  );
}
