import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startEmulator } from '../../src/emulator/index.ts';
import { cacheCipher } from '../../src/live/cache-files.ts';
import type { Ended } from './in-process.ts';
import { rulewright } from './in-process.ts';

const OLDEST = 'oldest-secret-4710-value';
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

/** Makes a project. Checks after each command that neither its output nor any file has one of the values or the key. */
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
  for (const value of [OLDEST, OLD, VALUE, KEY]) {
    expect(text).not.toContain(value);
    expect(text).not.toContain(JSON.stringify(value).slice(1, -1));
  }
}

/** The texts of all files but the state of the embedded service, which has the values as any service does. */
async function filesOf(root: string): Promise<readonly string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name !== 'emulator.json');
  return Promise.all(files.map((entry) => readFile(join(entry.parentPath, entry.name), 'utf8')));
}

async function serviceState(root: string): Promise<string> {
  return readFile(join(root, '.rulewright/emulator.json'), 'utf8');
}

/** The decrypted entries of the version cache. */
async function openedEntries(
  root: string,
  service: { readonly CLOUDFLARE_BASE_URL: string; readonly CLOUDFLARE_API_TOKEN: string },
): Promise<readonly string[]> {
  const cipher = cacheCipher(service.CLOUDFLARE_BASE_URL, {
    kind: 'token',
    token: service.CLOUDFLARE_API_TOKEN,
  });
  const folder = join(root, '.rulewright/cache/v1');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const text = cipher.open(
          basename(entry.parentPath) + entry.name,
          await readFile(join(entry.parentPath, entry.name)),
        );
        return text ?? 'not ours';
      }),
  );
}

/** A zone file that owns no rule with the value. */
const WITHOUT_SECRET = `zone: shop.example
entrypoints:
  http_request_late_transform: { ownership: { rules: ["other-*"] }, rules: [] }
  http_request_cache_settings: { ownership: { rules: ["other-*"] }, rules: [] }
`;

