import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openPreferences } from './preferences.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'loopscope-preferences-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('preferences', () => {
  test('are empty at first and write nothing until something is set', () => {
    const file = path.join(folder, 'first', 'preferences.json');
    const preferences = openPreferences(file);
    expect([preferences.windowJson(), preferences.consents.has('a')]).toEqual(['{}', false]);
    expect(() => statSync(path.dirname(file))).toThrow();
  });

  test('are there when opened again, for the user alone', () => {
    const file = path.join(folder, 'kept', 'preferences.json');
    const preferences = openPreferences(file);
    expect(preferences.setWindowJson('{"theme":"dark"}')).toEqual({ ok: true, value: undefined });
    preferences.consents.add('kubeconfig aws eks');
    preferences.consents.add('kubeconfig aws eks');
    const again = openPreferences(file);
    expect(again.windowJson()).toBe('{"theme":"dark"}');
    expect(again.consents.has('kubeconfig aws eks')).toBe(true);
    expect(again.consents.has('other')).toBe(false);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
    expect(readdirSync(path.dirname(file))).toEqual(['preferences.json']);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ consents: ['kubeconfig aws eks'] });
  });

  test('a file that is not ours counts as empty and stays until something is set', () => {
    for (const text of [
      'not json',
      '[]',
      '{"format":9,"window":"x"}',
      '{"format":1,"window":5,"consents":[1]}',
    ]) {
      const file = path.join(folder, 'odd.json');
      writeFileSync(file, text);
      const preferences = openPreferences(file);
      expect(preferences.windowJson()).toBe('{}');
      expect(preferences.consents.has('1')).toBe(false);
      expect(readFileSync(file, 'utf8')).toBe(text);
    }
  });

  test('settings too large, or a place that cannot be written, are a sentence', () => {
    const preferences = openPreferences(path.join(folder, 'large.json'));
    expect(preferences.setWindowJson('x'.repeat(300_000))).toMatchObject({ error: { code: 'too-large' } });
    const blocked = path.join(folder, 'blocked');
    writeFileSync(blocked, '');
    const nowhere = openPreferences(path.join(blocked, 'preferences.json'));
    expect(nowhere.setWindowJson('{}')).toMatchObject({ error: { code: 'not-saved' } });
    // A consent holds for this run even so.
    nowhere.consents.add('once');
    expect(nowhere.consents.has('once')).toBe(true);
  });
});
