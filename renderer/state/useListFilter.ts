import { useMemo, useRef } from 'react';
import { type CompiledFilter, compileFilter, type FilterSchema } from '../../shared/model/filter.ts';
import type { FilterFieldProps, FilterHandle } from '../widgets/FilterField.tsx';
import { useWindow, useWindowStore } from './useWindow.tsx';
import { useViewAction } from './viewActions.tsx';
import { setFilter } from './windowState.ts';

export interface ListFilter<T> extends CompiledFilter<T> {
  readonly text: string;
  readonly clear: () => void;
  /** What FilterField needs besides its label. */
  readonly field: Pick<FilterFieldProps, 'value' | 'onChange' | 'fields' | 'problems' | 'inputRef'>;
}

/** The filter of the list named `list`, kept while the window is open; `/` goes to its field. */
export function useListFilter<T>(list: string, schema: FilterSchema<T>): ListFilter<T> {
  const store = useWindowStore();
  const text = useWindow((s) => s.filters[list] ?? '');
  const inputRef = useRef<FilterHandle>(null);
  useViewAction('filter', () => inputRef.current?.focus());
  return useMemo(() => {
    const compiled = compileFilter(text, schema);
    const onChange = (next: string) => setFilter(store, list, next);
    return {
      ...compiled,
      text,
      clear: () => onChange(''),
      field: { value: text, onChange, fields: schema.fields, problems: compiled.problems, inputRef },
    };
  }, [text, schema, store, list]);
}
