import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DIAGNOSTIC_CODES } from '../../src/config/source/finding.ts';

const CODES = Object.entries(DIAGNOSTIC_CODES);

/** The text of all TypeScript files in a folder, without the table of codes and its test. */
function textOf(folder: string): string {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(
      (entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.startsWith('diagnostic-codes'),
    )
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
}

describe('DIAGNOSTIC_CODES', () => {
  const sources = textOf('src/config');
  const tests = textOf('test/config');

  test.each(CODES)('%s has a title, and occurs in the sources and the tests', (code, { title }) => {
    expect(title).toMatch(/^[A-Z`].*[^.]$/);
    expect(sources).toContain(`'${code}'`);
    // As a text of its own, or within what is expected of a file.
    expect(tests).toMatch(new RegExp(`[' ]${code}[' ]`, 'u'));
  });
});
