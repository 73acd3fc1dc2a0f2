import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { driftOf } from '../../../src/app/planning/drift-of.ts';
import { driftPage, planPage } from '../printed.ts';
import { joinPieces } from '../../../src/report/pieces.ts';
import { colourfulPlan, largePlan, listsPlan } from './pages.ts';

const CHROMIUM = '/usr/bin/chromium';
const missing = !existsSync(CHROMIUM);
if (missing) {
  console.warn(`no ${CHROMIUM}: tests in a browser are skipped (apt-get install chromium)`);
}

describe.skipIf(missing)('the page in a browser', () => {
  let browser: Browser;
  let folder: string;
  /** The messages, errors, dialogs and requests of the page. */
  let complaints: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rulewright-page-'));
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
  });
  afterAll(async () => {
    await browser.close();
    await rm(folder, { recursive: true });
  });

  async function open(html: string, options: Parameters<Browser['newPage']>[0] = {}): Promise<Page> {
    const file = join(folder, 'page.html');
    await writeFile(file, html);
    complaints = [];
    const page = await browser.newPage(options);
    page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('dialog', (dialog) => complaints.push(dialog.message()));
    page.on('request', (request) => {
      if (!/^(?:file|data):/.test(request.url())) {
        complaints.push(request.url());
      }
    });
    await page.goto(pathToFileURL(file).href);
    return page;
  }

  const visibleRules = (page: Page): Promise<number> => page.locator('[data-kind]:visible').count();

  it.each([
    ['light', 1200],
    ['dark', 1200],
    ['light', 390],
    ['dark', 390],
  ] as const)(
    'reports no error and is accessible in %s mode at a width of %i',
    async (colorScheme, width) => {
      for (const html of [
        joinPieces(planPage(colourfulPlan())),
        joinPieces(driftPage(driftOf(colourfulPlan()))),
        joinPieces(planPage(listsPlan())),
      ]) {
        const page = await open(html, { colorScheme, viewport: { width, height: 900 } });
        // This goes through the debugger, to which the content security policy of the page does not apply.
        await page.evaluate(axe.source);
        const found = await page.evaluate<axe.AxeResults>('axe.run()');
        expect(found.violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
        expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
          width,
        );
        expect(complaints).toEqual([]);
        await page.close();
      }
    },
  );

  it('filters by kind, weakening, scope and text, and shows all rules again', async () => {
    const page = await open(joinPieces(planPage(colourfulPlan())));
    expect(await visibleRules(page)).toBe(5);
    await page.getByLabel('add', { exact: true }).uncheck();
    expect(await visibleRules(page)).toBe(3);
    expect(await page.locator('output').textContent()).toBe('3 of 5 changes');
    expect(await page.getByRole('heading', { name: 'blog.example' }).isVisible()).toBe(false);
    await page.getByLabel('only what weakens or affects every request').check();
    expect(await visibleRules(page)).toBe(2);
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect.poll(() => visibleRules(page)).toBe(5);
    await page.getByLabel('scope').selectOption('blog.example');
    expect(await visibleRules(page)).toBe(1);
    // A link to a rule that a filter hides shows all rules first.
    await page.getByRole('link', { name: 'weakened' }).first().click();
    await expect.poll(() => visibleRules(page)).toBe(5);
    await page.getByRole('searchbox', { name: 'find' }).fill('fewer REQUESTS');
    expect(await visibleRules(page)).toBe(1);
    // Rules are found by the name of their zone too.
    await page.getByRole('searchbox', { name: 'find' }).fill('Blog. add');
    expect(await visibleRules(page)).toBe(1);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('links a finding to its rule, unfolds the rule, and links back', async () => {
    const page = await open(joinPieces(planPage(colourfulPlan())));
    const rule = page.locator('.entry', { has: page.locator('.ref', { hasText: /^gone$/ }) });
    await page.getByRole('button', { name: 'Fold all' }).click();
    expect(await rule.locator('.fields').isVisible()).toBe(false);
    await page.getByRole('link', { name: 'protected' }).first().click();
    expect(await rule.locator('.fields').isVisible()).toBe(true);
    expect(await page.evaluate<string>('location.hash')).toBe(`#${await rule.getAttribute('id')}`);
    await rule.getByRole('link', { name: 'protected' }).click();
    expect(await page.locator('.callout li:target').textContent()).toContain('would be deleted');
    await page.getByRole('button', { name: 'Fold all' }).click();
    expect(await page.locator('.entry > details:not([open])').count()).toBe(0);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('filters lists as it does rules, and links a finding to its list', async () => {
    const page = await open(joinPieces(planPage(listsPlan())));
    const list = (name: string) => page.locator('.card', { has: page.getByRole('heading', { name }) });
    expect(await list('office').locator('.badge').textContent()).toBe('weakens');
    expect(await list('crawlers').locator('.badge').textContent()).toBe('strengthens');
    await page.getByLabel('only what weakens or affects every request').check();
    expect(await page.locator('output').textContent()).toBe('1 of 4 changes');
    expect(await list('office').isVisible()).toBe(true);
    expect(await list('crawlers').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByLabel('patch', { exact: true }).uncheck();
    expect(await list('office').isVisible()).toBe(false);
    await page.locator('.callout').getByRole('link', { name: 'weakened' }).click();
    await expect.poll(() => list('office').isVisible()).toBe(true);
    await list('office').getByRole('link', { name: 'weakened' }).click();
    expect(await page.locator('.callout li:target').textContent()).toContain('fewer for office');
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('draws a line for each move from the old row to the new one', async () => {
    const page = await open(joinPieces(planPage(colourfulPlan())));
    const [from, to, path] = await Promise.all(
      ['.columns > div:first-child li.moved', '.columns > div:last-child li.moved', '.columns path'].map(
        (what) => page.locator(what).boundingBox(),
      ),
    );
    const middle = (box: typeof from): number => (box?.y ?? 0) + (box?.height ?? 0) / 2;
    // The rule moves up: the line begins at its lower end.
    expect((path?.y ?? 0) - middle(to)).toBeCloseTo(0, -1);
    expect((path?.y ?? 0) + (path?.height ?? 0) - middle(from)).toBeCloseTo(0, -1);
    expect(middle(from) - middle(to)).toBeGreaterThan(50);
    await page.close();
  });

  it('shows everything but the filters without script', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await writeFile(join(folder, 'plain.html'), joinPieces(planPage(colourfulPlan())));
    await page.goto(pathToFileURL(join(folder, 'plain.html')).href);
    expect(await visibleRules(page)).toBe(5);
    expect(await page.locator('form').isVisible()).toBe(false);
    expect(await page.locator('.columns path').count()).toBe(1);
    await context.close();
  });

  it('filters a plan of 2,000 changes', async () => {
    const page = await open(joinPieces(planPage(largePlan(2_000))));
    await page.getByRole('searchbox', { name: 'find' }).fill('moved-7');
    expect(await page.locator('output').textContent()).toBe('20 of 2000 changes');
    await page.getByRole('searchbox', { name: 'find' }).fill('nowhere');
    expect(await page.locator('output').textContent()).toContain('No change matches');
    expect(await visibleRules(page)).toBe(0);
    // Whoever approves on paper does not see that something was filtered out.
    await page.emulateMedia({ media: 'print' });
    await expect.poll(() => page.locator('[data-kind][hidden]').count()).toBe(0);
    await page.emulateMedia({ media: 'screen' });
    await expect.poll(() => visibleRules(page)).toBe(0);
    expect(complaints).toEqual([]);
    await page.close();
  });
});
