import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { rulewright } from '../cli/in-process.ts';
import { inFolder, PROJECT } from '../config/project-folder.ts';
import { chaptersOf } from './chapters.ts';

const CHAPTERS = chaptersOf(readFileSync('docs/managed-rules.md', 'utf8'));
const filesOf = (start: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    CHAPTERS.flatMap(([name, files]) => (name.startsWith(start) ? Object.entries(files) : [])),
  );

describe('docs/managed-rules.md', () => {
  test.each(['Run a managed', 'Let a request past', 'Limit failed logins'])(
    'has an example that can be planned and names existing rulesets and rules: %s',
    async (start) => {
      const files = filesOf(start);
      expect(files).not.toEqual({});
      const { code, stdout } = await inFolder({ 'rulewright.yaml': PROJECT, ...files }, (cwd) =>
        rulewright(['plan', '--emulator', '--quiet'], { cwd }),
      );
      expect([code, stdout]).toEqual([0, expect.stringContaining('to add')]);
      expect(stdout).not.toMatch(/has no rule|has no effect/);
    },
  );

  test('has example tests that pass on its example rules', async () => {
    const files = { ...filesOf('Limit failed logins'), ...filesOf('Test them') };
    const { code, stdout } = await inFolder({ 'rulewright.yaml': PROJECT, ...files }, (cwd) =>
      rulewright(['test'], { cwd }),
    );
    expect([code, stdout]).toEqual([0, expect.stringContaining('2 tests: 2 passed, 0 failed.')]);
  });
});
