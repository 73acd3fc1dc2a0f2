import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rulewright } from '../../cli/in-process.ts';

const run = promisify(execFile);
let root = '';

const git = (...words: readonly string[]) =>
  run('git', ['-C', root, '-c', 'user.name=T', '-c', 'user.email=t@example.test', ...words]);

/** Writes files of the project (null removes the file) and commits them. */
async function commit(files: Readonly<Record<string, string | null>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const file = join(root, 'rules', path);
    await mkdir(dirname(file), { recursive: true });
    await (text === null ? rm(file) : writeFile(file, text));
  }
  await git('add', '-A');
  await git('commit', '-q', '-m', 'a change');
}

const PROJECT = (more = '') =>
  `version: 1\nfiles: [zones/*.yaml]\npacks: [packs/*.yaml]\nvars: { score: 20 }\n${more}`;
const PACK = (action: string) => `pack: bots
rules:
  - { ref: bots, expression: cf.bot_management.score lt 30, action: ${action} }
`;
const ZONE = (name: string, ...rules: readonly string[]) => `zone: ${name}
entrypoints:
  http_request_firewall_custom:
    rules:
${rules.map((rule) => `      - ${rule}\n`).join('')}`;
const OWN = '{ ref: own, expression: ip.src eq 192.0.2.1, action: block }';
const SCORE = '{ ref: score, expression: "cf.waf.score lt ${score}", action: block }';

/** Plans with `--changed-since`; `told` has the lines that say which scopes were chosen. */
async function plan(...words: readonly string[]) {
  const { code, stdout, stderr } = await rulewright(
    ['plan', '--emulator', '--format', 'json', '--changed-since', ...words],
    { cwd: join(root, 'rules') },
  );
  return { code, told: stderr.split('\n').filter((line) => line.includes('since')), stdout, stderr };
}

function scopesOf(stdout: string): readonly string[] {
  return [...stdout.matchAll(/^ {8}"name": "([^"]+)"/gm)].map(([, name]) => name ?? '');
}

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'rulewright-since-')));
  await git('init', '-q', '-b', 'main');
  await writeFile(join(root, '.gitignore'), '.rulewright\n');
  await commit({
    'rulewright.yaml': PROJECT(),
    'packs/bots.yaml': PACK('block'),
    'zones/shop.yaml': ZONE('shop.example', '{ use: bots }', OWN),
    'zones/blog.yaml': ZONE('blog.example', SCORE),
    'zones/api.yaml': ZONE('api.example', OWN),
  });
});

afterEach(() => rm(root, { recursive: true, force: true }));

