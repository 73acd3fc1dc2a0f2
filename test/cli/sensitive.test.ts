import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { describe, expect, test } from 'vitest';

import type { Ended } from './in-process.ts';
import { rulewright } from './in-process.ts';

const OLD = 'old-secret-4711-value';
const VALUE = 'new secret/4712+value';
const KEY = 'a key for digests';

const FILES = {
  'rulewright.yaml': `version: 1
files: [zones/*.yaml]
packs: [packs/*.yaml]
env: { origin_secret: { from: ORIGIN_SECRET, sensitive: true } }
`,
  'packs/auth.yaml': `pack: auth
params: { secret: { type: string } }
rules:
  - ref: only-with-secret
    description: Asks for \${secret}
    expression: not any(http.request.headers["x-auth"][*] eq \${secret}) and http.host contains "a-\${secret}-b"
    action: block
`,
  'zones/shop.yaml': `zone: shop.example
entrypoints:
  http_request_firewall_custom:
    ownership: { rules: ["only-*"] }
    rules:
      - use: auth
        with: { secret: "\${origin_secret}" }
  http_request_late_transform:
    ownership: { rules: ["say-*"] }
    rules:
      - ref: say-secret
        expression: "true"
        action: rewrite
        action_parameters: { headers: { X-Auth: { operation: set, value: "Bearer \${origin_secret}" } } }
`,
};

/** Runs in a project of its own; everything that a command says or leaves behind is looked through for both values. */
async function inProject(
  run: (
    command: (argv: string, env?: Readonly<Record<string, string>>) => Promise<Ended>,
    root: string,
  ) => Promise<void>,
): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'rulewright-sensitive-'));
  try {
    for (const [path, text] of Object.entries(FILES)) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), text);
    }
    await run(async (argv, env = {}) => {
      const ended = await rulewright(argv.split(' '), { cwd: root, env });
      for (const text of [ended.stdout, ended.stderr, ...(await filesOf(root))]) {
        expectSecret(text);
      }
      return ended;
    }, root);
  } finally {
    await rm(root, { recursive: true });
  }
}

function expectSecret(text: string): void {
  for (const value of [OLD, VALUE, KEY]) {
    expect(text).not.toContain(value);
    expect(text).not.toContain(JSON.stringify(value).slice(1, -1));
  }
}

/** What the project holds, but for the embedded service, which has values as any service has. */
async function filesOf(root: string): Promise<readonly string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name !== 'emulator.json');
  return Promise.all(files.map((entry) => readFile(join(entry.parentPath, entry.name), 'utf8')));
}

async function serviceState(root: string): Promise<string> {
  return readFile(join(root, '.rulewright/emulator.json'), 'utf8');
}

const WITH_KEY = { ORIGIN_SECRET: VALUE, RULEWRIGHT_PLAN_KEY: KEY };

describe('a sensitive value', () => {
  test('reaches the service, and nothing else', async () => {
    await inProject(async (command, root) => {
      const apply = await command('apply --emulator --yes --allow all', { ORIGIN_SECRET: VALUE });
      expect(apply.code).toBe(0);
      const state = await serviceState(root);
      expect(state).toContain(`Bearer ${VALUE}`);
      expect(state).toContain(`a-${VALUE}-b`);
      expect(state).not.toContain('<sensitive');
      const again = await command('plan --emulator --exit-code', { ORIGIN_SECRET: VALUE });
      expect([again.code, again.stderr]).toEqual([0, expect.any(String)]);
      const versions = await command(
        'versions zone:shop.example http_request_late_transform --emulator --show 1',
        WITH_KEY,
      );
      expect(versions.stdout).toContain('<sensitive:ORIGIN_SECRET:');
    });
  });

  test('stands in no plan; its plan is carried out with the same value only', async () => {
    await inProject(async (command, root) => {
      const plan = await command('plan --emulator --out plan.json', WITH_KEY);
      expect([plan.code, plan.stdout]).toEqual([0, expect.stringContaining('<sensitive:ORIGIN_SECRET:')]);
      for (const env of [
        {},
        { ORIGIN_SECRET: VALUE },
        { ...WITH_KEY, ORIGIN_SECRET: OLD },
        { ...WITH_KEY, RULEWRIGHT_PLAN_KEY: 'x' },
      ]) {
        const refused = await command('apply plan.json --emulator --yes --allow all', env);
        expect([refused.code, refused.stderr]).toEqual([
          1,
          expect.stringContaining('sensitive/unknown-value'),
        ]);
      }
      const done = await command('apply plan.json --emulator --yes --allow all', WITH_KEY);
      expect(done.code).toBe(0);
      expect(await serviceState(root)).toContain(`Bearer ${VALUE}`);
    });
  });

  test('is not saved without a key for its digest', async () => {
    await inProject(async (command, root) => {
      const plan = await command('plan --emulator --out plan.json', { ORIGIN_SECRET: VALUE });
      expect([plan.code, plan.stderr]).toEqual([1, expect.stringContaining('sensitive/no-key')]);
      expect(await readdir(root)).not.toContain('plan.json');
      const json = await command('plan --emulator --format json', { ORIGIN_SECRET: VALUE });
      await writeFile(join(root, 'plan.json'), json.stdout);
      const apply = await command('apply plan.json --emulator --yes --allow all', { ORIGIN_SECRET: VALUE });
      expect([apply.code, apply.stderr]).toEqual([1, expect.stringContaining('sensitive/no-key')]);
    });
  });

  test('that is changed shows neither the old nor the new one', async () => {
    await inProject(async (command) => {
      await command('apply --emulator --yes --allow all', { ...WITH_KEY, ORIGIN_SECRET: OLD });
      for (const format of ['text', 'json', 'markdown']) {
        const plan = await command(`plan --emulator --format ${format}`, WITH_KEY);
        expect([plan.code, plan.stdout]).toEqual([0, expect.stringMatching(/sensitive/u)]);
      }
      expect((await command('drift --emulator', WITH_KEY)).code).toBe(2);
      expect((await command('apply --emulator --yes --allow all --journal other.jsonl', WITH_KEY)).code).toBe(
        0,
      );
      expect((await command('plan --emulator --exit-code', WITH_KEY)).code).toBe(0);
    });
  });

  test('is not needed to check, expand and test the files', async () => {
    await inProject(async (command) => {
      expect((await command('validate')).code).toBe(0);
      const expanded = await command('validate --expand', WITH_KEY);
      expect(expanded.stdout).toContain('Bearer <sensitive:ORIGIN_SECRET:');
      const explained = await command('explain https://shop.example/', WITH_KEY);
      expect(explained.code).toBe(0);
      const plan = await command('plan --emulator');
      expect([plan.code, plan.stderr]).toEqual([1, expect.stringContaining('set ORIGIN_SECRET')]);
    });
  });

  test('does not come from the command line', async () => {
    await inProject(async (command) => {
      const { code, stdout } = await command('validate --var origin_secret=abcdefghij');
      expect([code, stdout]).toEqual([1, expect.stringContaining('is sensitive: set the environment')]);
    });
  });

  test.each(['sh0rt', 'with "quotes" in it', 'with \\ in it'])(
    'that could not be kept is refused: %s',
    async (value) => {
      await inProject(async (command) => {
        const { code, stdout, stderr } = await command('plan --emulator', { ORIGIN_SECRET: value });
        expect([code, stderr]).toEqual([1, expect.stringContaining('sensitive/unusable-value')]);
        expect(stdout + stderr).not.toContain(value);
      });
    },
  );
});
