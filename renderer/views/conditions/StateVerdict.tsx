/** How long an object has been in its state, against how long others take to leave it. */
import type { ReactNode } from 'react';
import type { ConditionsView } from '../../../shared/contract/views/structure.ts';
import { formatDurationWords, formatTime } from '../../format/format.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { useMoment } from '../../state/useConnection.ts';
import { useWindowStore } from '../../state/useWindow.tsx';
import { goTo } from '../../state/windowState.ts';
import { BasisMark } from '../../widgets/BasisMark.tsx';
import { Verdict } from '../../widgets/parts.tsx';
import { ageWords } from '../why/sentenceText.tsx';
import { leadingTrack } from './leadingTrack.ts';
import { startOf } from './SpanInspector.tsx';
import { stateKind } from './stateKind.ts';

export function StateVerdict(props: {
  readonly view: ConditionsView;
  /** The object is being deleted. */
  readonly deleting: boolean;
}): ReactNode {
  const { t, rich, locale } = useI18n();
  const store = useWindowStore();
  const now = useMoment(1000);
  const { view, deleting } = props;
  const { held } = view;
  const { name, key } = view.object;
  const leading = leadingTrack(view);
  if (leading?.span === undefined)
    return <Verdict>{t('conditions.verdict.others', { name, n: view.tracks.length })}</Verdict>;
  const { track, span, good } = leading;
  const { kind, ink } = stateKind({
    good,
    unknown: span.status === 'Unknown',
    deleting,
    held: held !== undefined,
    usual: track.usualMs !== undefined,
  });
  const words = {
    name,
    state: (
      <span className={ink}>
        {good ? track.type : span.reason === '' ? `${track.type}=${span.status}` : span.reason}
      </span>
    ),
    time: ageWords(now - (kind === 'held' ? (held?.from ?? now) : startOf(span)), locale),
    usual: formatDurationWords(track.usualMs ?? 0, locale),
    at: formatTime(held?.from ?? now),
  };
  return (
    <Verdict
      note={
        <>
          <span className="whyKnown">
            <BasisMark basis={span.basis} />
            {!good && (
              <span className="small tertiary">
                {' · '}
                {track.others === 0
                  ? t('conditions.others.none')
                  : t('conditions.others', {
                      n: track.others,
                      longest: formatDurationWords(track.longestMs ?? 0, locale),
                    })}
              </span>
            )}
          </span>
          <button
            type="button"
            className="inlineLink"
            onClick={() => goTo(store, { tab: 'why', object: key })}
          >
            {t(held !== undefined ? 'conditions.why.held' : good ? 'conditions.why.open' : 'conditions.why')}
          </button>
        </>
      }
    >
      {rich(`conditions.verdict.${kind}`, words)}
    </Verdict>
  );
}
