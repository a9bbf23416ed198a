/**
 * `loopscope COMMAND …`: finds the command, checks its arguments, runs it and gives the exit code. Commands load what
 * they need when they run, so that help and case folders do not wait for the engine. Expected failures are one sentence
 * on standard error; a stack is printed only for a bug.
 */
import { readFileSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { type CommandSpec, nearest, type ParsedArgs, parseArgs } from './args.ts';
import { commands } from './commands.ts';
import { exitCode } from './exitCodes.ts';
import { commandHelp, overview } from './help.ts';
import { type Io, processIo } from './io.ts';

type Run = (args: ParsedArgs, io: Io) => Promise<number>;

const runners: Readonly<Record<string, () => Promise<Run>>> = {
  check: async () => (await import('./check.ts')).runCheck,
  trace: async () => (await import('./trace.ts')).runTrace,
  queue: async () => (await import('./queue.ts')).runQueue,
  rbac: async () => (await import('./rbac.ts')).runRbac,
  run: async () => (await import('./run.ts')).runChild,
  start: async () => (await import('./start.ts')).runStart,
  open: async () => (await import('./start.ts')).runOpen,
  sessions: async () => (await import('./sessions.ts')).runSessions,
};

/** How long what is left open may hold up the end, ms. */
const lingerMs = 3_000;

// What the commands load below is stripped of its types and compiled once: a second start takes a third of the time. Not
// by NODE_COMPILE_CACHE, which every child would get too. A folder that cannot be written changes nothing.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/loopscope', import.meta.url)));

const io = processIo();
process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  io.note(
    `loopscope: this is a bug, please report it. ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
  );
  return exitCode.failed;
});
// Output that is still being written ends first; a socket that somebody forgot does not keep us.
setTimeout(() => process.exit(), lingerMs).unref();

async function main(argv: readonly string[]): Promise<number> {
  const [first, ...rest] = argv;
  if (first === undefined) {
    io.note(overview());
    return exitCode.usage;
  }
  if (first === '--version' || first === '-V' || first === 'version') {
    io.out(`loopscope ${version()}\n`);
    return exitCode.clean;
  }
  if (first === '--help' || first === '-h' || first === 'help') {
    const named = commands.find((command) => command.name === rest[0]);
    if (first === 'help' && rest[0] !== undefined && named === undefined)
      return usageError(unknownCommand(rest[0]));
    io.out(named === undefined ? overview() : commandHelp(named));
    return exitCode.clean;
  }
  const command = commands.find((one) => one.name === first);
  const runner = runners[first];
  if (command === undefined || runner === undefined) return usageError(unknownCommand(first));
  return runCommand(command, runner, rest);
}

async function runCommand(
  command: CommandSpec,
  runner: () => Promise<Run>,
  argv: readonly string[],
): Promise<number> {
  const parsed = parseArgs(command, argv);
  if (!parsed.ok) return usageError(`${parsed.error} See loopscope ${command.name} --help.`);
  if (parsed.value.help) {
    io.out(commandHelp(command));
    return exitCode.clean;
  }
  return (await runner())(parsed.value, io);
}

function usageError(message: string): number {
  io.note(`loopscope: ${message}`);
  return exitCode.usage;
}

function unknownCommand(name: string): string {
  if (name.startsWith('-'))
    return `a command comes first: loopscope COMMAND ${name} …. See loopscope --help.`;
  const hint = nearest(
    name,
    commands.map((command) => command.name),
  );
  return `there is no command ${name}.${hint === undefined ? '' : ` Did you mean ${hint}?`} See loopscope --help.`;
}

/** From package.json, beside this folder. */
function version(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}
