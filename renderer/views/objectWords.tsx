/** How objects, changes and writers are written in every view. */
import type { ReactNode } from 'react';
import type { ObjectOp, ObjectRefView, Writer } from '../../shared/contract/views/objects.ts';
import { useI18n } from '../i18n/i18n.tsx';
import './objectWords.css';

/** `Database shop/orders-db`, kind and namespace quieter than the name. */
export function ObjectName({ object }: { readonly object: ObjectRefView }): ReactNode {
  return (
    <span
      className="objectName"
      title={`${object.kind} ${object.namespace}${object.namespace === '' ? '' : '/'}${object.name}`}
    >
      <span className="tertiary">{object.kind} </span>
      {object.namespace !== '' && <span className="tertiary">{object.namespace}/</span>}
      <span className="objectShort">{object.name}</span>
    </span>
  );
}

const signs: Readonly<Record<ObjectOp, string>> = {
  listed: '·',
  added: '+',
  modified: '~',
  deleted: '−',
  relisted: '=',
  vanished: '−',
};

/** The sign by shape, the word beside it. */
export function OpWord({ op }: { readonly op: ObjectOp }): ReactNode {
  const { t } = useI18n();
  return (
    <span className={`op op-${op}`}>
      <span className="opSign" aria-hidden="true">
        {signs[op]}
      </span>
      {t(`op.${op}`)}
    </span>
  );
}

const conditionField = /^([+−]?)status\.conditions\[([^\]]+)\]\.(?:status (?=\S))?/;

/** What a version changed, as read in a list: `Ready False → True`, `Ready reason A → B` for the paths of a condition. */
export function changeWords(summary: string): string {
  return summary.replace(conditionField, '$1$2 ');
}

export function writerName(writer: Writer): string {
  return writer.subresource === undefined ? writer.manager : `${writer.manager} · ${writer.subresource}`;
}

export function WriterName({ writer }: { readonly writer: Writer }): ReactNode {
  return (
    <span title={`${writerName(writer)}, ${writer.operation}`}>
      {writer.manager}
      {writer.subresource !== undefined && <span className="tertiary"> · {writer.subresource}</span>}
    </span>
  );
}
