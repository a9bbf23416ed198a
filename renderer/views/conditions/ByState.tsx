import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import type { Health, KeyRow } from '../../../shared/contract/views/operators.ts';
import { compareKeys } from '../../app/keyOrder.ts';
import { useTableOf } from '../../client/useEngine.tsx';
import { useI18n } from '../../i18n/i18n.tsx';
import { useController } from '../../state/useOperator.ts';
import { useWindowStore } from '../../state/useWindow.tsx';
import { goTo } from '../../state/windowState.ts';
import { StateGlyph } from '../../widgets/StateGlyph.tsx';

type Dot = Pick<KeyRow, 'key' | 'object' | 'health' | 'text'>;

/** Dots of one state, two lines of them; what is left out of them is a number at their end. */
const dotsShown = 32;
const dotsBeforeNumber = 29;
const order: readonly Health[] = ['failed', 'degraded', 'progressing', 'deleting', 'unknown', 'ok'];

/** Every object of the kind as one glyph, worst first: is it this one alone, or all of them? */
export function ByState({ objectKey }: { readonly objectKey: string }): ReactNode {
  const { t, number } = useI18n();
  const controller = useController();
  const rows = useTableOf('keys', controller && { controller: controller.name }, (s) =>
    s.rows.map(({ key, object, health, text }): Dot => ({ key, object, health, text })),
  );
  if (!rows.some(({ object }) => object === objectKey)) return null;
  const kind = objectKey.split('/')[1] ?? '';
  const groups = order
    .map((health) => ({ health, dots: rows.filter((row) => row.health === health).sort(byKey) }))
    .filter(({ dots }) => dots.length > 0);
  return (
    <section className="byState">
      <h3 className="label strong">{t('conditions.byState', { n: rows.length, kind })}</h3>
      <ul>
        {groups.map(({ health, dots }) => (
          <li key={health} className="byStateGroup">
            <Dots dots={dots} health={health} objectKey={objectKey} />
            <p className="byStateLabel">
              <b>{number(dots.length)}</b> {t(`health.${health}`)}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function byKey(a: Dot, b: Dot): number {
  return compareKeys({ ...a, failures: 0 } as KeyRow, { ...b, failures: 0 } as KeyRow);
}

/** One stop; arrows walk the dots, Enter opens one. */
function Dots(props: {
  readonly dots: readonly Dot[];
  readonly health: Health;
  readonly objectKey: string;
}): ReactNode {
  const { t, number } = useI18n();
  const store = useWindowStore();
  const bar = useRef<HTMLDivElement>(null);
  const shown = props.dots.slice(0, props.dots.length > dotsShown ? dotsBeforeNumber : dotsShown);
  const self = shown.findIndex(({ object }) => object === props.objectKey);
  const [stop, setStop] = useState<number | undefined>(undefined);
  const current = Math.min(stop ?? Math.max(0, self), shown.length - 1);
  function onKeyDown(event: KeyboardEvent) {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const next = (current + step + shown.length) % shown.length;
    setStop(next);
    bar.current?.querySelectorAll('button')[next]?.focus();
  }
  return (
    <div
      ref={bar}
      className="byStateDots"
      role="toolbar"
      aria-label={t(`health.${props.health}`)}
      onKeyDown={onKeyDown}
    >
      {shown.map((dot, index) => (
        <button
          key={dot.key}
          type="button"
          tabIndex={index === current ? 0 : -1}
          aria-current={dot.object === props.objectKey}
          title={`${dot.key}: ${dot.text}`}
          aria-label={dot.key}
          onFocus={() => setStop(index)}
          onClick={() => goTo(store, { object: dot.object })}
        >
          <StateGlyph state={props.health} size={12} />
        </button>
      ))}
      {props.dots.length > shown.length && (
        <span className="byStateMore">{`+${number(props.dots.length - shown.length)}`}</span>
      )}
    </div>
  );
}
