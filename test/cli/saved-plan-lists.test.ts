import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Emulator } from '../../src/emulator/index.ts';
import { startEmulator } from '../../src/emulator/index.ts';
import type { Plan } from '../../src/model/index.ts';
import { checkPlan } from '../../src/plan/index.ts';
import { factsOf, sealPlan, wholeOf } from '../../src/plan/document/make-plan.ts';
import { rulewright } from './in-process.ts';

const TOKEN = 'a-token-that-may-do-everything';
let folder: string;
let emulator: Emulator;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rulewright-saved-lists-'));
  emulator = await startEmulator({
    seed: {
      version: 1,
      token: TOKEN,
      accounts: [
        {
          name: 'Example Shop',
          plan: 'enterprise',
          lists: [{ name: 'office', kind: 'ip', items: [{ ip: '203.0.113.0/24' }] }],
        },
      ],
      zones: [
        {
          name: 'shop.example',
          account: 'Example Shop',
          plan: 'enterprise',
          rulesets: [
            {
              kind: 'zone',
              phase: 'http_request_firewall_custom',
              rules: [{ ref: 'admin', expression: 'not ip.src in $office', action: 'block' }],
            },
          ],
        },
      ],
    },
  });
  const files = {
    'rulewright.yaml': 'version: 1\nfiles: [shop.yaml, account.yaml]\nsafety: { weakened: refuse }\n',
    'shop.yaml': `zone: shop.example
entrypoints:
  http_request_firewall_custom:
    rules: [{ ref: admin, expression: 'not ip.src in $office', action: block }]
`,
  };
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text)));
});

afterEach(async () => {
  await emulator.close();
  await rm(folder, { recursive: true });
});

const run = (...words: readonly string[]) =>
  rulewright([...words, '--base-url', emulator.baseUrl], {
    cwd: folder,
    env: { CLOUDFLARE_API_TOKEN: TOKEN },
  });

/** Plans a list with these items, and saves the plan as somebody forges it who knows how digests are made. */
async function planned(items: string, forge: (plan: Plan) => Plan = (plan) => plan): Promise<void> {
  await writeFile(
    join(folder, 'account.yaml'),
    `account: Example Shop\nlists: [{ name: office, kind: ip, items: [${items}] }]\n`,
  );
  const { code, stderr } = await run('plan', '--quiet', '--out', 'plan.json');
  expect([code, stderr]).toEqual([0, '']);
  const path = join(folder, 'plan.json');
  const checked = checkPlan(JSON.parse(await readFile(path, 'utf8')));
  if (checked.kind !== 'valid') {
    throw new Error(checked.kind);
  }
  const forged = forge(checked.plan);
  const facts = forged.scopes.map((scope) => factsOf(scope));
  await writeFile(path, JSON.stringify(sealPlan({ ...forged, ...wholeOf(facts) }, facts)));
}

function calledNeutral(plan: Plan): Plan {
  return {
    ...plan,
    scopes: plan.scopes.map((scope) =>
      scope.kind === 'failed'
        ? scope
        : {
            ...scope,
            findings: [],
            ...(scope.objects === undefined
              ? {}
              : { objects: scope.objects.map((step) => ({ ...step, protection: { kind: 'neutral' } })) }),
          },
    ),
  };
}

test('a saved plan that calls a weakening change of a list neutral is refused, whatever its digests say', async () => {
  await planned('203.0.113.0/24, 198.51.100.0/24', calledNeutral);
  const { code, stdout, stderr } = await run('apply', 'plan.json', '--yes');
  expect(stdout.replaceAll(/\s+/gu, ' ')).toContain('rule admin of zone:shop.example');
  expect(stderr).toContain('weakened');
  expect(code).toBe(3);
});

test('one that is neutral by the rules that name the list is carried out', async () => {
  await planned('203.0.113.0/24, 203.0.113.7');
  const { code, stdout } = await run('apply', 'plan.json', '--yes');
  expect(stdout).toContain('Applied.');
  expect(code).toBe(0);
});

const zone = (expression: string) =>
  writeFile(
    join(folder, 'shop.yaml'),
    `zone: shop.example
entrypoints:
  http_request_firewall_custom:
    rules: [{ ref: admin, expression: '${expression}', action: block }]
`,
  );

test.each<[what: string, before: string, lists: string, code: number]>([
  [
    'follows a list to its new name',
    'not ip.src in $office',
    '{ name: offices, kind: ip, items: [203.0.113.0/24] }, { name: office, kind: ip, absent: true }',
    0,
  ],
  [
    'looks up in a list what was a set in it',
    'not ip.src in {203.0.113.0/24}',
    '{ name: offices, kind: ip, items: [203.0.113.0/24] }',
    0,
  ],
  [
    'follows a list to one that has more',
    'not ip.src in $office',
    '{ name: offices, kind: ip, items: [203.0.113.0/24, 192.0.2.7] }, { name: office, kind: ip, absent: true }',
    3,
  ],
  [
    'looks up in a list what was a smaller set',
    'not ip.src in {203.0.113.0/24}',
    '{ name: offices, kind: ip, items: [203.0.112.0/23] }',
    3,
  ],
])('a rule that %s needs an allowance only if that is not the same', async (_, before, lists, code) => {
  await zone(before);
  await writeFile(join(folder, 'account.yaml'), 'account: Example Shop\n');
  expect((await run('apply', '--yes', '--allow', 'all')).code).toBe(0);
  await zone('not ip.src in $offices');
  await writeFile(join(folder, 'account.yaml'), `account: Example Shop\nlists: [${lists}]\n`);
  const { stdout } = await run('plan', '--quiet', '--out', 'plan.json');
  expect(/weakened|weakens/u.test(stdout)).toBe(code !== 0);
  const saved = await run('apply', 'plan.json', '--yes');
  expect([saved.code, saved.stderr.includes('weakened')]).toEqual([code, code !== 0]);
  expect((await run('apply', '--yes')).code).toBe(code);
});
