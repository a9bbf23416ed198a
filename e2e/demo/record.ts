/**
 * `npm run demo:record [-- ID…]`: plays the incidents of assets/demo again on real clusters with a real operator and
 * records them with the engine. All at once, each on a cluster of its own; about four minutes.
 */
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../testbed/paths.ts';
import { assetFolder, type DemoManifest, maxDemoBytes, sessionPath, writeManifest } from './assets.ts';
import { incidents } from './incidents.ts';
import { copyNeutral, machineNames } from './neutral.ts';
import { type Incident, recordIncident } from './stage.ts';

async function main(args: readonly string[]): Promise<number> {
  const known = incidents.map(({ id }) => id);
  const wrong = args.filter((id) => !known.includes(id));
  if (wrong.length > 0) {
    console.error(
      `there is no incident ${wrong.join(', ')}\nusage: npm run demo:record [-- ID…], of ${known.join(', ')}`,
    );
    return 2;
  }
  const wanted = incidents.filter(({ id }) => args.length === 0 || args.includes(id));
  const longest = Math.max(...wanted.map(({ ms }) => ms)) / 1000;
  console.log(
    `Recording ${wanted.map(({ id }) => id).join(', ')}: about ${Math.ceil(longest / 60) + 1} minutes.`,
  );
  const done = await Promise.allSettled(wanted.map(recordOne));
  const failed = done.filter((one) => one.status === 'rejected');
  for (const { reason } of failed) console.error(reason instanceof Error ? reason.message : reason);
  return failed.length === 0 ? 0 : 1;
}

async function recordOne(incident: Incident): Promise<void> {
  const say = (line: string) => console.log(`${incident.id.padEnd(20)} ${line}`);
  const recorded = await recordIncident(incident, say);
  const { version } = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')) as {
    version: string;
  };
  const copy = join(recorded.folder, `${incident.id}.loopscope`);
  const records = copyNeutral(recorded.file, copy, machineNames(recorded), version);
  const { size } = statSync(copy);
  if (size >= maxDemoBytes)
    throw new Error(`${incident.id} is ${size} bytes; less than ${maxDemoBytes} are allowed`);
  const manifest: DemoManifest = {
    id: incident.id,
    recordedAt: recorded.from,
    kubernetes: recorded.kubernetes,
    ms: recorded.to - recorded.zero,
    records,
    bytes: size,
  };
  mkdirSync(assetFolder, { recursive: true });
  copyFileSync(copy, sessionPath(incident.id));
  // A user's session is theirs alone; this one is everybody's.
  chmodSync(sessionPath(incident.id), 0o644);
  writeManifest(manifest);
  rmSync(recorded.folder, { recursive: true });
  say(`${records} records, ${(size / 1000).toFixed(0)} kB`);
}

process.exitCode = await main(process.argv.slice(2));
