import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

import { describe, expect, test } from 'vitest';

const PAGES = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  ...readdirSync('docs')
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];

/** A page without its code blocks, in which nothing is a link or a heading. */
function prose(page: string): string {
  return readFileSync(page, 'utf8').replaceAll(/^```[\s\S]*?^```$/gmu, '');
}

/** The anchors that a forge makes of a page's headings. */
function anchorsOf(page: string): ReadonlySet<string> {
  return new Set(
    [...prose(page).matchAll(/^#+ (.+)$/gmu)].map(([, heading = '']) =>
      heading
        .trim()
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

/** The links of a page that lead to no file, or to no heading of a page. */
function broken(page: string): readonly string[] {
  const links = [...prose(page).matchAll(/\]\(([^)\s]+)\)/gu)].map(([, link = '']) => link);
  return links.filter((link) => {
    if (/^[a-z]+:/u.test(link)) {
      return false;
    }
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : normalize(join(dirname(page), path));
    return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).has(anchor));
  });
}

describe('links between pages', () => {
  test.each(PAGES)('%s links only to existing files and headings', (page) => {
    expect(broken(page)).toEqual([]);
  });

  test('docs/README.md links to every page of the docs', () => {
    const index = prose('docs/README.md');
    const missing = readdirSync('docs').filter(
      (name) => name !== 'README.md' && !index.includes(`](${name})`),
    );
    expect(missing).toEqual([]);
  });
});
