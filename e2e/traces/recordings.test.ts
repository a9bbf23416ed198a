/** Traces of real operators, from the handed recordings, reach the bars. */
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { missed } from './bars.ts';
import { handedRecordings, runsBelow } from './scoreCli.ts';
import { scoreRun } from './scoreRun.ts';

const runs = runsBelow(process.env.LOOPSCOPE_RECORDINGS ?? handedRecordings);

describe.skipIf(runs.length === 0)(
  'traces of recorded operators (skipped where the recordings are not)',
  () => {
    test.each(runs.map((folder) => [basename(folder), folder]))('%s', async (_, folder) => {
      const run = await scoreRun(folder);
      if (run === undefined) throw new Error(`${folder} has no ground truth`);
      const faults = run.rows.flatMap(({ row, score }) =>
        score.faults.slice(0, 5).map((text) => `${row}: ${text}`),
      );
      expect(missed(run), faults.join('\n')).toEqual([]);
    });
  },
);
