/**
 * Child process of sqliteKill.test.ts: records 2,000 lines a second into a session until it is killed. Every 5 ms it
 * prints `<seq> <wall ms> <longest gap between ticks so far, ms>`, written before the next tick can begin.
 */
import { writeSync } from 'node:fs';
import { objectKey, sourceId } from '../../shared/model/ids.ts';
import { createSqliteSession } from './sqliteSession.ts';
import { systemClock } from './systemClock.ts';

const [, , folder = '', id = ''] = process.argv;
const made = createSqliteSession({ folder, clock: systemClock, id });
if (!made.ok) throw new Error(made.error.message);
const session = made.value;
let written = 0;
let longestGap = 0;
let lastTick = systemClock.monotonic();

setInterval(() => {
  const tick = systemClock.monotonic();
  longestGap = Math.max(longestGap, tick - lastTick);
  // What a late timer left out is caught up with, so that the rate holds.
  for (let due = Math.round((tick - lastTick) * 2); due > 0; due--) {
    const now = systemClock.now();
    written++;
    const head = session.append({
      kind: 'object',
      source: sourceId('watch:/v1/configmaps'),
      at: { lo: now, hi: now },
      receivedAt: now,
      object: objectKey({ group: '', kind: 'ConfigMap', namespace: 'default', name: `c-${written % 50}` }),
      op: 'modified',
      payload: JSON.stringify({ n: written, padding: 'some text that a record may have '.repeat(20) }),
    });
    session.putFacts(head.seq, [{ n: written }]);
  }
  lastTick = tick;
  writeSync(1, `${written} ${systemClock.now()} ${Math.ceil(longestGap)}\n`);
}, 5);
