/**
 * What every npm script goes through: `node tools/bootstrap.mjs COMMAND [ARGUMENTS]`.
 * Plain JavaScript for Node 20; see tools/runtime.mjs.
 */
import { ensureWindowBuilt, prepare, runMain, runScript, Unready, userFolder } from './runtime.mjs';

/** @type {Readonly<Record<string, (node: string, args: readonly string[]) => Promise<number>>>} */
const commands = {
  start: async (node, args) => {
    if (!args.some((arg) => arg === '--help' || arg === '-h')) await ensureWindowBuilt({ node });
    return runScript(node, 'cli/main.ts', ['start', ...args], userFolder());
  },
  build: async (node) => {
    await ensureWindowBuilt({ node, force: true });
    return runScript(node, 'tools/buildElectron.ts', []);
  },
  dist: async (node, args) => {
    await ensureWindowBuilt({ node });
    return runScript(node, 'tools/dist.ts', args);
  },
  dev: (node, args) => runScript(node, 'tools/dev.ts', args),
  gallery: (node, args) => runScript(node, 'tools/dev.ts', ['--gallery', ...args]),
  'demo:record': (node, args) => runScript(node, 'e2e/demo/record.ts', args),
  check: (node, args) => runScript(node, 'tools/check.ts', args),
  test: (node, args) => runScript(node, 'tools/testAll.ts', args),
  conformance: (node, args) => runScript(node, 'e2e/conformance/run.ts', args),
  'score:traces': (node, args) => runScript(node, 'e2e/traces/scoreCli.ts', args),
  testbed: (node, args) => runScript(node, 'e2e/testbed/cli.ts', args),
  bench: (node, args) => runScript(node, 'bench/run.ts', args),
};

await runMain(async () => {
  const [name = '', ...args] = process.argv.slice(2);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    throw new Unready(`usage: node tools/bootstrap.mjs ${Object.keys(commands).join('|')}`);
  }
  return command(await prepare(), args);
});
