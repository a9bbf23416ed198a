import { CircleHelp } from 'lucide-react';
import type { ReactNode } from 'react';
import { compareKeys } from '../../app/keyOrder.ts';
import { useTableOf } from '../../client/useEngine.tsx';
import { useI18n } from '../../i18n/i18n.tsx';
import { useController } from '../../state/useOperator.ts';
import { useWindowStore } from '../../state/useWindow.tsx';
import { goTo, type Tab } from '../../state/windowState.ts';
import { Button, KeyHint } from '../../widgets/controls.tsx';
import { EmptyState } from '../../widgets/parts.tsx';
import { StateGlyph } from '../../widgets/StateGlyph.tsx';

const offered = 5;

/** No object is chosen: the worst keys, to choose one. */
export function NoObject({ tab, icon }: { readonly tab: Tab; readonly icon?: ReactNode }): ReactNode {
  const { t } = useI18n();
  const store = useWindowStore();
  const controller = useController();
  const worst = useTableOf('keys', controller && { controller: controller.name }, ({ rows }) =>
    [...rows]
      .filter((row) => row.health !== 'ok' && row.health !== 'unknown')
      .sort(compareKeys)
      .slice(0, offered)
      .map(({ key, object, health, text }) => ({ key, object, health, text })),
  );
  return (
    <EmptyState
      icon={icon ?? <CircleHelp size={20} strokeWidth={1.75} />}
      title={t('why.none.title')}
      actions={
        <Button onClick={() => store.setState({ paletteOpen: true })}>
          {t('timeline.none.search')}
          <KeyHint keys="Mod+K" />
        </Button>
      }
    >
      <p>{t(worst.length === 0 ? 'why.none.well' : 'why.none')}</p>
      {worst.length > 0 && (
        <ul className="whyWorst">
          {worst.map((row) => (
            <li key={row.key}>
              <button type="button" onClick={() => goTo(store, { tab, object: row.object })}>
                <StateGlyph state={row.health} size={12} label={t(`health.${row.health}`)} />
                <span className="cut" title={row.key}>
                  {row.key}
                </span>
                <span className="tertiary cut whyWorstText" title={row.text}>
                  {row.text}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </EmptyState>
  );
}
