/** The codes by which the engine says why a view has nothing to show, as messages. */

export type ReasonKey =
  | 'reason.no-operator'
  | 'reason.choose-operator'
  | 'reason.no-controller'
  | 'reason.not-connected'
  | 'reason.not-served'
  | 'reason.no-metrics'
  | 'reason.no-model'
  | 'reason.no-queue-metrics'
  | 'reason.too-few-scrapes';

export interface ReasonWord {
  readonly key: ReasonKey;
  /** The resources that are not served; empty for every other reason. */
  readonly list: string;
}

const notServed = 'not-served: ';

/** The message for a code of the engine; undefined for none and for a code this window does not know. */
export function reasonWord(reason: string | undefined): ReasonWord | undefined {
  switch (reason) {
    case 'no-operator':
    case 'choose-operator':
    case 'no-controller':
    case 'not-connected':
    case 'no-metrics':
    case 'no-model':
    case 'no-queue-metrics':
    case 'too-few-scrapes':
      return { key: `reason.${reason}`, list: '' };
    default:
      return reason?.startsWith(notServed)
        ? { key: 'reason.not-served', list: reason.slice(notServed.length) }
        : undefined;
  }
}
