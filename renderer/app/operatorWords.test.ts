import { expect, it } from 'vitest';
import { createI18n } from '../i18n/i18n.tsx';
import { operatorWords } from './operatorWords.ts';

it('says what the engine says of a workload in the language of the window', () => {
  const zh = (detail: string) => operatorWords(createI18n('zh-CN').t, detail);
  const en = (detail: string) => operatorWords(createI18n('en').t, detail);
  expect(zh('0 of 1 ready')).toBe('1 个副本中 0 个就绪');
  expect(zh('scaled to 0')).toBe('已缩容到 0');
  expect(zh('its process ended with code 2')).toBe('进程以代码 2 结束');
  expect(zh('its process was ended')).toBe('进程已结束');
  for (const same of ['1 of 3 ready', 'scaled to 0', 'its process ended with code 137', 'its process ended'])
    expect(en(same)).toBe(same);
  expect(zh('lease 1 s ago')).toBe('lease 1 s ago');
});
