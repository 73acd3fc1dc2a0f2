import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Ended } from '../cli/in-process.ts';
import { rulewright } from '../cli/in-process.ts';
import type { Scope } from '../../src/model/scope.ts';
import { addRule, deleteRule, updateRule } from '../api/ruleset-writes.ts';
import type { Fault, FaultProxy } from './campaign/fault-proxy.ts';
import { openFaultProxy } from './campaign/fault-proxy.ts';
import type { Bench } from './run-against-service.ts';
import { blockHosts, liveRules, openBench } from './run-against-service.ts';

// A run whose list of rules removes rules of others ("takes them along"), and that crashes before it has brought them back.

let bench: Bench;
let proxy: FaultProxy;
let folder: string;
let scope: Scope;
/** Faults for the next writes. */
let faults: Fault[];
/** The fault for reads of versions. */
let ofVersions: Fault;
/** The fault for all other reads. */
let ofReads: Fault;

const PASS: Fault = { kind: 'pass' };
const REFUSED: Fault = {
  kind: 'answer',
  status: 403,
  body: '{"success":false,"errors":[{"code":10000,"message":"not now"}],"messages":[],"result":null}',
};

beforeEach(async () => {
  bench = await openBench();
  scope = await blockHosts(bench, ['a', 'b', 'theirs']);
  faults = [];
  ofVersions = PASS;
  ofReads = PASS;
  proxy = await openFaultProxy(bench.emulator.baseUrl, ({ method, path }) =>
    path.includes('/versions/')
      ? ofVersions
      : method === 'GET'
        ? ofReads
        : path.includes('dry_run')
          ? PASS
          : (faults.shift() ?? PASS),
  );
  folder = await mkdtemp(join(tmpdir(), 'rulewright-taken-'));
  await mkdir(join(folder, 'zones'));
  await writeFile(join(folder, 'rulewright.yaml'), 'version: 1\nfiles: [zones/*.yaml]\n');
  await writeFile(
    join(folder, 'zones', 'shop.example.yaml'),
    `zone: shop.example
entrypoints:
  http_request_firewall_custom:
    ownership: { rules: [a, b, c, d] }
    rules:
${['c', 'a', 'b', 'd'].map((ref) => `      - { ref: ${ref}, expression: 'http.host eq "${ref}.example"', action: block }\n`).join('')}`,
  );
});
afterEach(async () => {
  await proxy.close();
  await bench.close();
  await rm(folder, { recursive: true, force: true });
});

function run(...argv: readonly string[]): Promise<Ended> {
  return rulewright(argv, {
    cwd: folder,
    env: { CLOUDFLARE_BASE_URL: proxy.baseUrl, CLOUDFLARE_API_TOKEN: bench.emulator.token },
  });
}

const refs = async (): Promise<readonly string[]> =>
  (await liveRules(bench, scope)).rules.map(({ ref }) => ref);

async function strangerAdds(...names: readonly string[]): Promise<void> {
  const { id } = await liveRules(bench, scope);
  for (const ref of names) {
    await addRule(bench.client, { scope, rulesetId: id }, { ref, action: 'log', expression: 'ssl' });
  }
}

async function strangerDeletes(ref: string): Promise<void> {
  const { id, rules } = await liveRules(bench, scope);
  const ruleId = rules.find((one) => one.ref === ref)?.id ?? '';
  await deleteRule(bench.client, { scope, rulesetId: id, ruleId });
}

async function strangerMovesToFront(ref: string): Promise<void> {
  const { id, rules } = await liveRules(bench, scope);
  const ruleId = rules.find((one) => one.ref === ref)?.id ?? '';
  await updateRule(bench.client, { scope, rulesetId: id, ruleId }, null, { before: '' });
}

