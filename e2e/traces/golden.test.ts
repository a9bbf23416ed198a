import { expect, test } from 'vitest';
import { differences, goldenScenarios, readGolden } from './golden.ts';

const golden = {
  always: [
    'database: ADDED Database → success: create Secret',
    'database: MODIFIED StatefulSet → success: update Database/status',
  ],
  may: ['database: MODIFIED Database → success: update StatefulSet'],
};

test('[SC10] what may be is no difference, nor which event of a moment is named', () => {
  expect(differences(golden, golden.always)).toEqual([]);
  expect(differences(golden, [...golden.always, ...golden.may])).toEqual([]);
  const [first = ''] = golden.always;
  expect(
    differences(golden, [first, 'database: MODIFIED Database → success: update Database/status']),
  ).toEqual([]);
});

test('[SC10] what must be and is not, other writes and results, and another first trigger are', () => {
  const [, second = ''] = golden.always;
  expect(differences(golden, [second])).toEqual([
    'missing: database: ADDED Database → success: create Secret',
  ]);
  expect(differences(golden, ['database: MODIFIED Secret → success: create Secret', second])).toEqual([
    'missing: database: ADDED Database → success: create Secret',
  ]);
  const other = 'database: retry → error "quota": update Database/status';
  expect(differences(golden, [...golden.always, other])).toEqual([`new: ${other}`]);
});

test('[SC10] every fault has a golden trace that says something', () => {
  for (const name of goldenScenarios) expect(readGolden(name)?.always.length, name).toBeGreaterThan(0);
});
