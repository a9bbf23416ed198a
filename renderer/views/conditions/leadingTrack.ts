import type {
  ConditionSpan,
  ConditionsView,
  ConditionTrack,
} from '../../../shared/contract/views/structure.ts';

/** The condition that says how the object is: Ready, else Available, else one that is not as it should be, else the first. */
export function leadingTrack(
  view: ConditionsView,
):
  | { readonly track: ConditionTrack; readonly span: ConditionSpan | undefined; readonly good: boolean }
  | undefined {
  const named = (type: string) => view.tracks.find((track) => track.type === type);
  const bad = view.tracks.find((track) => !isGood(track));
  const main = named('Ready') ?? named('Available');
  const track =
    main !== undefined && (!isGood(main) || bad?.polarity !== 'negative')
      ? main
      : (bad ?? main ?? view.tracks[0]);
  return track && { track, span: track.spans.at(-1), good: isGood(track) };
}

function isGood({ polarity, spans }: ConditionTrack): boolean {
  const status = spans.at(-1)?.status;
  if (polarity === 'neutral' || status === undefined) return true;
  return status === (polarity === 'positive' ? 'True' : 'False');
}
