import { describe, expect, it } from 'vitest';
import { changeWords } from './objectWords.tsx';

describe('changeWords', () => {
  it.each([
    ['status.conditions[Ready].status False → True', 'Ready False → True'],
    ['status.conditions[Ready].status False → True, +2', 'Ready False → True, +2'],
    ['+status.conditions[Available].status True', '+Available True'],
    ['status.conditions[Ready].reason Failed → Ok', 'Ready reason Failed → Ok'],
    ['status.conditions[Progressing].message, +1', 'Progressing message, +1'],
    ['−status.conditions[Ready].status', '−Ready status'],
    ['status.conditions[example.com/Synced].status True → Unknown', 'example.com/Synced True → Unknown'],
  ])('names the condition of %s', (summary, words) => {
    expect(changeWords(summary)).toBe(words);
  });
  it.each([
    'status.readyReplicas 2 → 3, +2',
    'metadata.annotations[x] status.conditions[Ready].status False → True',
    '',
  ])('leaves %s as it is', (summary) => {
    expect(changeWords(summary)).toBe(summary);
  });
});