describe('--changed-since', () => {
  it('plans nothing when a file only moves and gets a comment', async () => {
    await commit({
      'zones/blog.yaml': null,
      'zones/new-name.yaml': `# moved\n${ZONE('blog.example', SCORE)}`,
    });
    const { code, told, stdout } = await plan('HEAD~1');
    expect([code, told, scopesOf(stdout)]).toEqual([0, ['0 of 3 scopes changed since HEAD~1'], []]);
  });

  it('plans the changes of the branch, and warns about scopes that changed in main since the branch left it', async () => {
    await git('checkout', '-q', '-b', 'feature');
    await commit({ 'zones/shop.yaml': ZONE('shop.example', OWN) });
    await git('checkout', '-q', 'main');
    await commit({ 'zones/blog.yaml': ZONE('blog.example', SCORE, OWN) });
    await git('checkout', '-q', 'feature');
    const changed = '1 of 3 scopes changed since main: zone:shop.example (http_request_firewall_custom)';
    const behind = await plan('main');
    expect(behind.told).toEqual([
      changed,
      'main has moved on since HEAD branched off: what was merged for zone:blog.example is not planned',
    ]);
    expect(scopesOf(behind.stdout)).toEqual(['shop.example']);
    expect(behind.stdout).not.toContain('no longer managed');

    await git('checkout', '-q', 'main');
    await commit({ 'zones/shop.yaml': ZONE('shop.example', OWN, '{ use: bots }', SCORE) });
    await git('checkout', '-q', 'feature');
    expect((await plan('main')).told).toEqual([
      changed,
      'main has moved on since HEAD branched off: the plan takes back what was merged for zone:shop.example, unless main is merged first; what was merged for zone:blog.example is not planned',
    ]);
    await git('merge', '-q', '-s', 'ours', 'main');
    expect((await plan('main')).told.join()).toMatch(/^2 of 3 scopes changed since main: [^;]*$/);
  });

  it('compares with the revision itself when Git finds no common commit', async () => {
    await git('checkout', '-q', '--orphan', 'other');
    await commit({ 'zones/blog.yaml': ZONE('blog.example', OWN) });
    expect((await plan('main')).told).toEqual([
      '1 of 3 scopes changed since main: zone:blog.example (http_request_firewall_custom)',
    ]);
  });

  it('selects the scopes that use a changed pack or variable', async () => {
    await commit({ 'packs/bots.yaml': PACK('managed_challenge') });
    expect((await plan('HEAD~1')).told).toEqual([
      '1 of 3 scopes changed since HEAD~1: zone:shop.example (http_request_firewall_custom)',
    ]);
    await commit({ 'rulewright.yaml': PROJECT().replace('score: 20', 'score: 30') });
    const { told, stdout } = await plan('HEAD~1');
    expect(told).toEqual([
      '1 of 3 scopes changed since HEAD~1: zone:blog.example (http_request_firewall_custom)',
    ]);
    expect(scopesOf(stdout)).toEqual(['blog.example']);
  });

  it('selects the scopes whose ownership changed in the project file, and names scopes that no file declares any more', async () => {
    await commit({
      'rulewright.yaml': PROJECT('ownership: { rules: ["*"] }\n'),
      'zones/api.yaml': null,
    });
    const { told } = await plan('HEAD~1');
    expect(told.join('')).toMatch(
      /^2 of 2 scopes changed since HEAD~1: .*; no longer managed: zone:api.example$/,
    );
  });

  it('plans every scope when the guards differ, or the files of the revision are not valid', async () => {
    await commit({ 'rulewright.yaml': PROJECT('safety: { max_deleted: 1 }\n') });
    const guards = await plan('HEAD~1');
    expect(guards.told).toEqual([
      'planning every scope, whatever changed since HEAD~1: the guards (safety) differ',
    ]);
    expect(scopesOf(guards.stdout)).toHaveLength(3);
    await commit({ 'zones/api.yaml': 'zone: [\n' });
    await commit({ 'zones/api.yaml': ZONE('api.example', OWN) });
    const { code, told, stdout } = await plan('HEAD~1');
    expect(told.join('')).toContain('the files of HEAD~1 are not valid: zones/api.yaml ');
    expect([code, scopesOf(stdout).length]).toEqual([0, 3]);
  });

  it('selects among the files that the run is narrowed to, and compares their scopes as a whole', async () => {
    const more = `{ name: More, phase: http_request_firewall_custom, rules: [${OWN}] }`;
    await commit({ 'zones/api-more.yaml': `zone: api.example\nrulesets:\n  - ${more}\n` });
    const other = await plan('HEAD~1', 'zones/shop.yaml');
    expect(other.told).toEqual(['0 of 1 scope changed since HEAD~1']);
    const same = await plan('HEAD', 'zones/api.yaml');
    expect(same.told).toEqual(['0 of 1 scope changed since HEAD']);
  });

  it('says how to fetch the missing history when the clone is shallow', async () => {
    const clone = join(root, 'clone');
    await commit({ 'zones/api.yaml': ZONE('api.example', OWN, SCORE) });
    await run('git', ['clone', '-q', '--depth', '1', `file://${root}`, clone]);
    const { code, stderr } = await rulewright(['plan', '--emulator', '--changed-since', 'HEAD~1'], {
      cwd: join(clone, 'rules'),
    });
    expect(code).toBe(1);
    expect(stderr).toContain('Git has no revision "HEAD~1" here');
    expect(stderr).toContain('this clone is shallow: fetch what is missing with git fetch --unshallow');
  });

  it('applies the changed scopes, and leaves the rest of the project alone', async () => {
    await commit({ 'zones/blog.yaml': ZONE('blog.example', OWN) });
    const applied = await rulewright(
      ['apply', '--emulator', '--yes', '--allow', 'all', '--changed-since', 'HEAD~1'],
      {
        cwd: join(root, 'rules'),
      },
    );
    expect(applied.code).toBe(0);
    const after = await rulewright(['plan', '--emulator', '--format', 'json'], { cwd: join(root, 'rules') });
    const steps = [...after.stdout.matchAll(/"id": "zone:([^"/]+)\//g)].map(([, name]) => name);
    expect(steps).not.toContain('blog.example');
    expect(steps).toContain('shop.example');
  });
});

