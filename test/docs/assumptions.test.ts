import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const PAGE = readFileSync('docs/emulator.md', 'utf8');

/** The tests of each suite: their titles without the sources behind them, and whether those call the fact assumed. */
const SUITES = readdirSync('test/contract')
  .filter((file) => file.endsWith('.contract.test.ts'))
  .map((file) => ({
    file,
    tests: [
      ...readFileSync(`test/contract/${file}`, 'utf8').matchAll(
        /^ {2}test\('(.+?)(?: \(([^()]*)\))?', async/gmu,
      ),
    ].map(([, title = '', sources = '']) => ({ title, isAssumed: /\bassumed\b/u.test(sources) })),
  }));

/** The tests that the list of assumptions names. */
const NAMED = [
  ...(PAGE.split('### Assumptions that writes depend on')[1] ?? '')
    .split('\n## ')
    .slice(0, 1)
    .join('')
    .matchAll(/^- (.+)$/gmu),
].map(([, title = '']) => title);

test('every assumption names a test of a suite', () => {
  const titles = new Set(SUITES.flatMap(({ tests }) => tests.map(({ title }) => title)));
  expect(NAMED.length).toBeGreaterThan(5);
  expect(NAMED.filter((title) => !titles.has(title))).toEqual([]);
});

test.each(SUITES)('every fact that $file calls assumed stands in the list', ({ tests }) => {
  const assumed = tests.flatMap(({ title, isAssumed }) => (isAssumed ? [title] : []));
  expect(assumed.length).toBeGreaterThan(1);
  expect(assumed.filter((title) => !NAMED.includes(title))).toEqual([]);
});
