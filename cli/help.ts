/** Help texts, made from the commands' own tables. */
import type { CommandSpec, FlagSpec } from './args.ts';
import { commands } from './commands.ts';

export function overview(): string {
  return [
    'Loopscope: a debugger for the Kubernetes control loop. It only reads.',
    '',
    'usage: loopscope COMMAND [flags]',
    '',
    ...columns(commands.map((command) => [command.name, command.summary])),
    '',
    'examples:',
    ...columns(commands.flatMap((command) => command.examples.slice(0, 2))),
    '',
    'loopscope COMMAND --help tells more. loopscope --version prints the version.',
    '',
    ...exitCodes,
    '',
  ].join('\n');
}

export function commandHelp(command: CommandSpec): string {
  return [
    `${command.summary}.`,
    '',
    `usage: ${command.usage}`,
    ...(command.details === undefined ? [] : ['', command.details]),
    '',
    'flags:',
    ...columns([
      ...command.flags.map((flag) => [flagName(flag), flag.help] as const),
      ['-h, --help', 'this text'],
    ]),
    '',
    'examples:',
    ...columns(command.examples),
    '',
    ...exitCodes,
    '',
  ].join('\n');
}

const exitCodes = [
  'exit codes: 0 clean · 1 could not be done (unreachable, TLS, 401, credential plugin) · 2 wrong arguments, kubeconfig or',
  'TARGET · 3 an error was found · 4 warnings only · 5 not everything could be evaluated (--fail-on-incomplete)',
];

function flagName(flag: FlagSpec): string {
  const short = flag.short === undefined ? '' : `-${flag.short}, `;
  const value = flag.value ?? 'VALUE';
  if (flag.kind === 'switch') return `${short}--${flag.name}`;
  return `${short}--${flag.name} ${flag.kind === 'optional' ? `[${value}]` : value}`;
}

/** Two columns; what is too long for the first pushes its second to the next line. */
function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.min(36, Math.max(...rows.map(([left]) => left.length)));
  return rows.flatMap(([left, right]) =>
    left.length > width
      ? [`  ${left}`, `  ${' '.repeat(width)}  ${right}`]
      : [`  ${left.padEnd(width)}  ${right}`],
  );
}
