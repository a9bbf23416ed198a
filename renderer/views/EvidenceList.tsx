import type { ReactNode } from 'react';
import type { Evidence } from '../../shared/model/finding.ts';
import { formatStamp } from '../format/format.ts';
import { useI18n } from '../i18n/i18n.tsx';
import { useWindowStore } from '../state/useWindow.tsx';
import { goTo } from '../state/windowState.ts';
import { BasisMark } from '../widgets/BasisMark.tsx';
import './evidenceList.css';

/** What proves a statement: how it is known, in words, where to check it. A record of the session opens in Events. */
export function EvidenceList({ evidence }: { readonly evidence: readonly Evidence[] }): ReactNode {
  const { t } = useI18n();
  const store = useWindowStore();
  return (
    <ul className="evidenceList">
      {evidence.map((item, index) => {
        const { seq } = item;
        const at = item.at === undefined ? undefined : formatStamp(item.at);
        const record = seq === undefined ? undefined : t('rbac.evidence.record', { n: seq });
        const line = (
          <>
            <BasisMark basis={item.basis} show="mark" why={item.text} />
            <span className="evidenceText">
              <span className="evidenceWords" title={item.text}>
                {item.text}
              </span>
              {item.file !== undefined && (
                <span className="mono tertiary evidenceFile cut" title={item.file}>
                  {item.file.split(/[\\/]/).at(-1)}
                  {item.line !== undefined && ` ${t('rbac.evidence.line', { n: item.line })}`}
                </span>
              )}
            </span>
            <span className="mono tertiary evidenceWhere" title={record}>
              {at ?? record}
            </span>
          </>
        );
        const id = `${index} ${item.text}`;
        const opens = seq !== undefined && item.basis.kind === 'observed' && item.basis.from === 'watch';
        return (
          <li key={id}>
            {opens ? (
              <button
                type="button"
                className="evidenceRow"
                onClick={() => {
                  store.setState({ eventSeq: seq, eventFilter: '' });
                  goTo(store, { tab: 'events' });
                }}
              >
                {line}
              </button>
            ) : (
              <div className="evidenceRow">{line}</div>
            )}
          </li>
        );
      })}
    </ul>
  );
}
