import type { ReactNode } from 'react';
import type { ObjectKey } from '../../shared/model/ids.ts';
import { parseObjectKey } from '../../shared/model/ids.ts';
import { useI18n } from '../i18n/i18n.tsx';
import { CopyIconButton } from '../widgets/Copy.tsx';

/** The head of every view of one object: where it is, its name, and what the view adds. */
export function ObjectHead(props: {
  /** Object key. */
  readonly objectKey: string;
  readonly children?: ReactNode;
  /** At the far end. */
  readonly end?: ReactNode;
}): ReactNode {
  const { t } = useI18n();
  const { kind, namespace, name } = parseObjectKey(props.objectKey as ObjectKey);
  return (
    <>
      <nav className="crumbs">
        <span className="secondary">{kind}</span>
        {namespace !== '' && (
          <>
            <i>/</i>
            <span className="secondary">{namespace}</span>
          </>
        )}
        <i>/</i>
        <h2 className="title cut" title={name}>
          {name}
        </h2>
        <CopyIconButton text={name} label={t('history.copyName')} />
      </nav>
      {props.children}
      {props.end !== undefined && <span className="viewHeadEnd">{props.end}</span>}
    </>
  );
}
