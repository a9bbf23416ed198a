import { expect, test } from 'vitest';
import { differences, goldenScenarios, readGolden, type Shapes } from './golden.ts';

/** Of a run without conflicts. */
function shapes(...lines: readonly string[]): Shapes {
  return { all: lines, sure: lines };
}

const golden = {
  always: [
    'database: ADDED Database → success: create Secret',
    'database: MODIFIED StatefulSet → success: update Database/status',
  ],
  may: ['database: MODIFIED Database → success: update StatefulSet'],
};

test('[SC10] what may be is no difference, nor which event of a moment is named', () => {
  expect(differences(golden, shapes(...golden.always))).toEqual([]);
  expect(differences(golden, shapes(...golden.always, ...golden.may))).toEqual([]);
  const [first = ''] = golden.always;
  expect(
    differences(golden, shapes(first, 'database: MODIFIED Database → success: update Database/status')),
  ).toEqual([]);
});

test('[SC10] what must be and is not, other writes and results, and another first trigger are', () => {
  const [, second = ''] = golden.always;
  expect(differences(golden, shapes(second))).toEqual([
    'missing: database: ADDED Database → success: create Secret',
  ]);
  expect(differences(golden, shapes('database: MODIFIED Secret → success: create Secret', second))).toEqual([
    'missing: database: ADDED Database → success: create Secret',
  ]);
  const other = 'database: retry → error "quota": update Database/status';
  expect(differences(golden, shapes(...golden.always, other))).toEqual([`new: ${other}`]);
  expect(differences(golden, { all: [...golden.always, other], sure: golden.always })).toEqual([]);
});

test('[SC10] every fault has a golden trace that says something', () => {
  for (const name of goldenScenarios) expect(readGolden(name)?.always.length, name).toBeGreaterThan(0);
});
