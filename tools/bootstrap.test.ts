import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { repositoryRoot, runNode } from './suites.ts';

const folders: string[] = [];
const children: ChildProcess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

/** A script beside nothing else; its path as runScript wants it, below the repository. */
async function scriptWith(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'loopscope-script-'));
  folders.push(folder);
  await writeFile(join(folder, 'script.ts'), text);
  return relative(repositoryRoot, join(folder, 'script.ts'));
}

/** What a bootstrap does with a script, without its installation. */
function startBootstrap(script: string, args: readonly string[] = []) {
  const call = `runScript(process.execPath, ${JSON.stringify(script)}, ${JSON.stringify(args)})`;
  const code = `import { runMain, runScript } from './tools/runtime.mjs'; await runMain(() => ${call});`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: repositoryRoot,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let output = '';
  const waiting: (() => void)[] = [];
  const collect = (chunk: string) => {
    output += chunk;
    for (const wake of waiting) wake();
  };
  child.stdout.setEncoding('utf8').on('data', collect);
  child.stderr.setEncoding('utf8').on('data', collect);
  const ended = new Promise<{ code: number | null; output: string }>((resolve) => {
    child.once('close', (exitCode) => resolve({ code: exitCode, output }));
  });
  const printed = (text: string) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (output.includes(text)) resolve();
      };
      waiting.push(look);
      look();
    });
  return { child, ended, printed };
}

describe('runScript', () => {
  test('runs TypeScript with its arguments and gives its exit code', async () => {
    const script = await scriptWith(
      'const code: number = Number(process.argv[2]); console.log("ran"); process.exit(code);',
    );
    const { code, output } = await startBootstrap(script, ['7']).ended;
    expect([code, output]).toEqual([7, 'ran\n']);
  });

  test.each(['SIGTERM', 'SIGHUP'] as const)('passes %s on and waits for the end', async (signal) => {
    const script = await scriptWith(
      `process.on('${signal}', () => { console.log('told'); process.exit(5); });
       setInterval(() => {}, 1000); console.log('ready');`,
    );
    const { child, ended, printed } = startBootstrap(script);
    await printed('ready');
    child.kill(signal);
    expect(await ended).toEqual({ code: 5, output: 'ready\ntold\n' });
  });

  test('a child ended by a signal gives 128 and its number', async () => {
    const script = await scriptWith("process.kill(process.pid, 'SIGKILL');");
    expect((await startBootstrap(script).ended).code).toBe(137);
  });

  test('a file that is not there is one sentence', async () => {
    const { code, output } = await startBootstrap('cli/absent.ts').ended;
    expect([code, output]).toEqual([1, 'cli/absent.ts is not part of this version.\n']);
  });
});

test('an unknown command lists the known ones', async () => {
  const { code, output } = await runNode(['tools/bootstrap.mjs', 'toString']);
  expect(code).toBe(1);
  expect(output).toMatch(/^usage: node tools\/bootstrap\.mjs start\|build\|/);
});
