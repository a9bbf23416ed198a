// Copies the golden vectors from a folder (default: the shared one beside the clone) into e2e/vectors.
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const from = process.argv[2] ?? join(import.meta.dirname, '../../shared/vectors');
for (const name of readdirSync(from)) {
  if (name.endsWith('.jsonl') || name === 'README.md')
    cpSync(join(from, name), join(import.meta.dirname, 'vectors', name));
}
