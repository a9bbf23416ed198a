/**
 * Packed columns: how numbers and short texts of many records lie in a few bytes. Integers are stored as differences to
 * the one before, zigzag, seven bits a byte; what is not an integer keeps its eight bytes, so that nothing is rounded.
 * The layout is part of the session file's format. Spec: docs/spec/session.md (SES19–SES21).
 */
import { assert } from '../../shared/base/assert.ts';

/** Differences of numbers up to this size, doubled, are still exact. */
const exactLimit = 2 ** 51;

const utf8 = new TextEncoder();
const fromUtf8 = new TextDecoder();

const constantTag = 0;
const deltaTag = 1;
const floatTag = 2;

/** Whether `value` can go into a difference-coded column. */
export function isPackable(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) <= exactLimit && !Object.is(value, -0);
}

/** Grows as it is written; `finish` gives a copy of what was. */
export class ByteWriter {
  private bytes = new Uint8Array(512);
  private used = 0;

  get length(): number {
    return this.used;
  }

  byte(value: number): void {
    this.reserve(1);
    this.bytes[this.used++] = value;
  }

  /** A non-negative integer below 2^53. */
  varint(value: number): void {
    this.reserve(8);
    let rest = value;
    while (rest >= 0x80) {
      const low = rest % 0x80;
      this.bytes[this.used++] = low | 0x80;
      rest = (rest - low) / 0x80;
    }
    this.bytes[this.used++] = rest;
  }

  /** An integer of either sign, magnitude at most 2^52. */
  zigzag(value: number): void {
    this.varint(value < 0 ? -2 * value - 1 : 2 * value);
  }

  float64(value: number): void {
    this.reserve(8);
    new DataView(this.bytes.buffer).setFloat64(this.used, value, true);
    this.used += 8;
  }

  text(value: string): void {
    const encoded = utf8.encode(value);
    this.varint(encoded.length);
    this.raw(encoded);
  }

  raw(values: Uint8Array): void {
    this.reserve(values.length);
    this.bytes.set(values, this.used);
    this.used += values.length;
  }

  /** A column of numbers; readNumbers() with the same count gives them back exactly. */
  numbers(values: readonly number[]): void {
    const first = values[0] ?? 0;
    if (values.every((value) => Object.is(value, first))) {
      this.byte(constantTag);
      if (isPackable(first)) {
        this.byte(deltaTag);
        this.zigzag(first);
      } else {
        this.byte(floatTag);
        this.float64(first);
      }
    } else if (values.every(isPackable)) {
      this.byte(deltaTag);
      let before = 0;
      for (const value of values) {
        this.zigzag(value - before);
        before = value;
      }
    } else {
      this.byte(floatTag);
      for (const value of values) this.float64(value);
    }
  }

  finish(): Uint8Array<ArrayBuffer> {
    return this.bytes.slice(0, this.used);
  }

  private reserve(count: number): void {
    if (this.used + count <= this.bytes.length) return;
    const larger = new Uint8Array(Math.max(this.bytes.length * 2, this.used + count));
    larger.set(this.bytes);
    this.bytes = larger;
  }
}

/** Reads what ByteWriter wrote, in the same order. Throws when the bytes end early: the file is damaged. */
export class ByteReader {
  private readonly bytes: Uint8Array;
  private at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  byte(): number {
    const value = this.bytes[this.at++];
    assert(value !== undefined, 'packed bytes to be complete');
    return value;
  }

  varint(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const part = this.byte();
      if (part < 0x80) return value + part * scale;
      value += (part & 0x7f) * scale;
      scale *= 0x80;
    }
  }

  zigzag(): number {
    const value = this.varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  float64(): number {
    const bytes = this.raw(8);
    return new DataView(bytes.buffer, bytes.byteOffset, 8).getFloat64(0, true);
  }

  text(): string {
    return fromUtf8.decode(this.raw(this.varint()));
  }

  /** A view of the next `count` bytes, not a copy. */
  raw(count: number): Uint8Array {
    assert(this.at + count <= this.bytes.length, 'packed bytes to be complete');
    const part = this.bytes.subarray(this.at, this.at + count);
    this.at += count;
    return part;
  }

  numbers(count: number): number[] {
    const values = new Array<number>(count);
    const tag = this.byte();
    if (tag === constantTag) {
      return values.fill(this.byte() === floatTag ? this.float64() : this.zigzag());
    }
    let before = 0;
    for (let index = 0; index < count; index++) {
      before = tag === floatTag ? this.float64() : before + this.zigzag();
      values[index] = before;
    }
    return values;
  }
}
