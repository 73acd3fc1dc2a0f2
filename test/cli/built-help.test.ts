import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { buildCommandLine } from '../../src/cli/start/application.ts';
import { builtHelp, helpFile } from '../../src/cli/start/built-help.ts';
import { commandLines } from './command-lines.ts';
import { rulewright } from './in-process.ts';

/** The bundle as it is shipped; `npm test` builds it first. */
const BUNDLE = join(import.meta.dirname, '../../dist/cli');
const BUILT = join(BUNDLE, 'help');
const COMMANDS = [[], ...commandLines(buildCommandLine('1.2.3').root)];

describe('the help files of the build', () => {
  it.each(COMMANDS.map((words) => words.join(' ')))(
    'have the help that the program prints for "%s"',
    async (line) => {
      const words = line.split(' ').filter((word) => word !== '');
      const { stdout } = await rulewright([...words, '--help']);
      expect(builtHelp(BUILT, [...words, '--help'])).toBe(stdout);
      expect(builtHelp(BUILT, [...words, '-h'])).toBe(stdout);
    },
  );

  it('are one for each command', () => {
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
  ])('are not used for %j %j %j, which the command framework handles', (...argv) => {
    expect(builtHelp(BUILT, argv)).toBeNull();
  });

  it.each([
    ['empty', ''],
    ['cut off', 'rulewright plan [PA'],
  ])('are not used when the file is %s', (_, text) => {
    const folder = mkdtempSync(join(tmpdir(), 'rulewright-help-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, helpFile(['plan'])), text);
    expect(builtHelp(folder, ['plan', '--help'])).toBeNull();
  });

  it('are printed by main.js without the rest of the bundle', () => {
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
