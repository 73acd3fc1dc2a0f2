import { describe, expect, it } from 'vitest';
import { buildCommandLine, loadCommands } from '../../src/start/application.ts';
import { ALLOWABLE_KINDS } from '../../src/model/guard.ts';
import { commandLines } from './command-lines.ts';
import { rulewright } from './in-process.ts';

const LINES = commandLines(buildCommandLine('1.2.3', await loadCommands('all')).root).map((words) =>
  words.join(' '),
);

describe('the command line', () => {
  it('lists every command, the environment and the exit codes in its help', async () => {
    const { code, stdout, stderr } = await rulewright(['--help']);
    expect([code, stderr]).toEqual([0, '']);
    const first = LINES.filter((line) => !line.includes(' '));
    expect(first.length).toBeGreaterThan(20);
    for (const word of [...first, 'CLOUDFLARE_API_TOKEN', '130 interrupted']) {
      expect(stdout).toContain(word);
    }
  });

  it.each(LINES)('prints the help of %s to stdout in 80 columns', async (command) => {
    const { code, stdout, stderr } = await rulewright([...command.split(' '), '--help']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.startsWith(`rulewright ${command}`)).toBe(true);
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  it.each(LINES.filter((line) => line !== 'version'))('has examples in the help of %s', async (command) => {
    const { stdout } = await rulewright([...command.split(' '), '--help']);
    expect(stdout).toMatch(/EXAMPLES\n {2}.*rulewright|COMMANDS\n/);
  });

  it('names values and defaults of flags in the help of apply', async () => {
    const { stdout } = await rulewright(['apply', '--help']);
    expect(stdout).toContain(
      '  --target SCOPE[/PHASE]      Only this scope, phase or label:K=V (repeatable)\n',
    );
    expect(stdout).toContain('(default: auto)\n');
    expect(stdout).not.toContain('--no-no-color');
  });

  it.each(LINES)('tells the default of a flag once in the help of %s', async (command) => {
    const { stdout } = await rulewright([...command.split(' '), '--help']);
    expect(stdout).not.toMatch(/\(default: [^)]*\)\s*\(default: /u);
  });

  it('lists flags of pipelines and of many zones behind those of every day', async () => {
    const { stdout } = await rulewright(['plan', '--help']);
    const [daily = '', rare = ''] = stdout.split('FLAGS FOR PIPELINES AND MANY ZONES\n');
    expect(daily).toMatch(/--out FILE[^]*--target[^]*--emulator [^]*--help/u);
    expect(rare).toMatch(/--changed-since[^]*--shard[^]*--metrics/u);
  });

  it.each([
    ['apply', []],
    [
      'rollback',
      ['scopes', 'irreversible', 'settings', 'incomplete', 'newly-blocked', 'not-replayed', 'not-ended'],
    ],
    [
      'waf finish',
      ['scopes', 'settings', 'foreign', 'incomplete', 'newly-blocked', 'not-replayed', 'not-ended'],
    ],
  ])('lists in the help of %s exactly the guards that can refuse it, and all', async (command, never) => {
    const { stdout } = await rulewright([...command.split(' '), '--help']);
    const [, kinds = ''] = stdout.split(/--allow KIND lets pass:\n|\nEXAMPLES/u);
    expect(kinds.match(/^ {2}[a-z-]+/gmu)?.map((kind) => kind.trim())).toEqual([
      ...ALLOWABLE_KINDS.filter((kind) => !never.includes(kind)),
      'all',
    ]);
  });

  it('prints the help to stderr as wrong usage when the command is missing', async () => {
    const { code, stdout, stderr } = await rulewright([]);
    expect([code, stdout]).toEqual([64, '']);
    expect(stderr).toContain('COMMANDS');
  });

  it('prints the version for version and --version', async () => {
    expect((await rulewright(['version'])).stdout).toBe(
      'rulewright 1.2.3, build abcdef0, Node v20.19.0 on linux x64\n',
    );
    expect((await rulewright(['--version'])).stdout).toBe('1.2.3\n');
  });
});
