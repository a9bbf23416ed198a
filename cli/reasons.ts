/** The codes by which the engine says why there is nothing to show, as sentences without their full stop. */

const sentences: Readonly<Record<string, string>> = {
  'no-operator': 'no operator was found',
  'choose-operator': 'no operator is chosen',
  'no-controller': 'the operator has no such controller',
  'no-such-span': 'there is no such reconcile any more',
  'no-runs': 'no reconcile was seen',
  'no-metrics': "the operator's metrics are not here",
  'no-model': 'there is no model of this queue',
  'no-queue-metrics': "the operator's metrics have no counters of this queue",
  'too-few-scrapes': 'there are too few scrapes: it takes two of one life of the process',
};

const notServed = 'not-served: ';

/** A code this program does not know comes back as it is. */
export function reasonText(reason: string): string {
  if (reason.startsWith(notServed)) return `the API server does not serve ${reason.slice(notServed.length)}`;
  return sentences[reason] ?? reason;
}
