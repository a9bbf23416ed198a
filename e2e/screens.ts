/**
 * Pictures of every view in its states, told by the scripted engine: `node e2e/screens.ts [part of a name …]`. Builds
 * the window and opens it in Chromium with a frozen clock and writes test-results/screens/*.png.
 * With --axe each page is also checked for accessibility, with --cut for text that is cut and has no tooltip. Exit
 * code 1 when a page logged an error or a check found one.
 */
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { chromiumFlags, chromiumPlaces, findChromium } from './browser/chromiumBinary.ts';
import { serveScripted } from './scriptedServer.ts';

export interface Shot {
  readonly name: string;
  readonly query: string;
  readonly width?: number;
  readonly height?: number;
}

const root = join(import.meta.dirname, '..');
const outDir = join(root, 'test-results/screens');
const views = [
  'why',
  'timeline',
  'conditions',
  'ownership',
  'queue',
  'rbac',
  'informers',
  'events',
  'findings',
] as const;
const themes = ['dark', 'light'] as const;

export const shots: readonly Shot[] = [
  ...views.flatMap((view) => [
    ...themes.map((theme) => ({ name: `${view}-${theme}`, query: `view=${view}&theme=${theme}` })),
    { name: `${view}-narrow`, query: `view=${view}&theme=dark`, width: 1024, height: 700 },
    { name: `${view}-zh`, query: `view=${view}&theme=light&locale=zh-CN` },
    ...(['empty', 'forbidden', 'lost', 'loading', 'toomuch'] as const).map((state) => ({
      name: `${view}-${state}`,
      query: `view=${view}&theme=light&state=${state}`,
    })),
  ]),
  ...(['idle', 'consent', 'syncing', 'failing', 'nokubeconfig'] as const).flatMap((state) =>
    themes.map((theme) => ({ name: `connect-${state}-${theme}`, query: `state=${state}&theme=${theme}` })),
  ),
  ...(['opening', 'opened', 'behind', 'demo', 'ended', 'diskfull'] as const).flatMap((state) =>
    themes.map((theme) => ({
      name: `recording-${state}-${theme}`,
      query: `view=queue&state=${state}&theme=${theme}`,
    })),
  ),
  { name: 'recording-narrow', query: 'view=findings&state=behind&theme=dark', width: 1024, height: 700 },
  { name: 'recording-small', query: 'view=queue&state=behind&theme=light', width: 820, height: 600 },
  { name: 'recording-zh', query: 'view=queue&state=demo&theme=light&locale=zh-CN' },
  { name: 'connect-small', query: 'state=idle&theme=dark', width: 820, height: 600 },
  { name: 'connect-narrow', query: 'state=idle&theme=light', width: 1024, height: 700 },
  { name: 'connect-zh', query: 'state=consent&theme=dark&locale=zh-CN' },
  { name: 'timeline-yaml', query: 'view=timeline&theme=dark&mode=yaml&version=157988' },
  { name: 'timeline-owners', query: 'view=timeline&theme=light&mode=owners&version=157988' },
  {
    name: 'timeline-gap',
    query: 'view=timeline&theme=light&object=/ConfigMap/shop/orders-settings&version=166040',
  },
  ...themes.map((theme) => ({
    name: `ownership-deleting-${theme}`,
    query: `view=ownership&theme=${theme}&object=db.example.com/Database/shop/legacy-db`,
  })),
  {
    name: 'ownership-deleting-narrow',
    query: 'view=ownership&theme=dark&object=db.example.com/Database/shop/legacy-db',
    width: 1024,
    height: 700,
  },
  {
    name: 'ownership-deleting-zh',
    query: 'view=ownership&theme=light&locale=zh-CN&object=db.example.com/Database/shop/legacy-db',
  },
  ...themes.map((theme) => ({
    name: `sources-${theme}`,
    query: `view=informers&theme=${theme}&segment=sources`,
  })),
  {
    name: 'sources-narrow',
    query: 'view=informers&theme=dark&segment=sources',
    width: 1024,
    height: 700,
  },
  { name: 'sources-zh', query: 'view=informers&theme=light&segment=sources&locale=zh-CN' },
  ...(['empty', 'forbidden', 'lost', 'loading', 'toomuch', 'opened', 'watchesonly'] as const).map(
    (state) => ({
      name: `sources-${state}`,
      query: `view=informers&theme=light&segment=sources&state=${state}`,
    }),
  ),
  ...themes.map((theme) => ({ name: `history-${theme}`, query: `view=queue&part=history&theme=${theme}` })),
  { name: 'history-narrow', query: 'view=queue&part=history&theme=dark', width: 1024, height: 700 },
  { name: 'history-zh', query: 'view=queue&part=history&theme=light&locale=zh-CN' },
  ...(['forbidden', 'lost', 'loading', 'watchesonly'] as const).map((state) => ({
    name: `history-${state}`,
    query: `view=queue&part=history&theme=light&state=${state}`,
  })),
  ...(['deriving', 'revised', 'underived'] as const).map((state) => ({
    name: `revision-${state}`,
    query: `view=informers&theme=dark&segment=sources&state=${state}`,
  })),
  ...themes.map((theme) => ({
    name: `reconciles-${theme}`,
    query: `view=queue&part=reconciles&theme=${theme}&span=5c1e0f7a-9d3b-4e61-9a0c-7f2d41b86c55`,
  })),
  { name: 'reconciles-narrow', query: 'view=queue&part=reconciles&theme=dark', width: 1024, height: 700 },
  { name: 'reconciles-zh', query: 'view=queue&part=reconciles&theme=light&locale=zh-CN' },
  ...(['empty', 'forbidden', 'lost', 'loading', 'toomuch', 'opened'] as const).map((state) => ({
    name: `reconciles-${state}`,
    query: `view=queue&part=reconciles&theme=light&state=${state}`,
  })),
  {
    name: 'reconciles-nomatch',
    query: 'view=queue&part=reconciles&theme=dark&filter=result%3Apanic%20key%3Aorders',
  },
  { name: 'timeline-version', query: 'view=timeline&theme=light&version=152240' },
  { name: 'informers-requests', query: 'view=informers&theme=light&segment=requests' },
  { name: 'findings-closed', query: 'view=findings&theme=light&state=closed' },
  { name: 'rbac-closed', query: 'view=rbac&theme=dark&state=closed' },
  { name: 'events-selected', query: 'view=events&theme=dark&event=158090' },
  { name: 'profile', query: 'view=queue&theme=dark&profile' },
  { name: 'profile-light', query: 'view=queue&theme=light&profile' },
  { name: 'syncing-early', query: 'view=events&theme=dark&state=syncing&early' },
  { name: 'settings', query: 'view=queue&theme=dark&settings=appearance' },
  { name: 'settings-keys', query: 'view=queue&theme=light&settings=keys' },
  {
    name: 'settings-keys-zh',
    query: 'view=queue&theme=dark&settings=keys&locale=zh-CN',
    width: 1024,
    height: 700,
  },
  { name: 'timeline-none', query: 'view=timeline&theme=dark&object=' },
  {
    name: 'ownership-none-zh',
    query: 'view=ownership&theme=light&locale=zh-CN&object=',
    width: 1024,
    height: 700,
  },
  { name: 'filter-wrong', query: 'view=informers&theme=dark&filter=gap%3E5%20kind:' },
  { name: 'nav-hidden', query: 'view=queue&theme=light&nav=hidden' },
  { name: 'palette', query: 'view=queue&theme=dark&palette' },
  { name: 'help', query: 'view=timeline&theme=light&help' },
  ...themes.map((theme) => ({ name: `gallery-${theme}`, query: `gallery&theme=${theme}`, height: 1500 })),
  { name: 'queue-wide', query: 'view=queue&theme=dark', width: 1920, height: 1080 },
  { name: 'queue-small', query: 'view=queue&theme=light', width: 860, height: 600 },
];

