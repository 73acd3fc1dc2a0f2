import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveEmulator } from '../../src/app/service/embedded.ts';
import { rulewright } from './in-process.ts';

// What an import from a state prints is meant to be pasted into the same terminal, in the same folder.

const ACCOUNT = 'f0000000000000000000000000000001';
const ZONES = ['one', 'two', 'six'].map((name, index) => ({
  id: `${index + 1}`.repeat(32),
  name: `${name}.example`,
}));
const PHASE = 'http_request_firewall_custom';

let service: Awaited<ReturnType<typeof serveEmulator>>;
let folder: string;

const ruleset = (index: number) => ({
  id: `c${index}`.padEnd(32, '0'),
  rules: [
    {
      id: `d${index}`.padEnd(32, '0'),
      ref: 'admin',
      expression: 'http.request.uri.path eq "/admin"',
      action: 'block',
      enabled: true,
    },
  ],
});

/** A state with rules and a page rule in each zone. */
function state(): string {
  const of = (type: string, instances: readonly object[]) => ({
    mode: 'managed',
    type,
    name: 'all',
    provider: 'provider["registry.terraform.io/cloudflare/cloudflare"]',
    instances,
  });
  return JSON.stringify({
    version: 4,
    terraform_version: '1.11.4',
    resources: [
      of(
        'cloudflare_ruleset',
        ZONES.map(({ id, name }, index) => ({
          index_key: name,
          schema_version: 500,
          attributes: {
            zone_id: id,
            name: 'default',
            description: '',
            kind: 'zone',
            phase: PHASE,
            ...ruleset(index),
          },
        })),
      ),
      of(
        'cloudflare_page_rule',
        ZONES.map(({ id, name }) => ({ index_key: name, attributes: { zone_id: id } })),
      ),
    ],
  });
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rulewright-terraform-zone-'));
  const seed = {
    version: 1,
    email: 'owner@shop.example',
    token: 'a-token-that-may-do-everything',
    accounts: [{ id: ACCOUNT, name: 'Shop', plan: 'enterprise' }],
    zones: ZONES.map(({ id, name }, index) => ({
      id,
      name,
      account: 'Shop',
      plan: 'enterprise',
      rulesets: [{ kind: 'zone', phase: PHASE, ...ruleset(index) }],
      page_rules: [
        {
          targets: [{ target: 'url', constraint: { operator: 'matches', value: `${name}/img/*` } }],
          actions: [{ id: 'cache_level', value: 'cache_everything' }],
          status: 'active',
          priority: 1,
        },
      ],
    })),
  };
  await writeFile(join(folder, 'seed.json'), JSON.stringify(seed));
  service = await serveEmulator({
    port: 0,
    stateFile: null,
    seedFile: join(folder, 'seed.json'),
    unlimited: true,
    onRequest: () => {},
  });
});

afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

async function project() {
  const cwd = await mkdtemp(join(folder, 'project-'));
  await writeFile(join(cwd, 'state.json'), state());
  const run = (...words: readonly string[]) =>
    rulewright(words, {
      cwd,
      tty: true,
      columns: 60,
      env: { CLOUDFLARE_BASE_URL: service.baseUrl, CLOUDFLARE_API_TOKEN: service.token },
    });
  return { cwd, run };
}

test('each command that it prints stands on one line, and writes into the project that was imported', async () => {
  const { cwd, run } = await project();
  const ended = await run('import', '--from-terraform', 'state.json', '--out', 'rules');
  const [command = ''] = /^ *rulewright pagerules convert one\.example .*$/mu.exec(ended.stdout) ?? [];
  expect(command.trim()).toBe(
    'rulewright pagerules convert one.example --config rules/rulewright.yaml --out rules/zones/one.example-pagerules.yaml',
  );
  const converted = await run(...command.trim().split(' ').slice(1));
  expect(converted).toMatchObject({ code: 0 });
  expect(converted.stderr).not.toContain('is not a file of the project');
  const file = await readFile(join(cwd, 'rules', 'zones', 'one.example-pagerules.yaml'), 'utf8');
  expect(file).toMatch(
    /^# yaml-language-server: \$schema=\.\.\/\.rulewright\/schemas\/zone\.schema\.json\n# /u,
  );
  expect((await run('validate', 'rules')).code).toBe(0);
});

test('two sources at once are refused, with the way to have both', async () => {
  const { run } = await project();
  const ended = await run('import', '--from-terraform', 'state.json', '--from-octorules', 'config.yaml');
  expect(ended.code).not.toBe(0);
  expect(ended.stderr.replaceAll(/\s+/gu, ' ')).toContain('import from one at a time');
});

test('of zones that were not asked for, it tells the number and nothing else, and all went well', async () => {
  const { cwd, run } = await project();
  const given = JSON.parse(await readFile(join(cwd, 'state.json'), 'utf8'));
  const [{ instances }] = given.resources;
  // A secret of the second zone, and a ruleset of the third that is left in the state.
  instances[1].attributes.rules[0].expression = 'http.request.headers["x-key"][0] eq "hunter2-hunter2"';
  instances[1].sensitive_attributes = [[{ type: 'get_attr', value: 'rules' }]];
  instances[2].attributes.id = 'none';
  await writeFile(join(cwd, 'state.json'), JSON.stringify(given));
  const whole = await run('import', '--from-terraform', 'state.json', '--dry-run', '--quiet');
  expect(whole.stdout).toContain('X_KEY');
  expect(whole.stdout).toContain('Not imported, and left in the state');

  const ended = await run('import', '--from-terraform', 'state.json', '--zone', 'one.example');
  expect(ended.stdout).not.toMatch(/two\.example|six\.example|X_KEY|22222222|33333333/u);
  expect(ended.stdout.replaceAll(/\s+/gu, ' ')).toContain(
    '2 instances of other zones and accounts stay in Terraform; name them with --zone or --account.',
  );
  expect(ended.stdout).toContain('1 × cloudflare_page_rule');
  expect(await readFile(join(cwd, 'rulewright.yaml'), 'utf8')).not.toContain('X_KEY');
  expect(ended.code).toBe(0);
});

test('a second import tells once of each resource what it has no comments of, and takes no variable of its files for a value', async () => {
  const { cwd, run } = await project();
  const hcl = `locals {
  admin = "/admin"
}
resource "cloudflare_ruleset" "all" {
  for_each = local.zones
  rules = [{ ref = "admin", expression = "http.request.uri.path eq \\"\${local.admin}\\"", action = "block" }]
}
`;
  await writeFile(join(cwd, 'main.tf'), hcl);
  const words = ['import', '--from-terraform', 'state.json', '--hcl', '.', '--quiet'];
  const first = await run(...words);
  expect(first.stdout).toContain('Names of the configuration are variables now: ${admin}.');
  const again = await run(...words);
  expect(again.stdout).toContain('0 files written');
  expect(again.stdout).not.toContain('Named or computed');

  await writeFile(join(cwd, 'main.tf'), 'locals {}\n');
  const bare = (await run(...words)).stdout.replaceAll(/\s+/gu, ' ');
  expect(bare.match(/the configuration has no block of it/gu)).toHaveLength(1);
  expect(bare).toContain('cloudflare_ruleset.all: the configuration has no block of it');
});
