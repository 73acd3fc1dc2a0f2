import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { buildCommandLine } from '../../src/cli/start/application.ts';
import { builtHelp, helpFile } from '../../src/cli/start/built-help.ts';
import { commandLines } from './command-lines.ts';
import { rulewright } from './in-process.ts';

/** The bundle that a user gets; `npm test` builds it first. */
const BUNDLE = join(import.meta.dirname, '../../dist/cli');
const BUILT = join(BUNDLE, 'help');
const COMMANDS = [[], ...commandLines(buildCommandLine('1.2.3').root)];

describe('the help that the build laid down', () => {
  it.each(COMMANDS.map((words) => words.join(' ')))(
    'of "%s" is what the program itself says',
    async (line) => {
      const words = line.split(' ').filter((word) => word !== '');
      const { stdout } = await rulewright([...words, '--help']);
      expect(builtHelp(BUILT, [...words, '--help'])).toBe(stdout);
      expect(builtHelp(BUILT, [...words, '-h'])).toBe(stdout);
    },
  );

  it('is of the commands that there are', () => {
    expect(readdirSync(BUILT).sort()).toEqual(COMMANDS.map((words) => helpFile(words)).sort());
  });

  it.each([
    [],
    ['plan'],
    ['help'],
    ['help', 'plan'],
    ['--help', 'plan'],
    ['--help', '--help'],
    ['plan', '--help', '--help'],
    ['plan', '--quiet', '--help'],
    ['plan', '--', '--help'],
    ['plan', 'zones/a.yaml', '--help'],
    ['plan', '--help='],
    ['plan', '--helpAll'],
    ['plan', '--help-all'],
    ['pln', '--help'],
    ['waf', 'pln', '--help'],
    ['waf.check', '--help'],
    ['waf check', '--help'],
    ['', '--help'],
    ['../help/plan', '--help'],
    ['PLAN', '--help'],
    ['__complete', 'plan', '--help'],
  ])('says nothing to %j %j %j, which are for the framework', (...argv) => {
    expect(builtHelp(BUILT, argv)).toBeNull();
  });

  it.each([
    ['empty', ''],
    ['cut off', 'rulewright plan [PA'],
  ])('is made anew where its file is %s', (_, text) => {
    const folder = mkdtempSync(join(tmpdir(), 'rulewright-help-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, helpFile(['plan'])), text);
    expect(builtHelp(folder, ['plan', '--help'])).toBeNull();
  });

  it('is printed by the first file, which needs no other', () => {
    const folder = mkdtempSync(join(tmpdir(), 'rulewright-help-'));
    try {
      for (const name of ['main.js', 'package.json', 'help']) {
        cpSync(join(BUNDLE, name), join(folder, name), { recursive: true });
      }
      const output = execFileSync(process.execPath, [join(folder, 'main.js'), 'waf', 'check', '-h'], {
        encoding: 'utf8',
      });
      expect(output).toBe(builtHelp(BUILT, ['waf', 'check', '-h']));
      expect(output).toMatch(/^rulewright waf check .*\n/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
