import type { ReactNode } from 'react';
import type { KeyRow } from '../../shared/contract/views/operators.ts';
import { compareKeys } from '../app/keyOrder.ts';
import { useTableOf } from '../client/useEngine.tsx';
import { useI18n } from '../i18n/i18n.tsx';
import { useController } from '../state/useOperator.ts';
import { useWindowStore } from '../state/useWindow.tsx';
import { goTo } from '../state/windowState.ts';
import { Button, KeyHint } from '../widgets/controls.tsx';
import { EmptyState } from '../widgets/parts.tsx';
import { StateGlyph } from '../widgets/StateGlyph.tsx';
import './why/why.css';

const offered = 5;

/** No object is chosen: what the view would tell, and the worst keys to choose one. */
export function NoObject(props: {
  readonly tab: 'why' | 'timeline' | 'conditions' | 'ownership';
  readonly icon: ReactNode;
}): ReactNode {
  const { tab, icon } = props;
  const { t } = useI18n();
  const store = useWindowStore();
  const controller = useController();
  const worst = useTableOf('keys', controller && { controller: controller.name }, ({ rows }) =>
    [...rows]
      .filter((row) => row.health !== 'ok' && row.health !== 'unknown')
      .sort(compareKeys)
      .slice(0, offered)
      .map(({ key, object, health, text, failures }) => ({ key, object, health, text, failures })),
  );
  return (
    <EmptyState
      icon={icon}
      title={t('object.none.title')}
      actions={
        <Button onClick={() => store.setState({ paletteOpen: true })}>
          {t('object.none.search')}
          <KeyHint keys="Mod+K" />
        </Button>
      }
    >
      <p>{t(`object.none.${tab}`)}</p>
      <p>{t(worst.length === 0 ? 'object.none.well' : 'object.none.choose')}</p>
      {worst.length > 0 && (
        <ul className="whyWorst">
          {worst.map((row) => (
            <li key={row.key}>
              <button type="button" onClick={() => goTo(store, { tab, object: row.object })}>
                <StateGlyph state={row.health} size={12} label={t(`health.${row.health}`)} />
                <span className="cut" title={row.key}>
                  {row.key}
                </span>
                <Says row={row} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </EmptyState>
  );
}

/** How often it failed; else what the engine says of it. */
function Says({ row }: { readonly row: Pick<KeyRow, 'failures' | 'text'> }): ReactNode {
  const { t } = useI18n();
  const text = row.failures > 0 ? t('object.none.failures', { n: row.failures }) : row.text;
  return (
    <span className="tertiary cut whyWorstText" title={text}>
      {text}
    </span>
  );
}