/** The same file with its rule in flow style, which an import cannot edit in place. */
function inBraces(text: string): string {
  const [before = '', rule = ''] = text.split('      - ref: say-secret\n');
  return `${before}      - { ref: say-secret, ${rule.trim().split(/\n */u).join(', ')} }\n`;
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

  test('that is not set is named in the error, which says nothing about a saved plan', async () => {
    await inProject(async (command) => {
      const plan = await command('plan --emulator', { RULEWRIGHT_PLAN_KEY: KEY });
      expect([plan.code, plan.stderr]).toEqual([
        1,
        expect.stringContaining('a sensitive value is not set: ORIGIN_SECRET'),
      ]);
      expect(plan.stderr).not.toContain('the plan was made');
    });
  });

  test('is not in a saved plan, which only the same value and the same key can apply', async () => {
    await inProject(async (command, root) => {
      const plan = await command('plan --emulator --out plan.json', WITH_KEY);
      expect([plan.code, plan.stdout]).toEqual([0, expect.stringContaining('<sensitive:ORIGIN_SECRET:')]);
      for (const env of [
        {},
        { ORIGIN_SECRET: VALUE },
        { ...WITH_KEY, ORIGIN_SECRET: OLD },
        { ...WITH_KEY, RULEWRIGHT_PLAN_KEY: 'another key for digests' },
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

  test('prevents a saved plan, and applying one, without a key for its digest', async () => {
    await inProject(async (command, root) => {
      const plan = await command('plan --emulator --out plan.json', { ORIGIN_SECRET: VALUE });
      expect([plan.code, plan.stderr]).toEqual([1, expect.stringContaining('sensitive/no-key')]);
      expect(plan.stderr).not.toContain('planned zone');
      expect(await readdir(root)).not.toContain('plan.json');
      const json = await command('plan --emulator --format json', { ORIGIN_SECRET: VALUE });
      await writeFile(join(root, 'plan.json'), json.stdout);
      const apply = await command('apply plan.json --emulator --yes --allow all', { ORIGIN_SECRET: VALUE });
      expect([apply.code, apply.stderr]).toEqual([1, expect.stringContaining('sensitive/no-key')]);
    });
  });

  test('prevents a saved plan with a key that is too short', async () => {
    await inProject(async (command, root) => {
      const plan = await command('plan --emulator --out plan.json', {
        ORIGIN_SECRET: VALUE,
        RULEWRIGHT_PLAN_KEY: 'fifteen letters',
      });
      expect([plan.code, plan.stderr]).toEqual([1, expect.stringContaining('sensitive/weak-key')]);
      expect(plan.stderr).not.toContain('fifteen');
      expect(await readdir(root)).not.toContain('plan.json');
    });
  });

  test('that changed is shown neither in its old nor in its new form', async () => {
    await inProject(async (command) => {
      await command('apply --emulator --yes --allow all', { ...WITH_KEY, ORIGIN_SECRET: OLD });
      for (const format of ['text', 'json', 'markdown', 'html']) {
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

  test('that changed together with the ref of its rule, and in a description, is applied from a saved plan', async () => {
    await inProject(async (command, root) => {
      const file = join(root, 'zones/shop.yaml');
      const described = FILES['zones/shop.yaml'].replace(
        '  http_request_late_transform:\n',
        '$&    description: Sent with ${origin_secret}\n',
      );
      await writeFile(file, described);
      await command('apply --emulator --yes --allow all', { ...WITH_KEY, ORIGIN_SECRET: OLD });
      await writeFile(file, described.replace('say-secret', 'say-renamed'));
      await command('plan --emulator --out plan.json', WITH_KEY);
      const applied = await command('apply plan.json --emulator --yes --allow all', WITH_KEY);
      expect([applied.code, applied.stdout]).toEqual([0, expect.stringContaining('Applied')]);
      expect((await command('plan --emulator --exit-code', WITH_KEY)).code).toBe(0);
    });
  });

  test('that changed is hidden in older versions, and a rollback does not restore the old one', async () => {
    await inProject(async (command, root) => {
      await command('apply --emulator --yes --allow all', { ...WITH_KEY, ORIGIN_SECRET: OLD });
      await command('apply --emulator --yes --allow all', WITH_KEY);
      const ruleset = 'zone:shop.example http_request_late_transform --emulator';
      const before = await command(`versions ${ruleset} --show 1`, WITH_KEY);
      expect(before.stdout).toContain('Bearer <sensitive>');
      // Without its environment variable, it is hidden where the files declare it.
      expect((await command(`versions ${ruleset} --show 2`)).stdout).toContain('Bearer <sensitive>');
      const back = await command(`rollback ${ruleset} --to 1 --yes --allow all`, WITH_KEY);
      expect([back.code, back.stdout]).toEqual([0, expect.stringContaining('No changes')]);
      expect(await serviceState(root)).toContain(`Bearer ${VALUE}`);
    });
  });

  test('that changed is hidden in versions with rules that nobody has any more, and a rollback writes the new one', async () => {
    await inProject(async (command, root) => {
      const file = join(root, 'zones/shop.yaml');
      const plain = FILES['zones/shop.yaml'].replace('X-Auth:', 'X-Shop:');
      await writeFile(file, plain);
      await command('apply --emulator --yes --allow all', { ...WITH_KEY, ORIGIN_SECRET: OLD });
      await command('apply --emulator --yes --allow all', WITH_KEY);
      await writeFile(file, plain.replaceAll(/rules:\n(?: {6}.*\n)+/gu, 'rules: []\n'));
      await command('apply --emulator --yes --allow all', WITH_KEY);
      const ruleset = 'zone:shop.example http_request_late_transform --emulator';
      const shown = await command(`versions ${ruleset} --show 1`, WITH_KEY);
      expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining('Bearer <sensitive>')]);
      for (const unset of [`versions ${ruleset} --show 1`, `rollback ${ruleset} --to 1 --dry-run`]) {
        expect((await command(unset)).stderr).toContain('sensitive/unknown-value');
      }
      const back = await command(`rollback ${ruleset} --to 1 --yes --allow all`, WITH_KEY);
      expect([back.code, back.stdout]).toEqual([0, expect.stringContaining('+ say-secret')]);
      expect((await serviceState(root)).split(`Bearer ${VALUE}`).length).toBeGreaterThan(2);
    });
  });

  test.each([
    ['without a reference in any version', 2],
    ['which another rule shows', 1],
  ])('of before the last two is hidden in a rule that was deleted, %s', async (_, gone) => {
    await inProject(async (command, root) => {
      const file = join(root, 'zones/shop.yaml');
      const name = 'X-Shop';
      const plain = FILES['zones/shop.yaml'];
      const compare = (env: string): string => `
      - ref: say-other
        expression: any(http.request.headers["x-shop"][*] eq "${env}") and http.host ne "elsewhere.example"
        action: rewrite
        action_parameters: { headers: { ${name}: { operation: set, value: "from-the-edge" } } }
`;
      const both = plain.trimEnd() + compare('${origin_secret}');
      const values = [OLDEST, OLD];
      for (const value of values) {
        await writeFile(file, both);
        await command('apply --emulator --yes --allow all', { ...WITH_KEY, ORIGIN_SECRET: value });
      }
      const rest = gone === 2 ? plain.replaceAll(/rules:\n(?: {6}.*\n)+/gu, 'rules: []\n') : plain;
      await writeFile(file, rest);
      await command('apply --emulator --yes --allow all', { ...WITH_KEY, ORIGIN_SECRET: OLD });
      await writeFile(file, rest.replace('entrypoints:', 'entrypoints: # rotated'));
      await command('apply --emulator --yes --allow all', WITH_KEY);
      const ruleset = 'zone:shop.example http_request_late_transform --emulator';
      for (const version of ['1', '2']) {
        const shown = await command(`versions ${ruleset} --show ${version}`, WITH_KEY);
        expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining('eq "<sensitive>"')]);
      }
      const back = await command(`rollback ${ruleset} --to 1 --yes --allow all`, WITH_KEY);
      expect([back.code, back.stdout]).toEqual([0, expect.stringMatching(/eq\s+"<sensitive:/u)]);
      expect(await serviceState(root)).toContain(`eq \\"${gone === 2 ? OLDEST : VALUE}\\"`);
    });
  });

  test('is hidden in the descriptions by which versions names rules without a ref', async () => {
    await inProject(async (command, root) => {
      const file = join(root, 'zones/shop.yaml');
      const described = FILES['zones/shop.yaml'].replace(
        'ref: say-secret',
        'description: Sends ${origin_secret}',
      );
      await writeFile(
        file,
        described.replace('ownership: { rules: ["say-*"] }', 'description: Of ${origin_secret}'),
      );
      await command('apply --emulator --yes --allow all', { ...WITH_KEY, ORIGIN_SECRET: OLD });
      await command('apply --emulator --yes --allow all', WITH_KEY);
      const list = 'versions zone:shop.example http_request_late_transform --emulator';
      const known = await command(list, WITH_KEY);
      expect([known.code, known.stdout]).toEqual([
        0,
        expect.stringContaining('~ “Sends <sensitive:ORIGIN_SECRET:'),
      ]);
      const first = await command(`${list} --show 1`, WITH_KEY);
      expect([first.code, first.stdout]).toEqual([0, expect.stringContaining('description: Of <sensitive>')]);
      const back = list.replace('versions', 'rollback');
      const returned = await command(`${back} --to 1 --yes --allow all`, WITH_KEY);
      expect([returned.code, returned.stdout]).toEqual([0, expect.stringContaining('No changes')]);
      await writeFile(file, 'zone: [');
      const broken = await command(list, WITH_KEY);
      expect([broken.code, broken.stdout]).toEqual([0, expect.stringMatching(/ 1 changed.*\n +~ rw-/u)]);
    });
  });

  test('that a plan changed keeps its new form when the plan is reversed, which the reverse plan says', async () => {
    await inProject(async (command, root) => {
      const file = join(root, 'zones/shop.yaml');
      await command('apply --emulator --yes --allow all', { ...WITH_KEY, ORIGIN_SECRET: OLD });
      await writeFile(file, FILES['zones/shop.yaml'].replace('"true"', 'ssl'));
      await command('plan --emulator --out plan.json', WITH_KEY);
      expect((await command('apply plan.json --emulator --yes --allow all', WITH_KEY)).code).toBe(0);
      const unset = await command('plan --emulator --reverse plan.json --out back.json');
      expect([unset.code, unset.stderr]).toEqual([1, expect.stringContaining('not set: ORIGIN_SECRET')]);
      const back = await command('plan --emulator --reverse plan.json --out back.json', WITH_KEY);
      expect([back.code, back.stdout]).toEqual([0, expect.stringContaining("keeps today's sensitive value")]);
      const applied = await command('apply back.json --emulator --yes --allow all', WITH_KEY);
      expect([applied.code, applied.stdout]).toEqual([0, expect.stringContaining('Applied')]);
      expect(await serviceState(root)).toContain(`Bearer ${VALUE}`);
      await writeFile(file, FILES['zones/shop.yaml']);
      expect((await command('plan --emulator --exit-code', WITH_KEY)).code).toBe(0);
    });
  });

  test('that a plan gave to a rule with another ref cannot be reversed, and the reverse plan fails', async () => {
    await inProject(async (command, root) => {
      await command('apply --emulator --yes --allow all', { ...WITH_KEY, ORIGIN_SECRET: OLD });
      await writeFile(
        join(root, 'zones/shop.yaml'),
        FILES['zones/shop.yaml'].replace('say-secret', 'say-renamed'),
      );
      await command('plan --emulator --out plan.json', WITH_KEY);
      expect((await command('apply plan.json --emulator --yes --allow all', WITH_KEY)).code).toBe(0);
      const back = await command('plan --emulator --reverse plan.json --out back.json', WITH_KEY);
      expect([back.code, back.stdout]).toEqual([
        1,
        expect.stringMatching(
          /sensitive\/unknown-value\s[^]*rule say-secret held a\s+value\s+that\s+is\s+sensitive/u,
        ),
      ]);
    });
  });

  test('that a file has in the form of the outputs is an error of validate', async () => {
    await inProject(async (command, root) => {
      await command('apply --emulator --yes --allow all', WITH_KEY);
      const file = join(root, 'zones/shop.yaml');
      await writeFile(
        file,
        FILES['zones/shop.yaml'].replace('Bearer ${origin_secret}', 'Bearer <sensitive>'),
      );
      const checked = await command('validate');
      expect([checked.code, checked.stdout + checked.stderr]).toEqual([
        1,
        expect.stringContaining('zones/shop.yaml:14:74  error variable/sensitive'),
      ]);
    });
  });

  test('that changed prevents showing an older version while the files are not valid', async () => {
    await inProject(async (command, root) => {
      await command('apply --emulator --yes --allow all', { ...WITH_KEY, ORIGIN_SECRET: OLD });
      await command('apply --emulator --yes --allow all', WITH_KEY);
      await writeFile(join(root, 'zones/shop.yaml'), 'zone: [');
      const shown = await command(
        'versions zone:shop.example http_request_late_transform --emulator --show 1',
        WITH_KEY,
      );
      expect([shown.code, shown.stderr]).toEqual([1, expect.stringContaining('sensitive/unknown-place')]);
    });
  });

  test('that changed prevents a rollback to a version with a deleted rule while the files are not valid', async () => {
    await inProject(async (command, root) => {
      const old = { ...WITH_KEY, ORIGIN_SECRET: OLD };
      await command('apply --emulator --yes --allow all', old);
      const file = join(root, 'zones/shop.yaml');
      await writeFile(
        file,
        FILES['zones/shop.yaml'].replace(/rules:\n      - ref: say[^]*$/u, 'rules: []\n'),
      );
      expect((await command('apply --emulator --yes --allow all', old)).code).toBe(0);
      await writeFile(file, 'zone: [');
      const ruleset = 'zone:shop.example http_request_late_transform --emulator';
      const back = await command(`rollback ${ruleset} --to 1 --whole-ruleset --yes --allow all`, WITH_KEY);
      expect([back.code, back.stderr]).toEqual([1, expect.stringContaining('sensitive/unknown-place')]);
      // All rules of version 2 are live too, which tells where the value is.
      const now = await command(`rollback ${ruleset} --to 2 --whole-ruleset --yes --allow all`, WITH_KEY);
      expect([now.code, now.stdout]).toEqual([0, expect.stringContaining('No changes')]);
    });
  });

  test('is not written to files by an import, whether it is known or changed, and has to be set', async () => {
    await inProject(async (command, root) => {
      await command('apply --emulator --yes --allow all', { ...WITH_KEY, ORIGIN_SECRET: OLD });
      const file = join(root, 'zones/shop.yaml');
      for (const env of [{ ...WITH_KEY, ORIGIN_SECRET: OLD }, WITH_KEY]) {
        await writeFile(file, FILES['zones/shop.yaml']);
        expect((await command('import --zone shop.example --emulator', env)).code).toBeLessThan(3);
        expect(await readFile(file, 'utf8')).toContain('value: "Bearer ${origin_secret}"');
      }
      const refused = await command('import --zone shop.example --emulator');
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('set ORIGIN_SECRET')]);
    });
  });

  test('that is not declared is reported by an import, and replaced in the files once it is declared', async () => {
    await inProject(async (command, root) => {
      const env = { ...WITH_KEY, ORIGIN_SECRET: OLD };
      expect((await command('apply --emulator --yes --allow all', env)).code).toBe(0);
      const [declared, file] = [FILES['rulewright.yaml'], join(root, 'zones/shop.yaml')];
      await rm(file);
      await writeFile(join(root, 'rulewright.yaml'), declared.replace(/^env:.*\n/mu, ''));
      const imported = await rulewright('import --zone shop.example --emulator'.split(' '), { cwd: root });
      expect(imported.stdout).toContain('in clear X-Auth of rule say-secret in http_request_late_transform');
      expect(imported.stdout).toMatch(/in clear x-auth of rule only-with-secret/u);
      expect(imported.stdout).toContain('sensitive: true');
      expect(imported.stdout).not.toContain(OLD);
      expect(await readFile(join(root, 'zones/shop.example.yaml'), 'utf8')).toContain(OLD);
      await writeFile(join(root, 'rulewright.yaml'), declared);
      // An import keeps edits that are not committed, but not for the sake of a value that must not be committed.
      execFileSync('git', ['init', '-q', root]);
      const again = await command('import --zone shop.example --emulator', env);
      expect([again.code, again.stdout]).toEqual([0, expect.not.stringContaining('in clear')]);
      // The import changes the spelling in the files only, so that nothing weakens.
      expect(again.stdout).not.toContain('protect less');
      expect(await readFile(join(root, 'zones/shop.example.yaml'), 'utf8')).toContain(
        'Bearer ${origin_secret}',
      );
    });
  });

  test('is hidden in the description that names a rule without a ref, in its old form too', async () => {
    const nameless = { action: 'block', expression: 'ssl', description: `Asks for ${OLD}` };
    const entryPoint = { kind: 'zone', phase: 'http_request_firewall_custom', rules: [nameless] };
    const zone = { name: 'shop.example', rulesets: [entryPoint] };
    const seed = { version: 1, accounts: [{ name: 'Shop' }], zones: [zone] };
    const emulator = await startEmulator({ budget: 'off', seed });
    onTestFinished(() => emulator.close());
    await inProject(async (command, root) => {
      const service = { CLOUDFLARE_BASE_URL: emulator.baseUrl, CLOUDFLARE_API_TOKEN: emulator.token };
      const owning = FILES['zones/shop.yaml'].replace(
        'ownership: { rules: ["only-*"] }',
        'ownership: { rules: all }',
      );
      await writeFile(join(root, 'zones/shop.yaml'), owning);
      for (const asked of ['plan', 'plan --format json', 'plan --format markdown', 'drift', 'apply --yes']) {
        const { stdout } = await command(asked, { ...service, ORIGIN_SECRET: VALUE });
        expect(stdout).toContain('Asks for <sensitive>');
      }
    });
  });

  test('is never in the version cache, whether it is known, changed or no longer in the files', async () => {
    const emulator = await startEmulator({ budget: 'off' });
    onTestFinished(() => emulator.close());
    await inProject(async (command, root) => {
      const service = { CLOUDFLARE_BASE_URL: emulator.baseUrl, CLOUDFLARE_API_TOKEN: emulator.token };
      const old = { ...service, ORIGIN_SECRET: OLD };
      const kept = async (): Promise<readonly string[]> => {
        const texts = await openedEntries(root, service);
        texts.forEach(expectSecret);
        return texts;
      };
      await command('apply --yes --allow all', old);
      await command('drift', old);
      await command('drift', { ...service, ORIGIN_SECRET: VALUE });
      expect(await kept()).toEqual([]);
      await writeFile(join(root, 'zones/shop.yaml'), WITHOUT_SECRET);
      expect((await command('drift', service)).code).toBe(0);
      expect(await kept()).toEqual([]);
      // Only the phase that does not have the value is kept.
      expect((await command('drift', old)).code).toBe(0);
      const rulesets = (await kept()).filter((text) => text.includes('"rules"'));
      expect(rulesets).toEqual([expect.stringContaining('http_request_cache_settings')]);
    });
  });

  test('is written as its variable by an import when live has it and the files do not', async () => {
    await inProject(async (command, root) => {
      const zone = join(root, 'zones/shop.yaml');
      const more = `      - ref: say-more
        description: Sends \${origin_secret}
        expression: http.host eq "\${origin_secret}.example"
        action: rewrite
        action_parameters: { headers: { X-More: { operation: set, value: "\${origin_secret}" } } }
`;
      await writeFile(zone, `${FILES['zones/shop.yaml']}${more}`);
      expect((await command('apply --emulator --yes --allow all', WITH_KEY)).code).toBe(0);
      await writeFile(zone, FILES['zones/shop.yaml']);
      const imported = await command('import --zone shop.example --discard --emulator', WITH_KEY);
      expect([imported.code, imported.stdout]).toEqual([0, expect.stringContaining('1 file written')]);
      const text = await readFile(zone, 'utf8');
      expect(text.match(/\$\{origin_secret\}/gu)).toHaveLength(5);
      expect(text).not.toContain('<sensitive');
      expect((await command('plan --emulator --exit-code', WITH_KEY)).code).toBe(0);
      await rm(zone);
      await writeFile(join(root, 'zones/blog.yaml'), 'zone: blog.example\n');
      await writeFile(join(root, 'packs/auth.yaml'), 'pack: auth\nrules: []\n');
      const afresh = await command('import --zone shop.example --discard --emulator', WITH_KEY);
      expect([afresh.code, afresh.stderr]).toEqual([0, expect.any(String)]);
      const written = await readFile(join(root, 'zones/shop.example.yaml'), 'utf8');
      expect(written.match(/\$\{origin_secret\}/gu)).toHaveLength(7);
      expect((await command('plan --emulator --exit-code', WITH_KEY)).code).toBe(0);
    });
  });

  test('that live has in its old form is not imported, while the rest of the rule follows live', async () => {
    await inProject(async (command, root) => {
      expect((await command('apply --emulator --yes --allow all', { ORIGIN_SECRET: OLD })).code).toBe(0);
      const zone = join(root, 'zones/shop.yaml');
      const other = FILES['zones/shop.yaml'].replace('expression: "true"', 'expression: http.host eq "x"');
      for (const text of [FILES['zones/shop.yaml'], other, inBraces(other)]) {
        await writeFile(zone, text);
        const { code, stdout } = await command('import --zone shop.example --discard --emulator', WITH_KEY);
        expect([code, stdout]).toEqual([
          2,
          expect.stringMatching(/action_parameters of say-secret holds a\s+sensitive value/u),
        ]);
        expect(await readFile(zone, 'utf8')).toContain('Bearer ${origin_secret}');
        expect(await readFile(zone, 'utf8')).not.toContain('http.host eq "x"');
      }
      const renamed = FILES['zones/shop.yaml'].replace('ref: say-secret', 'ref: say-it');
      await writeFile(zone, renamed);
      const { code } = await command('import --zone shop.example --discard --emulator', WITH_KEY);
      // The ref follows live, because it is not secret.
      expect([code, await readFile(zone, 'utf8')]).toEqual([2, FILES['zones/shop.yaml']]);
    });
  });

  test('has to be set for an import', async () => {
    await inProject(async (command, root) => {
      await command('apply --emulator --yes --allow all', { ORIGIN_SECRET: VALUE });
      for (const zone of ['shop.example', 'blog.example']) {
        const { code, stderr } = await command(`import --zone ${zone} --emulator`);
        expect([code, stderr]).toEqual([1, expect.stringContaining('set ORIGIN_SECRET')]);
      }
      const known = await command('import --zone shop.example --emulator', { ORIGIN_SECRET: VALUE });
      expect([known.code, await readFile(join(root, 'zones/shop.yaml'), 'utf8')]).toEqual([
        0,
        expect.stringContaining('value: "Bearer ${origin_secret}"'),
      ]);
    });
  });

  test('does not have to be set for validate, but for a plan', async () => {
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

  test('is expected by its name in tests of rules, with or without the value and the key', async () => {
    await inProject(async (command, root) => {
      await mkdir(join(root, 'tests'));
      await writeFile(
        join(root, 'tests/auth.test.yaml'),
        `zone: shop.example
tests:
  - name: the origin gets the secret
    request: /
    expect: { headers: { X-Auth: Bearer <sensitive:ORIGIN_SECRET> } }
`,
      );
      for (const env of [{}, { ORIGIN_SECRET: VALUE }, WITH_KEY]) {
        expect((await command('test', env)).stdout).toContain('1 test: 1 passed');
      }
    });
  });

  test('cannot be set with --var', async () => {
    await inProject(async (command) => {
      const { code, stdout } = await command('validate --var origin_secret=abcdefghij');
      expect([code, stdout]).toEqual([1, expect.stringContaining('is sensitive: set the environment')]);
    });
  });

  test.each(['sh0rt', 'with "quotes" in it', 'with \\ in it'])(
    'that could not be hidden is refused: %s',
    async (value) => {
      await inProject(async (command) => {
        const { code, stdout, stderr } = await command('plan --emulator', { ORIGIN_SECRET: value });
        expect([code, stderr]).toEqual([1, expect.stringContaining('sensitive/unusable-value')]);
        expect(stdout + stderr).not.toContain(value);
      });
    },
  );
});
