import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the repository. */
export const repositoryRoot = fileURLToPath(new URL('../..', import.meta.url));

/** Where built binaries are kept: outside the tree, shared by all clones of one user. */
export function cacheRoot(): string {
  const base = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  return join(base, 'loopscope', 'e2e');
}

/** Path of a file below e2e/operator/config, such as `role.yaml`. */
export function operatorManifest(name: string): string {
  return join(repositoryRoot, 'e2e', 'operator', 'config', name);
}

/** Path of a file below e2e/testbed/manifests, such as `reader.yaml`. */
export function testbedManifest(name: string): string {
  return join(repositoryRoot, 'e2e', 'testbed', 'manifests', name);
}

/** Short hash over `salt` and the Go sources, go.mod and go.sum below `folders`: the key of a built binary. */
export function sourceKey(folders: readonly string[], salt: string): string {
  const hash = createHash('sha256').update(salt);
  for (const folder of folders) {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.go') || name.endsWith('go.mod') || name.endsWith('go.sum'))
      .sort();
    for (const name of names) {
      hash
        .update(name)
        .update('\0')
        .update(readFileSync(join(folder, name)))
        .update('\0');
    }
  }
  return hash.digest('hex').slice(0, 16);
}
