/** Conditions of the invented incident: shop/orders-db as the pictures have it; others have one calm Ready. */

import type { Writer } from '../../../shared/contract/views/objects.ts';
import type {
  ConditionSpan,
  ConditionsView,
  ConditionTrack,
} from '../../../shared/contract/views/structure.ts';
import { objects } from './objectRefs.ts';
import { keys } from './operator.ts';
import { orderRuns } from './orderRuns.ts';
import { at, recordingStart, stamp } from './time.ts';

const watch = { kind: 'observed', from: 'watch' } as const;
const audit = { kind: 'observed', from: 'audit' } as const;
const writer: Writer = {
  manager: 'database-operator',
  operation: 'Update',
  subresource: 'status',
  time: stamp('14:02:11'),
};

function span(
  from: string,
  to: string | undefined,
  status: string,
  reason: string,
  message: string,
  seq: number,
  openStart = false,
): ConditionSpan {
  return {
    from: at(from),
    ...(to === undefined ? {} : { to: at(to) }),
    status,
    reason,
    message,
    lastTransitionTime: openStart ? stamp('11:31:02') : stamp(from.slice(0, 8)),
    seq,
    openStart,
    gap: false,
    ...(openStart ? {} : { writer }),
    basis: watch,
  };
}

const changed = '14:02:11.871';
const tracks: readonly ConditionTrack[] = [
  {
    type: 'Ready',
    polarity: 'positive',
    spans: [
      span('13:40:03.110', changed, 'True', 'AllReplicasReady', '3 of 3 replicas run 16.3', 212, true),
      span(changed, undefined, 'False', 'Upgrading', '2 of 3 replicas run 16.4', 152_240),
    ],
    changes: 1,
    usualMs: 52_000,
    longestMs: 101_000,
    others: 38,
  },
  {
    type: 'Progressing',
    polarity: 'neutral',
    spans: [
      span('13:40:03.110', changed, 'False', 'Stable', '', 212, true),
      span(changed, undefined, 'True', 'RollingOut', 'replica 2 of 3 is being replaced', 152_240),
    ],
    changes: 1,
    others: 0,
  },
  {
    type: 'Available',
    polarity: 'positive',
    spans: [span('13:40:03.110', undefined, 'True', 'MinimumReplicas', '', 212, true)],
    changes: 0,
    others: 0,
  },
  {
    type: 'BackupReady',
    polarity: 'positive',
    spans: [span('13:40:03.110', undefined, 'Unknown', 'NotConfigured', '', 212, true)],
    changes: 0,
    others: 0,
  },
];

const accepted = ['14:02:11.871', '14:02:32.410', '14:02:58.092', '14:03:19.066'];
/** The seventeen of the incident, as its runs have them. */
const refused = orderRuns.flatMap(({ writeList }) =>
  writeList.filter(({ outcome }) => outcome === 'refused').map((write) => write.at.hi),
);

const orders: ConditionsView = {
  object: objects('db.example.com/Database/shop/orders-db'),
  known: true,
  detail: 'full',
  upgrading: false,
  from: at('13:40:03.110'),
  tracks,
  generations: [
    { from: at('13:40:03.110'), to: at(changed), generation: 6, observed: 6, seq: 212 },
    { from: at(changed), generation: 7, observed: 7, seq: 152_240 },
  ],
  held: { from: at('14:03:52.350'), refusals: 17, basis: audit },
  writes: [
    ...accepted.map((time) => ({
      at: at(time),
      refused: false,
      manager: 'database-operator',
      basis: watch,
    })),
    ...refused.map((time) => ({ at: time, refused: true, basis: audit })),
  ],
  writesTotal: 21,
  gaps: [],
};

export function conditionsOf(key: string): ConditionsView {
  if (key === orders.object.key) return orders;
  const object = objects(key);
  const row = keys.find((one) => one.object === key);
  return {
    object,
    known: row !== undefined,
    detail: 'full',
    upgrading: false,
    from: recordingStart,
    tracks:
      row === undefined || row.health === 'deleting'
        ? []
        : [
            {
              type: 'Ready',
              polarity: 'positive',
              spans: [
                row.health === 'ok'
                  ? span(
                      '13:40:03.110',
                      undefined,
                      'True',
                      'AllReplicasReady',
                      '3 of 3 replicas run 16.4',
                      214,
                      true,
                    )
                  : span('13:52:10.020', undefined, 'False', 'SecretNotFound', '', 90_114),
              ],
              changes: 0,
              usualMs: 52_000,
              longestMs: 101_000,
              others: 38,
            },
          ],
    generations: [],
    writes: [],
    writesTotal: 0,
    gaps: [],
  };
}
