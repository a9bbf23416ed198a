import { describe, expect, test } from 'vitest';
import { seededRandom } from '../testing/sessionLogWalk.ts';
import { ByteReader, ByteWriter } from './columns.ts';

function roundTrip(values: readonly number[]): {
  readonly values: readonly number[];
  readonly bytes: number;
} {
  const writer = new ByteWriter();
  writer.numbers(values);
  const bytes = writer.finish();
  return { values: new ByteReader(bytes).numbers(values.length), bytes: bytes.length };
}

describe('packed columns', () => {
  test('[SES19] numbers come back exactly, whatever they are', () => {
    const columns = [
      [],
      [0],
      [5, 5, 5],
      [-0, -0],
      [0, -0],
      [1.5, 1.5],
      [Date.UTC(2026, 10, 30), Date.UTC(2026, 10, 30) + 0.125],
      [2 ** 51, -(2 ** 51), 0],
      [2 ** 53, 1, Number.MAX_VALUE],
      [Number.NaN, Number.POSITIVE_INFINITY, -1],
      [127, 128, 16383, 16384, -1, -64, -65, 2 ** 31, 2 ** 32 + 1],
    ];
    for (const column of columns) expect(roundTrip(column).values).toEqual(column);
  });

  test('[SES19] what rises evenly takes a byte each, what is constant a few in all', () => {
    const start = Date.UTC(2026, 10, 30);
    expect(roundTrip(Array.from({ length: 1000 }, (_, index) => start + index)).bytes).toBeLessThan(1010);
    expect(roundTrip(Array.from({ length: 1000 }, () => start)).bytes).toBeLessThan(10);
  });

  test.each([1, 2, 3])('[SES19] random numbers, texts and bytes, seed %i', (seed) => {
    const random = seededRandom(seed);
    const numbers = Array.from(
      { length: 500 },
      () => 1 + Math.floor((random() - 0.5) * 2 ** Math.floor(random() * 51)),
    );
    const writer = new ByteWriter();
    for (const value of numbers) {
      writer.zigzag(value);
      writer.varint(Math.abs(value));
      writer.float64(value / 3);
      writer.text(`t${value}ü𝄞`);
    }
    const reader = new ByteReader(writer.finish());
    for (const value of numbers) {
      expect([reader.zigzag(), reader.varint(), reader.float64(), reader.text()]).toEqual([
        value,
        Math.abs(value),
        value / 3,
        `t${value}ü𝄞`,
      ]);
    }
  });

  test('[SES19] bytes that end early are an error, not a wrong number', () => {
    const writer = new ByteWriter();
    writer.numbers([1, 2, 300]);
    const bytes = writer.finish();
    for (let length = 0; length < bytes.length; length++) {
      expect(() => new ByteReader(bytes.subarray(0, length)).numbers(3)).toThrow('complete');
    }
  });
});
