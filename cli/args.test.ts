import { expect, test } from 'vitest';
import { type CommandSpec, nearest, parseArgs, parseDurationMs } from './args.ts';
import { commands } from './commands.ts';
import { commandHelp, overview } from './help.ts';

const spec: CommandSpec = {
  name: 'demo',
  summary: 'Demo',
  usage: 'loopscope demo',
  positionals: 1,
  trailing: true,
  examples: [['loopscope demo', 'x']],
  flags: [
    { name: 'json', kind: 'switch', help: '' },
    { name: 'context', kind: 'text', value: 'NAME', help: '' },
    { name: 'namespace', short: 'n', kind: 'list', help: '' },
    { name: 'for', kind: 'duration', value: 'TIME', help: '' },
    { name: 'port', kind: 'port', help: '' },
    { name: 'example', kind: 'optional', value: 'ID', help: '' },
  ],
};
function parsed(...argv: string[]) {
  const result = parseArgs(spec, argv);
  if (!result.ok) throw new Error(result.error);
  return result.value;
}
function refused(...argv: string[]): string {
  const result = parseArgs(spec, argv);
  return result.ok ? 'accepted' : result.error;
}

test('flags in both spellings, repeated lists, positionals anywhere, a command line after --', () => {
  const args = parsed(
    'target',
    '--json',
    '--context=a=b',
    '-n',
    'x',
    '--namespace',
    'y',
    '--for',
    '1m30s',
    '--port=0',
    '--',
    'make',
    '--json',
  );
  expect([args.positionals, args.trailing]).toEqual([['target'], ['make', '--json']]);
  expect([args.has('json'), args.text('context'), args.list('namespace')]).toEqual([true, 'a=b', ['x', 'y']]);
  expect([args.number('for'), args.number('port'), args.has('nothing')]).toEqual([90_000, 0, false]);
  expect(parsed('-').positionals).toEqual(['-']);
  expect(parsed('--help', 'a', 'b').help).toBe(true);
});

test('what is not known or does not fit is a sentence', () => {
  expect(refused('--jason')).toBe('demo has no flag --jason. Did you mean --json?');
  expect(refused('--ns', 'a')).toBe('demo has no flag --ns.');
  expect(refused('-x')).toBe('demo has no flag -x.');
  expect(refused('--names', 'a')).toContain('Did you mean --namespace?');
  expect(refused('--context')).toBe('--context needs a value: --context NAME.');
  expect(refused('--context', '--json')).toBe('--context needs a value: --context NAME.');
  expect(refused('--context=')).toContain('needs a value');
  expect(refused('--json=yes')).toBe('--json takes no value.');
  expect(refused('--context', 'a', '--context', 'b')).toBe('--context is given twice.');
  expect(refused('a', 'b')).toBe('demo takes one argument; "b" is one too many.');
  expect(refused('--port', '70000')).toContain('a port from 0');
  expect(refused('--for', '10')).toContain('a duration such as 10s');
  expect(parseArgs({ ...spec, trailing: false }, ['--', 'x'])).toMatchObject({ ok: false });
});

test('a flag with an optional value takes a plain name behind it, never a file or a flag', () => {
  const value = (...argv: string[]) => [parsed(...argv).text('example'), parsed(...argv).positionals];
  expect(value('--example')).toEqual(['', []]);
  expect(value('--example', 'hot-loop')).toEqual(['hot-loop', []]);
  expect(value('--example=hot-loop')).toEqual(['hot-loop', []]);
  expect(value('--example=')).toEqual(['', []]);
  expect(value('--example', 'a.loopscope')).toEqual(['', ['a.loopscope']]);
  expect(value('--example', './a')).toEqual(['', ['./a']]);
  expect(value('--example', '--json')).toEqual(['', []]);
  expect(value()).toEqual([undefined, []]);
  expect(refused('--example', 'a', '--example')).toBe('--example is given twice.');
  expect(commandHelp(spec)).toContain('--example [ID]');
});

test('durations', () => {
  expect(['10s', '1.5s', '500ms', '2h', '0', '1m30s'].map(parseDurationMs)).toEqual([
    10_000, 1_500, 500, 7_200_000, 0, 90_000,
  ]);
  expect(['', '10', 's', '-1s', '1 s', '1d', '600h'].map(parseDurationMs)).toEqual(Array(7).fill(undefined));
});

test('the nearest name, when it is near', () => {
  expect(nearest('chek', ['check', 'run'])).toBe('check');
  expect(nearest('export', ['check', 'run', 'start'])).toBeUndefined();
});

test('every command has help with its flags and at least two examples that its own parser accepts', () => {
  for (const command of commands) {
    const help = commandHelp(command);
    for (const flag of command.flags) expect(help).toContain(`--${flag.name}`);
    expect(command.examples.length).toBeGreaterThan(1);
    for (const [line] of command.examples) {
      // Words as a shell would split them: one quoted part at most.
      const words = line.match(/'[^']*'|\S+/g)?.slice(2) ?? [];
      expect(parseArgs(command, words)).toMatchObject({ ok: true });
    }
    expect(overview()).toContain(command.summary);
  }
});
