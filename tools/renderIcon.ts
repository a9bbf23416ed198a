/**
 * `node tools/renderIcon.ts`: assets/icon.png (1024) and assets/icon-512.png from assets/icon.svg, drawn by the Chromium
 * that CHROMIUM names (default /usr/bin/chromium). Run it after the drawing was changed; the pictures are committed.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repositoryRoot } from './suites.ts';

const assets = join(repositoryRoot, 'assets');
const folder = mkdtempSync(join(tmpdir(), 'loopscope-icon-'));
try {
  const drawing = readFileSync(join(assets, 'icon.svg'), 'utf8');
  for (const [size, name] of [
    [1024, 'icon.png'],
    [512, 'icon-512.png'],
  ] as const) {
    const page = join(folder, `${size}.html`);
    writeFileSync(
      page,
      `<!doctype html><style>html,body{margin:0;background:transparent}svg{display:block;width:${size}px;height:${size}px}</style>${drawing}`,
    );
    const target = join(assets, name);
    execFileSync(
      process.env.CHROMIUM ?? '/usr/bin/chromium',
      [
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        '--hide-scrollbars',
        '--force-device-scale-factor=1',
        '--default-background-color=00000000',
        `--user-data-dir=${join(folder, 'profile')}`,
        `--window-size=${size},${size}`,
        `--screenshot=${target}`,
        `file://${page}`,
      ],
      { stdio: ['ignore', 'ignore', 'ignore'], timeout: 60_000 },
    );
    console.log(`assets/${name}: ${size} × ${size}, ${Math.round(statSync(target).size / 1000)} kB`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