describe('the findings about what the files no longer manage', () => {
  const findings = async (...words: readonly string[]) => {
    const { stdout, stderr, code } = await rulewright(['plan', '--emulator', ...words], {
      cwd: join(root, 'rules'),
    });
    return {
      code,
      stderr,
      told: [...stdout.matchAll(/settings {2}(.*)\n +(.*)/g)].map(([, a, b]) => `${a} ${b}`),
    };
  };

  it('name a scope that no file declares any more, with --settings-from and --changed-since, also in a narrowed run', async () => {
    await commit({ 'zones/api.yaml': null });
    for (const words of [
      ['--settings-from'],
      ['--changed-since'],
      ['--settings-from', 'HEAD~1', '--changed-since'],
    ]) {
      const { told } = await findings('zones/shop.yaml', ...words, 'HEAD~1');
      expect(told).toEqual([expect.stringMatching(/^no file declares zone:api.example \(http_request_fire/)]);
    }
  });

  it('name a rule that a narrower ownership of the project or of a phase leaves to others', async () => {
    await commit({
      'rulewright.yaml': PROJECT('ownership: { rules: ["o*", "score"] }\n'),
      'zones/shop.yaml': ZONE('shop.example', OWN),
    });
    const { told } = await findings('--changed-since', 'HEAD~1');
    expect(told).toEqual([
      expect.stringContaining(
        '1 rule is no longer managed in http_request_firewall_custom of zone:shop.example: bots.',
      ),
    ]);
    await commit({
      'zones/blog.yaml': ZONE('blog.example', OWN).replace(
        'rules:',
        'ownership: { rules: [own] }\n    rules:',
      ),
    });
    expect((await findings('--changed-since', 'HEAD~1')).told).toEqual([
      expect.stringContaining('of zone:blog.example: score.'),
    ]);
  });

  it('say that they are not known when the files of the revision are not valid or not there', async () => {
    await commit({ 'zones/api.yaml': 'zone: [\n' });
    await commit({ 'zones/api.yaml': ZONE('api.example', OWN) });
    const { code, told } = await findings('--settings-from', 'HEAD~1');
    const unknown = 'what is no longer managed since HEAD~1 is not known: ';
    expect([code, told]).toEqual([0, [expect.stringContaining(`${unknown}zones/api.yaml `)]]);
    await run('git', ['-C', root, 'mv', 'rules/rulewright.yaml', 'rules/edge.yaml']);
    await commit({});
    const moved = await findings('--settings-from', 'HEAD~1', '--config', 'edge.yaml');
    expect(moved.told).toEqual([`${unknown}the project file edge.yaml does not exist`]);
  });

  it('name a scope that lost the label that the run targets, unless the run targets it otherwise', async () => {
    const labelled = (env: string, zone: string) => `labels: { env: ${env} }\n${ZONE(zone, OWN)}`;
    await commit({
      'zones/blog.yaml': labelled('live', 'blog.example'),
      'zones/api.yaml': labelled('live', 'api.example'),
    });
    await commit({ 'zones/api.yaml': labelled('test', 'api.example') });
    const told = async (...words: readonly string[]) =>
      /"message": "([^"]*no longer[^"]*)"/.exec((await plan('HEAD~1', ...words)).stdout)?.[1];
    expect(await told('--target', 'label:env=live')).toBe(
      'zone:api.example no longer has the label of this run (label:env=live). Nothing is planned there; look which run takes it instead',
    );
    expect(await told('--target', 'label:env=test')).toBeUndefined();
    expect(await told('--target', 'label:env=live', '--target', 'api.example')).toBeUndefined();
    expect(await told()).toBeUndefined();
  });
});
