/** Sources, revisions and history in the window, told by the scripted engine. */
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { describeViolation, runAxe } from './axe.ts';
import { scriptedBedOrSkip } from './scriptedPage.ts';
import { see } from './windowPage.ts';

describe('sources and history', { timeout: 60_000 }, async () => {
  const bed = await scriptedBedOrSkip();
  if (bed === undefined) return;
  const open = (query: string): Promise<Page> => bed.open(query);
  afterAll(async () => {
    bed.assertClean();
    await bed.stop();
  });

  test('a clock that is off is named, with what is done about it', async () => {
    const page = await open('view=informers&segment=sources');
    await page.getByRole('row').filter({ hasText: '+1.2 s' }).click();
    const inspector = page.getByRole('complementary', { name: 'Inspector' });
    await see(
      inspector.getByText(/1\.2 s ahead of ours.*moved by −1\.2 s before they are compared/),
      'its clock',
    );
    await page.close();
  });

  test('what is blocked shows the rule that would allow it; consent can be refused and given', async () => {
    const page = await open('view=informers&segment=sources');
    await page.getByRole('button', { name: 'Show the rule' }).click();
    await see(page.getByRole('region', { name: 'What would allow it' }).getByText('pods/log'), 'the rule');
    const attach = page.getByRole('button', { name: /^Attach database-operator.*:8080$/ });
    await attach.click();
    const dialog = page.getByRole('dialog', { name: /^Read metrics of/ });
    await see(dialog.getByText(/Only GET \/metrics is ever sent/), 'what is asked for');
    expect((await runAxe(page)).violations.map(describeViolation)).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await attach.click();
    await dialog.getByRole('button', { name: 'Allow and attach' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.close();
  });

  test('an import that is refused says so under its field, and keeps what was typed', async () => {
    const page = await open('view=informers&segment=sources');
    const path = page.getByRole('textbox', { name: 'Read an audit log' });
    await path.fill('./nowhere.jsonl');
    const form = page.locator('form').filter({ has: path });
    await form.getByRole('button', { name: 'Import once' }).click();
    await see(form.getByRole('alert').filter({ hasText: './nowhere.jsonl' }), 'why not');
    expect(await path.inputValue()).toBe('./nowhere.jsonl');
    await path.fill('./elsewhere.jsonl');
    expect(await form.getByRole('alert').count(), 'the old sentence is gone').toBe(0);
    await page.close();
  });

  test('nothing can be attached to a recording, and the page says it', async () => {
    const page = await open('view=informers&segment=sources&state=opened');
    await see(page.getByText(/^This is a recording: nothing can be attached/), 'the reason');
    expect(await page.getByRole('button', { name: /^Attach/ }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Detach' }).count()).toBe(0);
    await page.close();
  });

  test('a revision: progress with Cancel, then what it changed, listed by one press', async () => {
    const deriving = await open('view=queue&state=deriving');
    await see(
      deriving.getByText('Deriving the past again with audit.jsonl: 12,400 of 48,000 records'),
      'the progress in words',
    );
    const bar = deriving.getByRole('progressbar', { name: 'Deriving the past again' });
    expect(await bar.getAttribute('aria-valuenow')).toBe('26');
    await deriving.close();
    const revised = await open('view=events&state=revised');
    await see(
      revised.getByText('Revision 3: 14 reconciles changed, 2 added, 1 removed by audit.jsonl'),
      'what it changed',
    );
    await revised.getByRole('button', { name: 'Show them' }).click();
    await see(revised.getByRole('radio', { name: 'Reconciles', checked: true }), 'the list of reconciles');
    const runs = revised.getByRole('row').filter({ hasText: /Reconcile|shop\/users-db/ });
    expect(await runs.count()).toBeGreaterThan(0);
    expect(await runs.filter({ hasNotText: 'Revised by audit.jsonl' }).count(), 'others are left out').toBe(
      0,
    );
    await revised.getByRole('button', { name: 'Dismiss' }).click();
    expect(await revised.getByText(/^Revision 3/).count()).toBe(0);
    await revised.close();
    const lost = await open('view=queue&state=underived');
    await see(lost.getByRole('button', { name: 'Derive again' }), 'the way to take it up again');
    await lost.close();
  });

  test('one crosshair through all charts, by pointer and by key; a drag selects a range', async () => {
    const page = await open('view=queue&part=history');
    const moment = page.getByRole('slider', { name: 'Moment in the charts' });
    await moment.waitFor();
    await moment.focus();
    await page.keyboard.press('Home');
    expect(await moment.getAttribute('aria-valuetext')).toMatch(/^13:40:00: Rate, metrics \d/);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Shift+ArrowRight');
    expect(await moment.getAttribute('aria-valuenow')).toBe('11');
    await page.keyboard.press('Escape');
    expect(await moment.getAttribute('aria-valuetext')).toBe('No moment chosen');
    const box = await moment.boundingBox();
    if (box === null) throw new Error('the charts have no size');
    await page.mouse.move(box.x + box.width * 0.5, box.y + 90);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.75, box.y + 90, { steps: 4 });
    await page.mouse.up();
    await see(page.getByRole('button', { name: 'Leave the selected range' }), 'a range is selected');
    const slots = Number(await moment.getAttribute('aria-valuemax'));
    expect(slots).toBeGreaterThan(40);
    expect(slots).toBeLessThan(60);
    await page.mouse.dblclick(box.x + box.width * 0.5, box.y + 90);
    expect(Number(await moment.getAttribute('aria-valuemax'))).toBeGreaterThan(180);
    await page.close();
  });

  test('T shows the charts as a table', async () => {
    const page = await open('view=queue&part=history');
    await page.getByRole('slider', { name: 'Moment in the charts' }).waitFor();
    await page.keyboard.press('t');
    const table = page.getByRole('grid', { name: 'History as a table' });
    await see(table.getByRole('row').filter({ hasText: '14:11:50' }), 'a slot');
    expect((await runAxe(page)).violations.map(describeViolation)).toEqual([]);
    await page.keyboard.press('t');
    await page.getByRole('slider', { name: 'Moment in the charts' }).waitFor();
    await page.close();
  });

  test('the model against the metrics: what is off is said, with the gap it falls into', async () => {
    const page = await open('view=queue');
    await see(page.getByText('Model agrees with metrics 99.9 %'), 'the meter');
    await see(
      page.getByText(/^retries_total is 1 above what the model allows\. Watches did not see 7\.1 s/),
      'why',
    );
    await page.close();
  });
});
