/** The folder of recorded incidents, as the recorder writes it and tests read it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Demo } from '../../shared/contract/views/playback.ts';
import { repositoryRoot } from '../testbed/paths.ts';

export const assetFolder = join(repositoryRoot, 'assets', 'demo');

/** A demo stays below this: they are part of every clone and every package. */
export const maxDemoBytes = 1_000_000;

export type DemoManifest = Omit<Demo, 'problem'>;

export function sessionPath(id: string): string {
  return join(assetFolder, `${id}.loopscope`);
}

export function manifestPath(id: string): string {
  return join(assetFolder, `${id}.json`);
}

export function writeManifest(manifest: DemoManifest): void {
  writeFileSync(manifestPath(manifest.id), `${JSON.stringify(manifest, undefined, 2)}\n`);
}
