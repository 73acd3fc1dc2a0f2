import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveEmulator } from '../../src/app/service/embedded.ts';
import { rulewright } from './in-process.ts';

const corpus = process.env['RULEWRIGHT_CORPUS'];
const SAMPLES = join(corpus ?? '', 'samples', 'terraform');
/** A value that the state marks as sensitive. */
const CANARY = 'hunter2-deploy-key';

// A project that OpenTofu and version 5 of the provider applied, and what was live then.
describe.skipIf(corpus === undefined)('the sample project of Terraform (RULEWRIGHT_CORPUS)', () => {
  let service: Awaited<ReturnType<typeof serveEmulator>>;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rulewright-terraform-'));
    await copyFile(join(SAMPLES, 'emulator-state.json'), join(folder, 'live.json'));
    service = await serveEmulator({
      port: 0,
      stateFile: join(folder, 'live.json'),
      seedFile: null,
      unlimited: true,
      onRequest: () => {},
    });
  });

  afterAll(async () => {
    await service.close();
    await rm(folder, { recursive: true, force: true });
  });

  const run = (words: readonly string[], cwd: string, env: Record<string, string> = {}) =>
    rulewright(words, {
      cwd,
      env: { CLOUDFLARE_BASE_URL: service.baseUrl, CLOUDFLARE_API_TOKEN: service.token, ...env },
    });

  async function imported(file: string, ...more: readonly string[]) {
    const cwd = await mkdtemp(join(folder, 'project-'));
    const ended = await run(['import', '--from-terraform', resolve(SAMPLES, file), '--quiet', ...more], cwd);
    const names = (await readdir(cwd, { recursive: true })).filter((name) =>
      /\.(?:yaml|tf|csv)$/u.test(name),
    );
    const texts = await Promise.all(
      names.sort().map(async (name) => [name, await readFile(join(cwd, name), 'utf8')] as const),
    );
    return { cwd, ended, texts: new Map(texts) };
  }

  test('the state, and what show prints of it and of a plan, become the same files, with an empty plan', async () => {
    const [state, shown, planned] = await Promise.all([
      imported('terraform.tfstate'),
      imported('show.json'),
      imported('plan.json'),
    ]);
    expect(state.ended).toMatchObject({ code: 0, stderr: '' });
    expect(shown.texts).toEqual(state.texts);
    expect(planned.texts).toEqual(state.texts);
    const all = [...state.texts.values()].join('\n');
    expect(all).toContain('# cloudflare_ruleset.baseline["blog.example"]');
    expect(all).toContain('# module.redirects.cloudflare_ruleset.moved');
    expect(all).toContain('id: managed:cloudflare-managed-ruleset');
    expect(all).toContain('id: custom:known-bad-clients');
    const plan = await run(['plan', '--quiet'], state.cwd, { X_DEPLOY_KEY: CANARY });
    expect(plan.stdout).toMatch(/^No changes\. Live equals the files/u);
    const again = await run(
      ['import', '--from-terraform', join(SAMPLES, 'show.json'), '--quiet'],
      state.cwd,
      { X_DEPLOY_KEY: CANARY },
    );
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(again.stdout).toContain('0 files written');
  });

  test('comments of the configuration come along, and none that holds a secret', async () => {
    const { ended, texts } = await imported('terraform.tfstate', '--hcl', SAMPLES);
    expect(texts.get('packs/baseline.yaml')).toContain(
      '# cloudflare_ruleset.baseline\n# What every zone has\nrules:',
    );
    const apart = await imported('terraform.tfstate', '--hcl', SAMPLES, '--no-fold');
    expect(apart.texts.get('zones/shop.example.yaml')).toContain(
      '  # cloudflare_ruleset.baseline["shop.example"]\n  # What every zone has\n  http_request_firewall_custom:',
    );
    expect(ended.stdout.replaceAll(/\s+/gu, ' ')).toContain(
      'Named or computed by the configuration, and in the files as the value that came of it: ' +
        'main.tf:76: requests_per_period = 20 + count.index (cloudflare_ruleset.limits) ' +
        'mod/main.tf:11: rules = [for from, to in var.moved : …] (module.redirects.cloudflare_ruleset.moved) ' +
        'mod/main.tf:12: ref = trimprefix(from, "/") (module.redirects.cloudflare_ruleset.moved) ',
    );
    expect(ended.stdout).toContain('2 rulesets and rules have the comments of the configuration.');
    const hcl = await mkdtemp(join(folder, 'hcl-'));
    const block = `# key: ${CANARY}\n# or ghp_${'a1B2'.repeat(9)}\n# kept\nresource "cloudflare_ruleset" "cache" {}\n`;
    await writeFile(join(hcl, 'main.tf'), block);
    const other = [...(await imported('terraform.tfstate', '--hcl', hcl)).texts.values()].join('\n');
    expect(other).toContain('# kept');
    expect(other).not.toContain(CANARY);
    expect(other).not.toContain('ghp_');
  });

  test('comments above lists and locals come along, and literal locals are variables of the plan that stays empty', async () => {
    const hcl = await mkdtemp(join(folder, 'hcl-'));
    await writeFile(
      join(hcl, 'main.tf'),
      `locals {
  # Where we sit. key: ${CANARY}
  # Ask Ann.
  office = ["203.0.113.0/24", "2001:db8::/32"]
  other  = ["192.0.2.1"]
}
# Who may enter.
resource "cloudflare_list" "office" {}
resource "cloudflare_ruleset" "baseline" {
  rules = [for one in [1] : { expression = join(" ", local.office, local.other) }]
}
`,
    );
    const { ended, texts, cwd } = await imported('terraform.tfstate', '--hcl', hcl);
    expect(texts.get('accounts/shop.yaml')).toContain('# Who may enter.');
    const pack = texts.get('packs/baseline.yaml') ?? '';
    expect(pack).toContain(
      'params:\n  # Ask Ann.\n  office:\n    type: list\n    default: [203.0.113.0/24, 2001:db8::/32]\n',
    );
    // eslint-disable-next-line no-template-curly-in-string
    expect(pack).toContain('not ip.src in ${office} and');
    expect([...texts.values()].join('\n')).not.toContain(CANARY);
    // eslint-disable-next-line no-template-curly-in-string
    expect(ended.stdout).toContain('Names of the configuration are variables now: ${office}.');
    const plan = await run(['plan'], cwd, { X_DEPLOY_KEY: CANARY });
    expect(plan.stdout).toContain('No changes.');
  });

  test('names of the configuration are variables of accounts and of all that rules have, and modules count as blocks', async () => {
    const state = JSON.parse(await readFile(join(SAMPLES, 'terraform.tfstate'), 'utf8'));
    // As if a module had been called for each zone.
    state.resources = state.resources.flatMap((one: { name: string; instances: { index_key?: string }[] }) =>
      one.name === 'baseline'
        ? one.instances.map(({ index_key: key, ...instance }) => ({
            ...one,
            module: `module.zone["${key}"]`,
            instances: [instance],
          }))
        : [one],
    );
    const file = join(folder, 'modules.json');
    await writeFile(file, JSON.stringify(state));
    const hcl = await mkdtemp(join(folder, 'hcl-'));
    await mkdir(join(hcl, 'zone'));
    await writeFile(
      join(hcl, 'main.tf'),
      `variable "bot" { default = "BadCrawler" }
variable "key" {
  default   = "${CANARY}"
  sensitive = true
}
locals {
  who    = "Shared"
  ttl    = { catalog = 3600 }
  hosts  = [for one in ["shop"] : "\${one}.example"]
  deploy = "/deploy"
  # Where things are sold.
  catalog = "/catalog"
}
module "zone" {
  source   = "./zone"
  for_each = { "shop.example" = { host = "shop.example" }, "blog.example" = { host = "blog.example" } }
  host     = each.value.host
  deploy   = local.deploy
  key      = var.key
}
resource "cloudflare_ruleset" "bad_clients" {
  description = "\${local.who} by all zones"
  rules       = [{ expression = "http.user_agent contains \\"\${var.bot}\\"" }]
}
resource "cloudflare_ruleset" "account" {
  rules = [{ expression = "(cf.zone.name in {\${join(" ", local.hosts)}}) and true" }]
}
resource "cloudflare_ruleset" "cache" {
  rules = [{
    expression        = "starts_with(http.request.uri.path, \\"\${local.catalog}\\")"
    action_parameters = { edge_ttl = { default = local.ttl.catalog } }
  }]
}
resource "cloudflare_ruleset" "moved" {
  rules = [{ action_parameters = { from_value = { target_url = { value = "https://api.example\${local.catalog}" } } } }]
}
`,
    );
    await writeFile(join(hcl, 'zone', 'main.tf'), 'resource "cloudflare_ruleset" "baseline" {}\n');
    await writeFile(
      join(hcl, 'zone', 'main.tofu'),
      `variable "host" {}
variable "deploy" {}
variable "key" { sensitive = true }
resource "cloudflare_ruleset" "baseline" {
  rules = [
    { expression = "... http.host eq \\"\${var.host}\\"" },
    { expression = "http.request.uri.path eq \\"\${var.deploy}\\" ... \\"\${var.key}\\"" },
  ]
}
`,
    );
    const { cwd, ended, texts } = await imported(file, '--hcl', hcl);
    const account = texts.get('accounts/shop.yaml') ?? '';
    expect(account).toContain('vars:\n  who: Shared\n  bot: BadCrawler\n');
    /* eslint-disable no-template-curly-in-string */
    expect(account).toContain('description: ${who} by all zones\n');
    expect(account).toContain('expression: http.user_agent contains ${bot}\n');
    expect(account).toContain('lists:\n');
    expect(texts.get('zones/shop.example.yaml')).toContain('default: ${ttl_catalog}\n');
    expect(texts.get('zones/shop.example.yaml')).toContain('http.request.uri.path, ${catalog})\n');
    expect(texts.get('zones/api.example.yaml')).toContain('value: https://api.example${catalog}\n');
    expect(texts.get('rulewright.yaml')).toContain(
      '\nvars:\n  # Where things are sold.\n  catalog: /catalog\n',
    );
    expect(texts.get('zones/shop.example.yaml')).not.toContain('catalog: /catalog');
    expect(texts.get('packs/baseline.yaml')).toContain('http.host eq ${host}\n');
    expect(texts.get('packs/baseline.yaml')).toContain('uri.path eq ${deploy} and');
    /* eslint-enable no-template-curly-in-string */
    expect(texts.get('zones/blog.example.yaml')).toContain(
      '  # module.zone["blog.example"].cloudflare_ruleset.baseline\n',
    );
    const told = ended.stdout.replaceAll(/\s+/gu, ' ');
    expect(told).toContain(': main.tf:26: expression = join(" ", local.hosts) (cloudflare_ruleset.account) ');
    expect(told).not.toContain('var.host');
    expect([ended.stdout, ...texts.values()].join('\n')).not.toContain(CANARY);
    const plan = await run(['plan', '--quiet'], cwd, { X_DEPLOY_KEY: CANARY });
    expect(plan.stdout).toMatch(/^No changes\./u);
  });

  test('no secret of the state reaches a file or the output, in any format', async () => {
    for (const more of [[], ['--format', 'json'], ['--dry-run'], ['--name-rules']]) {
      const { ended, texts } = await imported('terraform.tfstate', ...more);
      expect([ended.stdout, ended.stderr, ...texts.values()].join('\n')).not.toContain(CANARY);
      expect(ended.stdout).toContain('X_DEPLOY_KEY');
    }
  });

  test('readable refs leave a plan that does nothing but give them', async () => {
    const { cwd } = await imported('terraform.tfstate', '--name-rules');
    const plan = await run(['plan', '--format', 'json'], cwd, { X_DEPLOY_KEY: CANARY });
    expect([...plan.stdout.matchAll(/"adopts": ?"[0-9a-f]{32}"/gu)]).toHaveLength(2);
    expect(plan.stdout).not.toMatch(/"kind": ?"(?:add|delete|move)"/u);
  });

  test('a saved plan is no text, and is told what to make of it', async () => {
    const file = join(folder, 'plan.bin');
    await writeFile(file, Buffer.from([0x50, 0x4b, 3, 4, 0xff]));
    const { ended, texts } = await imported(file);
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('is a saved plan') });
    expect(ended.stderr).toContain('terraform show -json');
    expect(texts.size).toBe(0);
  });

  test('rules that a block makes in zones that are not alike are a pack, unless that is refused', async () => {
    const env = { X_DEPLOY_KEY: CANARY };
    const { cwd, ended, texts } = await imported('terraform.tfstate');
    expect([...texts.keys()].filter((name) => name.startsWith('packs/'))).toEqual([
      'packs/baseline.yaml',
      'packs/limits.yaml',
    ]);
    expect(texts.get('rulewright.yaml')).toContain(
      'files: [accounts/*.yaml, zones/*.yaml]\npacks: [packs/*.yaml]\n',
    );
    expect(texts.get('zones/blog.example.yaml')).toBe(`\
# yaml-language-server: $schema=../.rulewright/schemas/zone.schema.json
zone: blog.example
vars:
  domain: blog.example
  login_requests_per_period: 20
entrypoints:
  # WAF custom rules
  # cloudflare_ruleset.baseline["blog.example"]
  http_request_firewall_custom:
    rules:
      - use: baseline
  # Rate limiting rules
  # cloudflare_ruleset.limits[0]
  http_ratelimit:
    rules:
      - use: limits
`);
    expect(texts.get('packs/limits.yaml')).toBe(`\
# yaml-language-server: $schema=../.rulewright/schemas/pack.schema.json
pack: limits
phases: [http_ratelimit]
# cloudflare_ruleset.limits
rules:
  - ref: login
    expression: http.request.uri.path eq "/login"
    action: block
    ratelimit:
      characteristics: [cf.colo.id, ip.src]
      period: 60
      requests_per_period: \${login_requests_per_period}
      mitigation_timeout: 600
`);
    // eslint-disable-next-line no-template-curly-in-string
    expect(ended.stdout).toContain('packs/baseline.yaml  2 zones  what differs: ${domain}');
    expect((await run(['plan', '--quiet'], cwd, env)).stdout).toMatch(/^No changes\./u);
    const again = ['import', '--from-terraform', join(SAMPLES, 'terraform.tfstate'), '--quiet'];
    expect((await run(again, cwd, env)).stdout).toContain('0 files written');
    const apart = await imported('terraform.tfstate', '--no-fold');
    expect([...apart.texts.keys()].filter((name) => name.startsWith('packs/'))).toEqual([]);
  });

  test('packs go to a project that has some', async () => {
    const cwd = await mkdtemp(join(folder, 'project-'));
    await mkdir(join(cwd, 'shared'));
    await writeFile(
      join(cwd, 'rulewright.yaml'),
      'version: 1\nfiles: [zones/*.yaml] # ours\npacks: [shared/*.yaml]\n',
    );
    const ours = 'pack: limits\nrules: [{ ref: a, expression: ssl, action: log }]\n';
    await writeFile(join(cwd, 'shared', 'limits.yaml'), ours);
    const ended = await run(
      ['import', '--from-terraform', join(SAMPLES, 'terraform.tfstate'), '--quiet'],
      cwd,
    );
    expect(ended.stderr).toBe('');
    expect(await readFile(join(cwd, 'rulewright.yaml'), 'utf8')).toContain(
      'files: [zones/*.yaml, accounts/*.yaml] # ours\npacks: [shared/*.yaml, packs/*.yaml]\n',
    );
    expect(await readFile(join(cwd, 'packs', 'limits-2.yaml'), 'utf8')).toContain('pack: limits-2\n');
    const plan = await run(['plan', '--quiet'], cwd, { X_DEPLOY_KEY: CANARY });
    expect(plan.stdout).toMatch(/^No changes\./u);
  });

  test('zones that are alike share a file, unless that is refused', async () => {
    const state = JSON.parse(await readFile(join(SAMPLES, 'terraform.tfstate'), 'utf8'));
    state.resources = state.resources.filter(({ name }: { name: string }) => /baseline|limits/u.test(name));
    const file = join(folder, 'alike.json');
    await writeFile(file, JSON.stringify(state));
    const folded = await imported(file);
    expect([...folded.texts.keys()]).toEqual(['removed.tf', 'rulewright.yaml', 'zones/baseline-limits.yaml']);
    const text = folded.texts.get('zones/baseline-limits.yaml') ?? '';
    expect(text).toMatchInlineSnapshot(`
      "# yaml-language-server: $schema=../.rulewright/schemas/zone.schema.json
      zones:
        # cloudflare_ruleset.baseline["blog.example"], cloudflare_ruleset.limits[0]
        - name: blog.example
          vars:
            domain: blog.example
            login_requests_per_period: 20
        # cloudflare_ruleset.baseline["shop.example"], cloudflare_ruleset.limits[1]
        - name: shop.example
          vars:
            domain: shop.example
            login_requests_per_period: 21
      entrypoints:
        # WAF custom rules
        http_request_firewall_custom:
          rules:
            - ref: block_admin
              description: Admin only from the office
              expression: >-
                starts_with(http.request.uri.path, "/admin") and not ip.src in {203.0.113.0/24 2001:db8::/32}
                and http.host eq \${domain}
              action: block
            - description: Partners may pass
              expression: ip.src eq 192.0.2.10
              action: skip
              action_parameters:
                ruleset: current
            - ref: deploy
              expression: http.request.uri.path eq "/deploy" and not any(http.request.headers["x-deploy-key"][*] eq "\${x_deploy_key}")
              action: block
              action_parameters:
                response:
                  content: '{"error": "no"}'
                  content_type: application/json
                  status_code: 403
        # Rate limiting rules
        http_ratelimit:
          rules:
            - ref: login
              expression: http.request.uri.path eq "/login"
              action: block
              ratelimit:
                characteristics: [cf.colo.id, ip.src]
                period: 60
                requests_per_period: \${login_requests_per_period}
                mitigation_timeout: 600
      "
    `);
    expect(folded.ended.stdout).toMatch(/what differs: \$\{domain\},\s+\$\{login_requests_per_period\}/u);
    const env = { X_DEPLOY_KEY: CANARY };
    expect((await run(['plan', '--quiet'], folded.cwd, env)).stdout).toMatch(/^No changes\./u);
    expect((await run(['import', '--from-terraform', file, '--quiet'], folded.cwd, env)).code).toBe(0);
    const apart = await imported(file, '--no-fold');
    expect([...apart.texts.keys()].filter((name) => name.startsWith('zones/'))).toHaveLength(2);
  });
});
