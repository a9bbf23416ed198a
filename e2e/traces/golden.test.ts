import { describe, expect, test } from 'vitest';
import { differences, goldenScenarios, parseGolden, readGolden, type Shape, shapeText } from './golden.ts';

const golden = parseGolden(`# healthy: nothing is wrong
! database: ADDED Database → success: create Secret, create StatefulSet
? database → success: create Secret, create StatefulSet|update StatefulSet, update Database/status
? database → error "quota: none left": update Database/status
by database: ADDED Database, MODIFIED Database, retry
`);

function shape(trigger: string, result: string, ...did: readonly string[]): Shape {
  return { controller: 'database', trigger, result, did };
}

const first = shape('ADDED Database', 'success', 'create Secret', 'create StatefulSet');

describe('[SC10] golden traces', () => {
  test('what may be is no difference: some of a passage, each once and in its order, whatever woke it', () => {
    expect(differences(golden, [first])).toEqual([]);
    for (const one of [
      shape('MODIFIED Database', 'success'),
      shape('retry', 'success', 'update Database/status'),
      shape('MODIFIED Database', 'success', 'create Secret', 'update StatefulSet', 'update Database/status'),
      shape('retry', 'error "quota: none left"', 'update Database/status'),
      shape('retry', 'error "quota: none left"'),
    ])
      expect(differences(golden, [first, one]), shapeText(one)).toEqual([]);
  });

  test('writes that are others, twice, in another order, or of another result or controller are', () => {
    for (const one of [
      shape('retry', 'success', 'update Secret'),
      shape('retry', 'success', 'update Database/status', 'update Database/status'),
      shape('retry', 'success', 'update Database/status', 'create Secret'),
      shape('retry', 'success', 'create StatefulSet', 'update StatefulSet'),
      shape('retry', 'error "another"', 'update Database/status'),
      shape('retry', 'unknown'),
    ])
      expect(differences(golden, [first, one])).toEqual([`new: ${shapeText(one)}`]);
    const other = { ...shape('retry', 'success'), controller: 'backup' };
    expect(differences(golden, [first, other])).toEqual([
      `new: ${shapeText(other)}`,
      `woken by something else: ${shapeText(other)}`,
    ]);
  });

  test('what must be and is not is, and what nothing can have woken', () => {
    expect(differences(golden, [])).toEqual([`missing: ${shapeText(first)}`]);
    const woken = { ...first, trigger: 'MODIFIED Database' };
    expect(differences(golden, [woken])).toEqual([`missing: ${shapeText(first)}`]);
    const odd = shape('requeue-after', 'success');
    expect(differences(golden, [first, odd])).toEqual([`woken by something else: ${shapeText(odd)}`]);
  });

  test('a line that says nothing is a mistake', () => {
    expect(() => parseGolden('database: ADDED Database')).toThrow(/says nothing: database: ADDED Database/);
  });

  test('every fault has one that says what must be and what wakes each controller', () => {
    for (const name of goldenScenarios) {
      const one = readGolden(name);
      expect(one?.always.length, name).toBeGreaterThan(0);
      const controllers = new Set(one?.always.map((line) => line.slice(0, line.indexOf(':'))));
      expect([...(one?.wokenBy.keys() ?? [])].sort(), name).toEqual([...controllers].sort());
    }
  });
});
