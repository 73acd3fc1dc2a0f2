import { execFileSync } from 'node:child_process';
import { mkdtemp, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { rulewright } from '../../cli/in-process.ts';

const fixtures = fileURLToPath(new URL('.', import.meta.url));
const DAY = ['--today', '2026-11-21', '--no-color'];

/** The uses planted in the fixtures: file, line, and the sign that gives each away. */
const PLANTED = [
  'planted/api/edge.postman_collection.json:8 POST /zones/{zone_id}/rate_limits',
  'planted/api/edge.postman_collection.json:15 field X-Auth-User-Service-Key',
  'planted/api/edge.postman_collection.json:16 field default_nameservers',
  'planted/api/openapi.json:6 DELETE /accounts/{account_id}/access/bookmarks/{uuid}',
  'planted/api/openapi.yaml:10 GET /zones/{zone_id}/firewall/waf/packages/{package_id}',
  'planted/api/openapi.yaml:12 PATCH /zones/{zone_id}/firewall/waf/packages/{package_id}',
  'planted/api/openapi.yaml:18 POST /zones/{zone_id}/filters',
  'planted/infra/main.tf:1 Terraform cloudflare_filter',
  'planted/infra/main.tf:3 field cf.threat_score',
  'planted/infra/main.tf:6 Terraform cloudflare_firewall_rule',
  'planted/infra/main.tf:7 Terraform cloudflare_filter',
  'planted/infra/main.tf:11 Terraform cloudflare_rate_limit',
  'planted/infra/main.tf:15 Terraform cloudflare_waf_packages',
  'planted/infra/main.tf:19 Terraform cloudflare_waf_override',
  'planted/infra/main.tf:25 Terraform brotli',
  'planted/infra/main.tf:26 Terraform security_level',
  'planted/infra/main.tf:27 Terraform minify',
  'planted/infra/main.tf:35 field notification_email',
  'planted/infra/main.tf:42 Terraform mirage',
  'planted/logs/access.log:1 GET /zones/{zone_id}/firewall/rules',
  'planted/logs/access.log:2 DELETE /zones/{zone_id}/firewall/rules/{rule_id}',
  'planted/logs/session.har:8 PATCH /zones/{zone_id}/settings/minify',
  'planted/logs/session.har:16 field name=contains',
  'planted/rules/shop.yaml:6 field cf.threat_score',
  'planted/rules/shop.yaml:9 parameter autominify',
  'planted/rules/shop.yaml:10 parameter security_level',
  'planted/scripts/deploy.sh:3 GET /zones/{zone_id}/firewall/waf/overrides',
  'planted/scripts/deploy.sh:4 DELETE /zones/{zone_id}/firewall/waf/overrides/{override_id}',
  'planted/scripts/deploy.sh:5 POST /zones/{zone_id}/filters',
  'planted/scripts/deploy.sh:9 PATCH /zones/{zone_id}/settings/mobile_redirect',
  'planted/scripts/deploy.sh:11 GET /accounts/{account_id}/tunnels',
  'planted/scripts/deploy.sh:12 GET /zones/{zone_id}/settings',
  'planted/src/client.ts.txt:4 call client.firewall.waf.packages',
  'planted/src/client.ts.txt:5 call client.rateLimits.list',
  'planted/src/client.ts.txt:8 DELETE /zones/{zone_id}/rate_limits/{rate_limit_id}',
  'planted/src/client.ts.txt:14 GET /zones/{zone_id}/script_monitor/scripts',
  'planted/src/edge.go:8 GET /organizations/{organization_id}/invites',
  'planted/src/edge.go:12 POST /accounts/{account_id}/workers/namespaces',
  'planted/src/edge.py:7 PUT /zones/{zone_id}/firewall/rules/{rule_id}',
  'planted/src/edge.py:11 GET /zones/{zone_id}/analytics/colos',
  'planted/src/edge.py:15 POST /accounts/{account_id}/images/v1/direct_upload',
  'planted/src/edge.py:20 field locked',
];

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scan-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** One line for each use in the text output. */
function told(stdout: string): readonly string[] {
  return stdout.split('\n').flatMap((line) => {
    const [, place, what] = /^ {2}(\S+:\d+):\d+ {2}(.+)$/u.exec(line) ?? [];
    return place === undefined ? [] : [`${place} ${what}`];
  });
}

test('the scan finds every planted use, and nothing else', async () => {
  const run = await rulewright(['deprecations', 'scan', 'planted', ...DAY], {
    cwd: fixtures,
    tty: true,
    columns: 200,
  });
  expect(told(run.stdout).toSorted()).toEqual(PLANTED.toSorted());
  expect(run.stdout).toContain(`${PLANTED.length} uses of 21 deprecations; 11 files read.`);
  expect(run.code).toBe(2);
});

test('the scan reports nothing in look-alikes', async () => {
  const run = await rulewright(['deprecations', 'scan', 'lookalikes', ...DAY], { cwd: fixtures });
  expect(run.stdout).toBe('No use of anything deprecated; 7 files read.\n');
  expect(run.code).toBe(0);
});

test('the scan skips node_modules, binary files and links, but reads a file in node_modules that is named', async () => {
  const use = 'resource "cloudflare_filter" "x" {}\n';
  await mkdir(join(folder, 'node_modules', 'x'), { recursive: true });
  await writeFile(join(folder, 'node_modules', 'x', 'main.tf'), use);
  await writeFile(join(folder, 'blob.bin'), `\0${use}`);
  await symlink(join(folder, 'node_modules'), join(folder, 'linked'));
  const all = await rulewright(['deprecations', 'scan'], { cwd: folder });
  expect(all.stdout).toBe('No use of anything deprecated; 0 files read, 1 file skipped as binary.\n');
  const named = await rulewright(['deprecations', 'scan', 'node_modules/x/main.tf'], { cwd: folder });
  expect(told(named.stdout)).toEqual(['node_modules/x/main.tf:1 Terraform cloudflare_filter']);
});

test('the scan reports a folder that it cannot read, and exits with 1', async () => {
  // The path gets longer than the system allows, so that nobody can read it by its path, not even root.
  const name = 'x'.repeat(200);
  const deeper = 'for i in $(seq 25); do mkdir "$1" && cd -P "$1" || exit 1; done';
  execFileSync('sh', ['-c', deeper, 'sh', name], { cwd: folder });
  const { code, stdout } = await rulewright(['deprecations', 'scan', '--format', 'json'], { cwd: folder });
  execFileSync('rm', ['-rf', join(folder, name)]);
  expect(JSON.parse(stdout)).toMatchObject({
    files: 0,
    unread: [{ file: expect.stringContaining(name), reason: expect.stringContaining('ENAMETOOLONG') }],
  });
  expect(code).toBe(1);
});

test('the scan reports the right column in a line that it reads in pieces', async () => {
  const request = '{"method":"GET","url":"https://api.cloudflare.com/client/v4/zones/7/rate_limits"}';
  const filler = '{"method":"GET","url":"https://shop.example/"},'.repeat(4000);
  await writeFile(join(folder, 'long.har'), `[${filler}${request}]`);
  const run = await rulewright(['deprecations', 'scan', 'long.har', '--format', 'json'], { cwd: folder });
  const { uses } = JSON.parse(run.stdout);
  const column = 1 + filler.length + request.indexOf('zones') + 1;
  expect(uses).toMatchObject([{ sign: { method: 'GET' }, where: { start: { line: 1, column } } }]);
});

test('the scan as SARIF has a result for each use, and a rule that names the deprecation and its day', async () => {
  const run = await rulewright(['deprecations', 'scan', 'planted/rules', '--format', 'sarif', ...DAY], {
    cwd: fixtures,
  });
  const [{ results, tool }] = JSON.parse(run.stdout).runs;
  expect(results).toMatchObject([
    { ruleId: 'deprecated/security-level', level: 'warning' },
    { ruleId: 'deprecated/minify' },
    { ruleId: 'deprecated/security-level' },
  ]);
  expect(results[0].locations[0].physicalLocation.region).toMatchObject({ startLine: 6, startColumn: 21 });
  expect(tool.driver.rules[0].shortDescription.text).toBe('Auto minify is deprecated, 2024-08-05.');
});

test('the scan fails for a path that does not exist', async () => {
  const run = await rulewright(['deprecations', 'scan', 'nowhere'], { cwd: folder });
  expect(run.stderr).toContain('nowhere does not exist');
  expect(run.code).toBe(1);
});

test('the list groups deprecations by day: within 90 days, later and past', async () => {
  const run = await rulewright(['deprecations', 'list', ...DAY], { tty: true, columns: 200 });
  const headings = run.stdout.split('\n').filter((line) => /^(?:Within|Later|Past)/u.test(line));
  expect(headings).toEqual(['Within 90 days', 'Past, the newest first']);
  expect(run.stdout).toContain('from 2026-12-01, in 10 days');
  expect(run.stdout).toContain('43 deprecations, on 2026-11-21.');
  expect(run.code).toBe(0);
});

test('the list as JSON says of each deprecation whether it is near, later or past', async () => {
  const run = await rulewright(['deprecations', 'list', '--format', 'json', '--today', '2026-08-01']);
  const { deprecations } = JSON.parse(run.stdout);
  const standing = (id: string) => deprecations.find((row: { id: string }) => row.id === id)?.standing;
  expect([standing('workers-kv-namespaces'), standing('dns-analytics'), standing('mirage')]).toEqual([
    'near',
    'later',
    'past',
  ]);
});

test('the list refuses a day that does not exist as wrong usage', async () => {
  const run = await rulewright(['deprecations', 'list', '--today', '2026-02-30']);
  expect(run.stderr).toContain('expected a day, such as 2026-12-01');
  expect(run.code).toBe(64);
});
