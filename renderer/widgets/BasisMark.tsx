import type { ReactNode } from 'react';
import type { Basis } from '../../shared/model/basis.ts';
import type { MessageKey } from '../i18n/catalogue.ts';
import { useI18n } from '../i18n/i18n.tsx';
import { Tip } from './Tip.tsx';
import './basisMark.css';

export interface BasisMarkProps {
  readonly basis: Basis;
  /** What it rests on, in words; shown with the rule in the tooltip. */
  readonly why?: string;
  /** `mark` draws the square alone, `word` adds the word, `source` adds where from. */
  readonly show?: 'mark' | 'word' | 'source';
}

/** How a statement is known: solid, half filled, dashed (ui.md, "How it is known"). */
export function BasisMark({ basis, why, show = 'word' }: BasisMarkProps): ReactNode {
  const { t } = useI18n();
  const word = t(`basis.${basis.kind}`);
  const source = basis.kind === 'inferred' ? basis.by : t(`basis.from.${basis.from}` as MessageKey);
  const records =
    basis.kind === 'inferred' && basis.because.length > 0
      ? t('basis.records', { n: basis.because.length, list: basis.because.slice(0, 4).join(', ') })
      : '';
  const tip = [
    `${word} · ${source}`,
    t(`basis.${basis.kind}.explain`),
    why ?? '',
    records,
    basis.kind === 'inferred' ? t('basis.inferred.turn') : '',
  ];
  return (
    <Tip text={tip.filter((line) => line !== '').join('\n')}>
      <span className="basis" tabIndex={show === 'mark' ? -1 : 0}>
        <i className={`basisMark basis-${basis.kind}`} aria-hidden="true" />
        {show === 'mark' ? (
          <span className="visuallyHidden">{word}</span>
        ) : (
          <span>
            {word}
            {show === 'source' && <span className="tertiary"> · {source}</span>}
          </span>
        )}
      </span>
    </Tip>
  );
}
