#!/usr/bin/env node
/**
 * `npx loopscope …`: prepares the runtime like the npm scripts do, then runs the command line. Plain JavaScript for
 * Node 20; see tools/runtime.mjs.
 */
import { ensureWindowBuilt, prepare, runMain, runScript } from '../tools/runtime.mjs';

/** Commands that serve the window; all others start without building it. */
const withWindow = new Set(['start', 'run', 'open']);

await runMain(async () => {
  const args = process.argv.slice(2);
  const node = await prepare();
  const command = args[0] ?? '';
  const asksForHelp = args.slice(0, args.includes('--') ? args.indexOf('--') : undefined).some(isHelp);
  if (withWindow.has(command) && !asksForHelp) await ensureWindowBuilt({ node });
  return runScript(node, 'cli/main.ts', args);
});

/** @param {string} arg */
function isHelp(arg) {
  return arg === '--help' || arg === '-h';
}