/** Runs an apply whose list removes the rules that a stranger adds, and ends its journal after the `count`-th entry of this kind. */
function crash(after: 'intent' | 'failed', count = 1, stranger = ['stranger']): Promise<void> {
  const came = Array.from({ length: count - 1 }, () => PASS);
  const act = (): Promise<void> => strangerAdds(...stranger);
  return crashAmid([{ kind: 'meanwhile', act }, ...came, ...stranger.map(() => REFUSED)], after, count);
}

async function crashAmid(troubles: readonly Fault[], after: 'intent' | 'failed', count = 1): Promise<void> {
  faults = [...troubles];
  const { code } = await run('apply', '--yes', '--quiet');
  expect(code).toBe(4);
  faults = [];
  const path = join(folder, '.rulewright', 'journal.jsonl');
  const lines = (await readFile(path, 'utf8')).split('\n');
  let seen = 0;
  const end = lines.findIndex((line) => {
    seen += line.includes(`"kind":"${after}"`) ? 1 : 0;
    return seen === count;
  });
  await writeFile(path, `${lines.slice(0, end + 1).join('\n')}\n`);
}

describe('an apply after one that crashed before it brought back the rules that its list removed', () => {
  it.each(['intent', 'failed'] as const)(
    'brings the rule back before it plans (last entry of the journal: %s)',
    async (last) => {
      await crash(last);
      expect(await refs()).toEqual(['c', 'a', 'b', 'd', 'theirs']);
      const { code, stdout, stderr } = await run('apply', '--yes');
      expect([code, stdout]).toEqual([0, expect.stringContaining('No changes')]);
      expect(stderr).toContain('to be brought back: stranger');
      expect(stderr).toContain('Brought back in zone:shop.example/http_request_firewall_custom: stranger');
      expect(await refs()).toEqual(['c', 'a', 'b', 'd', 'theirs', 'stranger']);

      const next = await run('apply', '--yes');
      expect([next.code, next.stderr]).toEqual([0, expect.not.stringContaining('earlier apply')]);
    },
  );

  it('moves a rule back to where somebody else had moved it', async () => {
    await crashAmid([{ kind: 'meanwhile', act: () => strangerMovesToFront('theirs') }, REFUSED], 'intent');
    expect(await refs()).toEqual(['c', 'a', 'b', 'd', 'theirs']);
    const { code, stderr } = await run('apply', '--yes');
    expect([code, stderr]).toEqual([0, expect.stringContaining('to be brought back: theirs')]);
    expect(await refs()).toEqual(['theirs', 'c', 'a', 'b', 'd']);
  });

  it('brings back the rest if some rules are back already', async () => {
    await crash('intent', 2, ['one', 'two', 'three']);
    expect(await refs()).not.toContain('two');
    const { code, stderr } = await run('apply', '--yes');
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^Brought back in .*: two, three$/m)]);
    expect(await refs()).toEqual(['c', 'a', 'b', 'd', 'theirs', 'one', 'two', 'three']);
  });

  it('brings the rule back even if nothing is left to do of a reviewed plan', async () => {
    await run('plan', '--out', 'plan.json', '--quiet');
    await crash('failed');
    const { code, stdout } = await run('apply', '--yes', '--expect', 'plan.json');
    expect([code, stdout]).toEqual([0, expect.stringContaining('Nothing is left to do')]);
    expect(await refs()).toContain('stranger');
  });

  it('brings the rule back before a rollback too', async () => {
    await crash('failed');
    const { version } = await liveRules(bench, scope);
    const { code } = await run(
      'rollback',
      'shop.example',
      'http_request_firewall_custom',
      '--to',
      String(Number(version) - 2),
      '--yes',
    );
    expect(code).toBe(0);
    expect(await refs()).toEqual(['a', 'b', 'theirs', 'stranger']);
  });

  it('asks first, and without an answer writes nothing and leaves it to the next run', async () => {
    await crash('failed');
    const { code, stdout } = await run('apply', '--format', 'json');
    expect([code, JSON.parse(stdout)]).toMatchObject([
      3,
      { error: { code: 'confirm/no-terminal', hint: expect.stringContaining('rules of others back') } },
    ]);
    expect(await refs()).not.toContain('stranger');
    expect((await run('apply', '--yes', '--quiet')).code).toBe(0);
    expect(await refs()).toContain('stranger');
  });

  it('says in a dry run that an apply would bring the rules back', async () => {
    await crash('failed');
    const { code, stderr } = await run('apply', '--dry-run');
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining('An apply brings them back before it does anything else.'),
    ]);
    expect(await refs()).not.toContain('stranger');
  });

  it('does not bring back a rule that somebody else has added again and deleted since', async () => {
    await crash('failed');
    await strangerAdds('stranger');
    await strangerDeletes('stranger');
    const { code, stderr } = await run('apply', '--yes');
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('brought back')]);
    expect(await refs()).not.toContain('stranger');
  });

  it('leaves rules alone that somebody else has added again and then changed or deleted', async () => {
    await crash('failed', 1, ['one', 'two']);
    await strangerAdds('one', 'two');
    await strangerDeletes('one');
    const { id, rules } = await liveRules(bench, scope);
    const ruleId = rules.find(({ ref }) => ref === 'two')?.id ?? '';
    await updateRule(
      bench.client,
      { scope, rulesetId: id, ruleId },
      { ref: 'two', action: 'block', expression: 'ssl' },
    );
    const { stderr } = await run('apply', '--yes');
    expect(stderr).not.toContain('brought back');
    expect(await refs()).toEqual(['c', 'a', 'b', 'd', 'theirs', 'two']);
  });

  it('fails with the reason and a rollback command if a rule cannot be brought back, and lets the next run go on', async () => {
    await crash('failed', 1, ['one', 'two']);
    faults = [PASS, REFUSED];
    const { code, stdout, stderr } = await run('apply', '--yes', '--format', 'json');
    expect([code, JSON.parse(stdout)]).toMatchObject([
      4,
      {
        error: {
          code: 'apply/not-brought-back',
          message: expect.stringMatching(/^rules of others could not be brought back: two\n.*not now/s),
          hint: expect.stringMatching(/rulewright rollback zone:shop\.example .* --to \d+ --whole-ruleset/),
        },
      },
    ]);
    expect(stderr).toContain('Brought back in zone:shop.example/http_request_firewall_custom: one\n');
    expect((await run('apply', '--yes', '--quiet')).code).toBe(0);
    expect(await refs()).toEqual(['c', 'a', 'b', 'd', 'theirs', 'one']);
  });

  it('fails if live cannot be read after a rule was brought back, and the next run looks again', async () => {
    await crash('failed', 1, ['one']);
    const act = (): Promise<void> => {
      ofReads = REFUSED;
      return Promise.resolve();
    };
    faults = [{ kind: 'meanwhile', act }];
    const { code, stdout } = await run('apply', '--yes', '--format', 'json');
    expect([code, JSON.parse(stdout)]).toMatchObject([
      4,
      {
        error: {
          code: 'apply/not-brought-back',
          message: expect.stringMatching(
            /^whether rules of others are back in zone:shop\.example\/\S+ is not known: .*not now/s,
          ),
        },
      },
    ]);
    ofReads = PASS;
    const { code: next, stderr } = await run('apply', '--yes');
    expect([next, stderr]).toEqual([0, expect.stringContaining('An earlier apply did not finish')]);
    expect(await refs()).toEqual(['c', 'a', 'b', 'd', 'theirs', 'one']);
  });

  it('reports that the removed rules are unknown if versions cannot be read', async () => {
    await crash('failed');
    ofVersions = REFUSED;
    const { code, stderr } = await run('apply', '--yes');
    expect(code).toBe(0);
    expect(stderr).toMatch(/version \d+ cannot be read: what somebody else wrote there is not known\n/);
    expect(stderr).toMatch(
      /hint: rulewright versions zone:shop\.example http_request_firewall_custom\s+--show \d+/,
    );
    expect(await refs()).not.toContain('stranger');
  });
});
