import { type ReactNode, useState } from 'react';
import type { SourceRow } from '../../../shared/contract/views/traces.ts';
import { useValue } from '../../client/useEngine.tsx';
import { useI18n } from '../../i18n/i18n.tsx';
import { useLostSince } from '../../state/useConnection.ts';
import { useIsRecording } from '../../state/usePlayback.ts';
import { Button } from '../../widgets/controls.tsx';
import { AttachForm } from './AttachForm.tsx';
import { OfferCard } from './OfferCard.tsx';

/** More one-click offers than these are folded: an operator of sixty replicas must not hide the forms. */
const offersShown = 6;

/** What could be attached: pods by one click, files and addresses by a field. */
export function AttachPane(props: {
  readonly height: number;
  readonly sources: readonly SourceRow[];
}): ReactNode {
  const { t } = useI18n();
  const recording = useIsRecording();
  return (
    <section
      className="attachPane"
      style={{ height: recording ? 'auto' : props.sources.length === 0 ? '50%' : props.height }}
      aria-label={t('sources.attach')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by key
      tabIndex={0}
    >
      <div className="paneHead">
        <h2 className="strong">{t('sources.attach')}</h2>
        {!recording && <span className="small tertiary">{t('sources.attach.note')}</span>}
      </div>
      {recording ? (
        <p className="small secondary">{t('sources.attach.played')}</p>
      ) : (
        <Offers sources={props.sources} />
      )}
    </section>
  );
}

function Offers({ sources }: { readonly sources: readonly SourceRow[] }): ReactNode {
  const { t } = useI18n();
  const offers = useValue('offers', {}).value?.offers;
  const lost = useLostSince() !== undefined;
  const [all, setAll] = useState(false);
  const pods = (offers ?? []).filter((offer) => offer.needs === 'nothing');
  // What can be had stands before what is missing a right.
  const sorted = [...pods].sort((a, b) => Number(a.blocked !== undefined) - Number(b.blocked !== undefined));
  const shown = all ? sorted : sorted.slice(0, offersShown);
  return (
    <>
      {offers !== undefined && pods.length === 0 && (
        <p className="small secondary attachNone">{t('sources.attach.none')}</p>
      )}
      {lost && pods.length > 0 && <p className="small secondary attachNone">{t('sources.attach.lost')}</p>}
      <div className="attachCards">
        {shown.map((offer) => (
          <OfferCard key={offer.id} offer={offer} unavailable={lost ? t('sources.attach.lost') : undefined} />
        ))}
        {shown.length < sorted.length && (
          <Button kind="quiet" onClick={() => setAll(true)}>
            {t('sources.attach.all', { n: sorted.length })}
          </Button>
        )}
        {(['log', 'metrics', 'audit'] as const).map((kind) => (
          <AttachForm
            key={kind}
            kind={kind}
            blocked={offers?.find((offer) => offer.kind === kind && offer.needs !== 'nothing')?.blocked}
            sources={sources}
          />
        ))}
      </div>
    </>
  );
}