if (import.meta.main) process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const checks = { axe: args.includes('--axe'), cut: args.includes('--cut') };
  const wanted = args.filter((arg) => !arg.startsWith('--'));
  const chosen = shots.filter(
    (shot) => wanted.length === 0 || wanted.some((part) => shot.name.includes(part)),
  );
  await mkdir(outDir, { recursive: true });
  const server = await serveScripted();
  try {
    const browser = await launch();
    try {
      const problems = await takeAll(browser, server.base, chosen, checks);
      for (const problem of problems) console.error(problem);
      console.log(`${chosen.length} pictures in test-results/screens, ${problems.length} problems`);
      return problems.length === 0 ? 0 : 1;
    } finally {
      await browser.close();
    }
  } finally {
    await server.stop();
  }
}

async function takeAll(
  browser: Browser,
  base: string,
  chosen: readonly Shot[],
  checks: { readonly axe: boolean; readonly cut: boolean },
): Promise<readonly string[]> {
  const problems: string[] = [];
  const axe = checks.axe ? await readFile(join(root, 'node_modules/axe-core/axe.min.js'), 'utf8') : undefined;
  for (const shot of chosen) {
    const context = await browser.newContext({
      viewport: { width: shot.width ?? 1440, height: shot.height ?? 900 },
      reducedMotion: 'reduce',
      locale: 'en-US',
    });
    const page = await context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(`${shot.name}: ${message.text()}`);
    });
    page.on('pageerror', (error) => problems.push(`${shot.name}: ${error.message}`));
    await page.goto(`${base}?${shot.query}`, { waitUntil: 'networkidle' });
    await page.evaluate(() => document.fonts.ready);
    await page.waitForTimeout(250);
    await page.screenshot({ path: join(outDir, `${shot.name}.png`) });
    if (axe !== undefined) {
      await page.evaluate(axe);
      const found = (await page.evaluate(
        `axe.run(document, { resultTypes: ['violations'] }).then((r) => r.violations.map((v) =>
          v.id + ': ' + v.nodes.slice(0, 3).map((n) => n.target.join(' ') + ' ' + (n.any[0]?.message ?? '')).join(' | ')))`,
      )) as readonly string[];
      problems.push(...found.map((line) => `${shot.name}: axe ${line}`));
    }
    if (checks.cut) {
      const cut = await page.evaluate(findCutText);
      problems.push(...cut.map((line) => `${shot.name}: cut ${line}`));
    }
    await context.close();
  }
  return problems;
}

/** Elements whose text is cut off and of which nothing around it tells the whole. Runs in the page. */
export function findCutText(): readonly string[] {
  const found: string[] = [];
  for (const element of document.querySelectorAll<HTMLElement>('body *')) {
    const style = getComputedStyle(element);
    if (style.overflowX !== 'hidden' || style.textOverflow !== 'ellipsis') continue;
    if (element.scrollWidth <= element.clientWidth + 1 || element.clientWidth === 0) continue;
    const told = element.closest('[title], [data-tip]') ?? element.querySelector('[title]');
    if (told !== null || element.closest('[aria-describedby], button, [role="option"]') !== null) continue;
    found.push(`${element.className}: ${(element.textContent ?? '').slice(0, 60)}`);
  }
  return found;
}

function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: findChromium() ?? chromiumPlaces()[0] ?? '',
    args: chromiumFlags,
  });
}
