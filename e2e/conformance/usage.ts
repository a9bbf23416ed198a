/** What `npm run conformance` may be given: files, or a wish for help. */

export type ConformanceArguments =
  | { readonly kind: 'run'; readonly files: readonly string[] }
  | { readonly kind: 'help' | 'wrong'; readonly text: string };

const usage = [
  'npm run conformance              replay every vector file under e2e/vectors against the product',
  'npm run conformance -- FILE…     replay these; the base name says the kind: limiters.jsonl, workqueue.jsonl …',
  '',
  'Each file gives "kind: N passed, N failed"; the last line is the total.',
  'exit codes: 0 all passed · 1 a line failed · 2 a file could not be replayed, or wrong arguments',
].join('\n');

/** A flag is never taken for a file; after `--` everything is one. */
export function readArguments(argv: readonly string[]): ConformanceArguments {
  const end = argv.indexOf('--');
  const flags = (end < 0 ? argv : argv.slice(0, end)).filter((arg) => arg.startsWith('-'));
  if (flags.some((flag) => flag === '--help' || flag === '-h')) return { kind: 'help', text: usage };
  const [unknown] = flags;
  if (unknown !== undefined)
    return { kind: 'wrong', text: `conformance has no flag ${unknown}.\n\n${usage}` };
  return { kind: 'run', files: argv.filter((_, index) => index !== end) };
}
