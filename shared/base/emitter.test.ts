import { expect, test } from 'vitest';
import { Emitter } from './emitter.ts';

test('an emit reaches those who listened when it began, in order of subscription', () => {
  const emitter = new Emitter<number>();
  const heard: string[] = [];
  emitter.on((value) => {
    heard.push(`a${value}`);
    second.dispose();
    emitter.on((later) => heard.push(`c${later}`));
  });
  const second = emitter.on((value) => heard.push(`b${value}`));
  emitter.emit(1);
  expect(heard).toEqual(['a1', 'b1']);
  emitter.emit(2);
  expect(heard).toEqual(['a1', 'b1', 'a2', 'c2']);
});

test('one listener is told once, and not at all after it or the emitter was disposed of', () => {
  const emitter = new Emitter<number>();
  const heard: number[] = [];
  const listener = (value: number) => heard.push(value);
  emitter.on(listener);
  const again = emitter.on(listener);
  emitter.emit(1);
  again.dispose();
  emitter.emit(2);
  emitter.on(listener);
  emitter.dispose();
  emitter.emit(3);
  expect(heard).toEqual([1]);
});
