/** Which way a condition type is good. Spec: docs/spec/why.md */
import type { ConditionTrack } from '../../shared/contract/views/structure.ts';

export type Polarity = ConditionTrack['polarity'];

/** True is bad. Kubernetes' own, kstatus and what operators use; any `…Pressure`, `…Failure`, `…Failed`. */
const negative =
  /^(Degraded|Stalled|Failed|Failing|Error|Failure|NetworkUnavailable|NamesConflict|Terminating|Conflicted|.*(Pressure|Failure|Failed|Unavailable|Unhealthy))$/;
/** True says that work goes on, False that none is needed: neither is good or bad. */
const neutral = /^(Progressing|Reconciling|Paused|Suspended|Issuing|Upgrading|Updating|Deleting)$/;

/** `overrides`: what the profile says of types. Every type that is not known otherwise is good when True. */
export function polarityOf(
  type: string,
  overrides: Readonly<Record<string, 'positive' | 'negative'>> = {},
): Polarity {
  const told = overrides[type];
  if (told !== undefined) return told;
  if (negative.test(type)) return 'negative';
  return neutral.test(type) ? 'neutral' : 'positive';
}

/**
 * The condition that says whether the object is well: Ready, else Available, else a type where True is bad and that is
 * True, else one that ends in Ready or is a customary summary. Others (a step that is done or not) do not decide.
 */
export function mainCondition<C extends { readonly type: string; readonly status: string }>(
  conditions: readonly C[],
  overrides: Readonly<Record<string, 'positive' | 'negative'>> = {},
): C | undefined {
  const named = (type: string) => conditions.find((one) => one.type === type);
  const bad = conditions.find(
    (one) => one.status === 'True' && polarityOf(one.type, overrides) === 'negative',
  );
  const ready = named('Ready') ?? named('Available');
  if (ready !== undefined) return ready.status === 'True' && bad !== undefined ? bad : ready;
  return bad ?? conditions.find(({ type }) => summary.test(type));
}

const summary = /^(Succeeded|Complete|Completed|Healthy|Synced|Established|Accepted|Programmed|.+Ready)$/;

/** Whether a value is as it should be. */
export function isGood(status: string, polarity: Polarity): boolean {
  if (polarity === 'neutral') return true;
  return status === (polarity === 'positive' ? 'True' : 'False');
}
