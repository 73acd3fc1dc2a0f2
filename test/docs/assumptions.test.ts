import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const PAGE = readFileSync('docs/emulator.md', 'utf8');
const SUITE = readFileSync('test/contract/service.contract.test.ts', 'utf8');

/** The titles of the suite, without the sources behind them, and whether those call their fact assumed. */
const TITLES = [...SUITE.matchAll(/^ {2}test\('(.+?)(?: \(([^()]*)\))?', async/gmu)].map(
  ([, title = '', sources = '']) => ({ title, isAssumed: /\bassumed\b/u.test(sources) }),
);

/** The tests that the list of assumptions names. */
const NAMED = [
  ...(PAGE.split('### Assumptions that writes depend on')[1] ?? '')
    .split('\n## ')
    .slice(0, 1)
    .join('')
    .matchAll(/^- (.+)$/gmu),
].map(([, title = '']) => title);

test('every assumption names a test of the suite', () => {
  const titles = new Set(TITLES.map(({ title }) => title));
  expect(NAMED.length).toBeGreaterThan(5);
  expect(NAMED.filter((title) => !titles.has(title))).toEqual([]);
});

test('every fact that the suite calls assumed stands in the list', () => {
  const assumed = TITLES.flatMap(({ title, isAssumed }) => (isAssumed ? [title] : []));
  expect(assumed.length).toBeGreaterThan(5);
  expect(assumed.filter((title) => !NAMED.includes(title))).toEqual([]);
});
