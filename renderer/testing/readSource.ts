/** Text of a file beside a test. Vitest empties imported CSS, and this project has no node types: so a small door. */
interface NodeDoor {
  readonly process: {
    getBuiltinModule(name: 'node:fs'): { readFileSync(path: URL, encoding: 'utf8'): string };
  };
}

export function readSource(relative: string, base: string): string {
  const { process } = globalThis as unknown as NodeDoor;
  return process.getBuiltinModule('node:fs').readFileSync(new URL(relative, base), 'utf8');
}
