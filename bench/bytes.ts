/** What an event takes on disk: in the recorded incidents of assets/demo, against their text and its gzip -6. */
import { copyFileSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { compactSession } from '../core/node/sqliteCopy.ts';
import { openForReading } from '../core/node/sqliteReading.ts';
import { systemClock } from '../core/node/systemClock.ts';

const assets = fileURLToPath(new URL('../assets/demo', import.meta.url));

export async function benchBytes(say: (line: string) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'loopscope-bytes-'));
  say('bytes an event in recorded sessions');
  try {
    for (const name of readdirSync(assets).filter((one) => one.endsWith('.loopscope'))) {
      const file = join(folder, name);
      copyFileSync(join(assets, name), file);
      const compact = join(folder, `compact-${name}`);
      const copied = await compactSession(file, compact);
      if (!copied.ok) throw new Error(copied.error.message);
      const label = name.replace('.loopscope', '').padEnd(20);
      say(`  ${label} ${bytesOf(file)}; a compact copy ${(copied.value.bytes / 1000).toFixed(0)} kB`);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** One session file in one line. Throws when it cannot be opened. */
function bytesOf(file: string): string {
  const opened = openForReading(file, { clock: systemClock });
  if (!opened.ok) throw new Error(opened.error.message);
  const log = opened.value;
  const payloads = [...log.heads({})].map(({ seq }) => log.payload(seq) ?? '');
  log.close();
  const text = payloads.join('\n');
  const raw = Buffer.byteLength(text);
  const { size } = statSync(file);
  const gzip = gzipSync(text, { level: 6 }).length;
  const each = (bytes: number) => (bytes / payloads.length).toFixed(0).padStart(5);
  return (
    `${String(payloads.length).padStart(6)} events, ${each(raw)} bytes of text each, ${each(size)} in the file, ` +
    `${(size / gzip).toFixed(2)} × gzip -6, ${(size / 1000).toFixed(0)} kB`
  );
}
