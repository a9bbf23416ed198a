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
    // A command line may hold a credential: only its digest is kept.
    const { consents } = JSON.parse(readFileSync(file, 'utf8'));
    expect(consents).toEqual([expect.stringMatching(/^sha256:[0-9a-f]{64}$/)]);
  });

  test('command lines that an earlier version wrote down still count, and go with the next change', () => {
    const file = path.join(folder, 'plain.json');
    writeFileSync(file, '{"format":1,"window":"{}","consents":["kubeconfig aws eks"]}');
    const preferences = openPreferences(file);
    expect(preferences.consents.has('kubeconfig aws eks')).toBe(true);
    preferences.setWindowJson('{}');
    expect(readFileSync(file, 'utf8')).not.toContain('aws');
    expect(openPreferences(file).consents.has('kubeconfig aws eks')).toBe(true);
  });

  test('how many sessions stay: ten and 2 GB until somebody chooses, nothing that makes no sense', () => {
    const file = path.join(folder, 'retention.json');
    const preferences = openPreferences(file);
    expect(preferences.retention()).toEqual({ keep: 10, maxBytes: 2_000_000_000 });
    expect(preferences.setRetention({ keep: 0, maxBytes: 5 })).toMatchObject({
      ok: false,
      error: { code: 'invalid' },
    });
    expect(preferences.setRetention({ keep: 3, maxBytes: 1e9 })).toEqual({ ok: true, value: undefined });
    preferences.consents.add('x');
    expect(openPreferences(file).retention()).toEqual({ keep: 3, maxBytes: 1e9 });
    writeFileSync(file, '{"format":1,"retention":{"keep":"many"}}');
    expect(openPreferences(file).retention()).toEqual({ keep: 10, maxBytes: 2_000_000_000 });
  });

  test('what another window chose meanwhile stays', () => {
    const file = path.join(folder, 'two.json');
    const [one, two] = [openPreferences(file), openPreferences(file)];
    one.setRetention({ keep: 3, maxBytes: 1e9 });
    two.setWindowJson('{"theme":"dark"}');
    const again = openPreferences(file);
    expect([again.retention().keep, again.windowJson()]).toEqual([3, '{"theme":"dark"}']);
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
