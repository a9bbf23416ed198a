/** From a record, a version or a key to the run it belongs to: one click. */
import type { ReactNode } from 'react';
import type { SpanRow } from '../../../shared/model/trace.ts';
import { useTableOf, useValueOf } from '../../client/useEngine.tsx';
import { useI18n } from '../../i18n/i18n.tsx';
import { useWindowStore } from '../../state/useWindow.tsx';
import { openSpan } from '../../state/windowState.ts';
import { ResultMark } from '../../widgets/ResultMark.tsx';
import { resultOf } from './spanWords.ts';
import { useSpanWords } from './useSpanWords.tsx';
import './traces.css';

/** A run as something to press: how it ended, which attempt it was, when. */
export function RunChip(props: { readonly row: SpanRow; readonly role?: string }): ReactNode {
  const store = useWindowStore();
  const words = useSpanWords();
  const { row, role } = props;
  return (
    <button
      type="button"
      className="chip runChip"
      title={`${row.key}, ${words.result(row)}`}
      onClick={() => openSpan(store, row)}
    >
      <ResultMark result={resultOf(row)} basis={row.basis.kind} size={12} />
      {role !== undefined && <span className="tertiary">{role}</span>}
      <span className="cut">{words.name(row)}</span>
    </button>
  );
}

/** The run that a record is part of, and the one it woke. Nothing where it is of no run. */
export function RecordRunLinks({ seq }: { readonly seq: number | undefined }): ReactNode {
  const { t } = useI18n();
  const runs = useValueOf('runOf', seq === undefined ? undefined : { seq }, (s) => s.value);
  if (runs?.within === undefined && runs?.woke === undefined) return null;
  return (
    <p className="runLinks">
      {runs.within !== undefined && <RunChip row={runs.within} role={t('span.wrote')} />}
      {runs.woke !== undefined && runs.woke.id !== runs.within?.id && (
        <RunChip row={runs.woke} role={t('span.woke')} />
      )}
    </p>
  );
}

/** The newest run of a key. */
export function useLastRun(controller: string | undefined, key: string | undefined): SpanRow | undefined {
  return useTableOf(
    'spans',
    controller === undefined || key === undefined
      ? undefined
      : { controller, text: `key:${JSON.stringify(key)}`, limit: 20 },
    ({ rows }) => newestRun(rows.filter((row) => row.key === key)),
  );
}

export function newestRun(rows: readonly SpanRow[]): SpanRow | undefined {
  let newest: SpanRow | undefined;
  for (const row of rows) if (newest === undefined || row.start.lo > newest.start.lo) newest = row;
  return newest;
}

export function LastRunLink(props: { readonly controller: string; readonly name: string }): ReactNode {
  const { t } = useI18n();
  const row = useLastRun(props.controller, props.name);
  return row === undefined ? null : <RunChip row={row} role={t('span.last')} />;
}
