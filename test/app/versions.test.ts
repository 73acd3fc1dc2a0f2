import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { parseRulesetName, parseScopeName, rulesetNameText } from '../../src/app/planning/ruleset-name.ts';
import { startEmulator } from '../../src/emulator/index.ts';
import type { Fault } from '../apply/campaign/fault-proxy.ts';
import { openFaultProxy } from '../apply/campaign/fault-proxy.ts';
import { rulewright } from '../cli/in-process.ts';

let cwd = '';

beforeEach(async () => {
  cwd = await realpath(await mkdtemp(join(tmpdir(), 'rulewright-versions-')));
});

afterEach(() => rm(cwd, { recursive: true, force: true }));

const run = (...words: readonly string[]) => rulewright([...words, '--emulator', '--quiet'], { cwd });

describe('versions --show', () => {
  it.each([
    ['shop.example', 'http_request_firewall_custom', 4],
    ['shop.example', 'http_request_firewall_managed', 3],
    ['shop.example', 'http_ratelimit', 2],
    ['account:Example Shop', 'http_request_firewall_custom/custom:known-bad-clients', 1],
  ])(
    'prints YAML of the live version that leaves nothing to plan: %s %s',
    async (scope, ruleset, version) => {
      const { code, stdout } = await run('versions', scope, ruleset, '--show', String(version));
      expect(code).toBe(0);
      await writeFile(join(cwd, 'rulewright.yaml'), 'version: 1\nfiles: [scope.yaml]\n');
      await writeFile(join(cwd, 'scope.yaml'), stdout);
      const plan = await run('plan', '--exit-code');
      expect([plan.code, plan.stdout, plan.stderr]).toEqual([0, expect.stringContaining('No changes.'), '']);
    },
  );
});

describe('rollback', () => {
  it('works without a project or valid zone files, keeps the guards, and fails for an invalid project file', async () => {
    const custom = ['shop.example', 'http_request_firewall_custom'];
    await writeFile(join(cwd, 'rulewright.yaml'), 'version: 1\nfiles: [scope.yaml]\n');
    await writeFile(
      join(cwd, 'scope.yaml'),
      'zone: shop.example\nentrypoints:\n  http_ratelimit:\n    rules: []\n',
    );
    expect((await run('apply', '--yes', '--allow', 'emptied')).code).toBe(0);
    await writeFile(
      join(cwd, 'rulewright.yaml'),
      'version: 1\nfiles: [scope.yaml]\nsafety: { weakened: refuse }\n',
    );
    await writeFile(join(cwd, 'scope.yaml'), ': [');
    expect((await run('versions', ...custom)).code).toBe(0);
    expect((await run('rollback', 'shop.example', 'http_ratelimit', '--to', '2', '--yes')).stderr).toContain(
      'rollback/unknown-ownership',
    );
    const back = await run(
      'rollback',
      'shop.example',
      'http_ratelimit',
      '--to',
      '2',
      '--yes',
      '--whole-ruleset',
    );
    expect([back.code, back.stderr]).toEqual([0, '']);
    const forth = await run(
      'rollback',
      'shop.example',
      'http_ratelimit',
      '--to',
      '3',
      '--yes',
      '--whole-ruleset',
    );
    expect([forth.code, forth.stdout]).toEqual([3, expect.stringContaining('! weakened')]);
    await writeFile(join(cwd, 'rulewright.yaml'), 'version: 2\n');
    expect((await run('rollback', ...custom, '--to', '4', '--yes')).code).toBe(1);
    await rm(join(cwd, 'rulewright.yaml'));
    expect((await run('rollback', ...custom, '--to', '4', '--yes')).stdout).toContain(
      'Live equals version 4',
    );
  });
});

