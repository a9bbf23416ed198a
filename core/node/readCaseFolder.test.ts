import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseCaseYaml, readCaseFolder } from './readCaseFolder.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loopscope-case-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function textOf(name: string, bytes: Uint8Array): Promise<string | undefined> {
  writeFileSync(join(folder, name), bytes);
  const files = await readCaseFolder(folder);
  return files.ok ? files.value.find((file) => file.name === name)?.text : files.error.code;
}

describe('case folder on disk', () => {
  it('reads UTF-8 and UTF-16 without their byte order mark', async () => {
    const text = 'kind: List # 列表\n';
    expect(await textOf('cluster.yaml', Buffer.from(text))).toBe(text);
    expect(await textOf('cluster.yaml', Buffer.from(`\uFEFF${text}`))).toBe(text);
    expect(await textOf('cluster.yaml', Buffer.from(`\uFEFF${text}`, 'utf16le'))).toBe(text);
    expect(await textOf('cluster.yaml', Buffer.from(`\uFEFF${text}`, 'utf16le').swap16())).toBe(text);
  });

  it('refuses a folder or a pipe in the place of a file at once', async () => {
    mkdirSync(join(folder, 'cluster.yaml'));
    expect(await readCaseFolder(folder)).toMatchObject({ ok: false, error: { code: 'target-unreadable' } });
    rmSync(join(folder, 'cluster.yaml'), { recursive: true });
    if (process.platform === 'win32') return;
    execFileSync('mkfifo', [join(folder, 'operator.log')]);
    expect(await readCaseFolder(folder)).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('operator.log is no file') },
    });
  });

  it('refuses aliases that would unfold without end', () => {
    const doubling = Array.from({ length: 40 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n}, *a${n}]`);
    expect(() => parseCaseYaml(`a0: &a0 [x]\n${doubling.join('\n')}`)).toThrow('alias');
  });
});