describe('names in commands', () => {
  it('of rulesets are phases, custom rulesets or ids', () => {
    expect(parseRulesetName('http_ratelimit')).toEqual({ kind: 'entrypoint', phase: 'http_ratelimit' });
    expect(parseRulesetName('http_ratelimit/custom:log-in')).toEqual({
      kind: 'custom',
      phase: 'http_ratelimit',
      slug: 'log-in',
    });
    expect(parseRulesetName('5de7edfa648c4d6891dc3e7f84534ffa')).toMatchObject({ kind: 'id' });
    expect(['Login', '../x', 'a/b', ''].map(parseRulesetName)).toEqual([null, null, null, null]);
  });

  it.each(['http_ratelimit', 'http_ratelimit/custom:log-in', '5de7edfa648c4d6891dc3e7f84534ffa'])(
    'of rulesets print as they were typed: %s',
    (text) => {
      const name = parseRulesetName(text);
      expect(name === null ? null : rulesetNameText(name)).toBe(text);
    },
  );

  it('of scopes are zones unless they start with account:', () => {
    expect(parseScopeName('shop.example')).toEqual({ kind: 'zone', name: 'shop.example' });
    expect(parseScopeName('account:Example Shop')).toEqual({ kind: 'account', name: 'Example Shop' });
    expect(parseScopeName('a/b')).toBeNull();
  });
});

describe('deleting a version', () => {
  const ruleset = ['blog.example', 'http_request_firewall_custom'];

  /** Makes two versions, and deletes the first through a proxy that injects a fault into the deletion. */
  async function removing(fault: (control: AbortController) => Fault, settings = '') {
    const emulator = await startEmulator({ budget: 'off' });
    const control = new AbortController();
    const proxy = await openFaultProxy(emulator.baseUrl, ({ method, path }) =>
      method === 'DELETE' && path.includes('/versions/') ? fault(control) : { kind: 'pass' },
    );
    onTestFinished(async () => {
      await proxy.close();
      await emulator.close();
    });
    const env = { CLOUDFLARE_BASE_URL: proxy.baseUrl, CLOUDFLARE_API_TOKEN: emulator.token };
    await writeFile(join(cwd, 'rulewright.yaml'), 'version: 1\nfiles: [scope.yaml]\n');
    for (const action of ['managed_challenge', 'block']) {
      const rules = `[{ ref: a, expression: ssl, action: ${action} }]`;
      await writeFile(
        join(cwd, 'scope.yaml'),
        `zone: blog.example\nentrypoints: { http_request_firewall_custom: { rules: ${rules} } }\n`,
      );
      expect((await rulewright(['apply', '--yes'], { cwd, env })).code).toBe(0);
    }
    const { signal } = control;
    await writeFile(join(cwd, 'rulewright.yaml'), `version: 1\nfiles: [scope.yaml]\n${settings}`);
    const flags = ['--delete', '1', '--yes', '--allow', 'all'];
    return rulewright(['versions', ...ruleset, ...flags], { cwd, env, signal });
  }

  it('is refused in an account that safety.accounts does not name', async () => {
    const settings = `safety: { accounts: [${'a'.repeat(32)}] }\n`;
    const { code, stderr } = await removing(() => ({ kind: 'cut-after' }), settings);
    expect([code, stderr]).toEqual([3, expect.stringContaining('which `safety.accounts` does not name')]);
  });

  it('succeeds when the answer is lost and the version is gone', async () => {
    const { code, stdout } = await removing(() => ({ kind: 'cut-after' }));
    expect([code, stdout]).toEqual([0, expect.stringContaining('Deleted version 1 of')]);
  });

  it('is in doubt when the request is lost and the version is still there', async () => {
    const { code, stderr } = await removing(() => ({ kind: 'cut-before' }));
    expect([code, stderr]).toEqual([4, expect.stringContaining('versions/in-doubt')]);
  });

  it('is in doubt when the run is interrupted and the service has not deleted the version yet', async () => {
    const { code, stderr } = await removing((control) => {
      control.abort();
      return { kind: 'late' };
    });
    expect([code, stderr]).toEqual([4, expect.stringContaining('versions/in-doubt')]);
  });

  it('succeeds when the run is interrupted during the request', async () => {
    const { code, stdout } = await removing((control) => ({
      kind: 'meanwhile',
      act: () => Promise.resolve(control.abort()),
    }));
    expect([code, stdout]).toEqual([0, expect.stringContaining('Deleted version 1 of')]);
  });
});
