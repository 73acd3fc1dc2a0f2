import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isJsonObject } from '../../src/data/json.ts';
import type { JsonValue } from '../../src/data/json.ts';
import { rulewright } from '../cli/in-process.ts';
import { startService } from '../cli/scenario-service.ts';
import type { ScenarioService } from '../cli/scenario-service.ts';
import { copyExample } from '../copy-project.ts';
import { closedSchema } from './closed-schema.ts';

const [simulation, result] = [await closedSchema('simulation'), await closedSchema('result')];

/** Returns the kind of a document that a schema describes, or the errors of the schemas. */
function judged(stdout: string): unknown {
  const document: JsonValue = JSON.parse(stdout);
  const described = [simulation, result].some((validate) => validate(document));
  return described && isJsonObject(document) ? document['kind'] : [simulation.errors, result.errors];
}

let cwd = '';
let service: ScenarioService;
beforeAll(async () => {
  service = await startService([]);
  cwd = await mkdtemp(join(tmpdir(), 'rulewright-simulation-'));
  await copyExample('shop', cwd);
  await writeFile(
    join(cwd, 'tests', 'failing.test.yaml'),
    `zone: shop.example
tests:
  - { name: fails, request: /admin, expect: { action: none, rules: { block-admin: missed } } }
  - { name: answers, request: /, response: { status: 404 }, expect: { status: 500 } }
`,
  );
  await writeFile(
    join(cwd, 'shared.yaml'),
    'version: 1\nfiles: [others.yaml]\nownership: { rules: ["ours-*"] }\n',
  );
  await writeFile(
    join(cwd, 'others.yaml'),
    `zone: shop.example
entrypoints:
  http_request_firewall_custom:
    rules: [{ ref: ours-a, action: block, expression: 'ip.src in $bad' }]
  http_request_firewall_managed:
    rules: [{ ref: ours-b, action: execute, expression: 'true', action_parameters: { id: managed:cloudflare-managed-ruleset } }]
`,
  );
  await writeFile(join(cwd, 'broken.yaml'), 'version: 1\nfiles: [tests/*.yaml]\n');
});
afterAll(async () => {
  await service.close();
  await rm(cwd, { recursive: true });
});

test.each([
  ['test tests/login.test.yaml', '0 test-results'],
  ['test tests/failing.test.yaml', '1 test-results'],
  ['test --config broken.yaml', '1 validation'],
  ['explain https://shop.example/admin', '0 explanation'],
  ['explain --zone shop.example / --status 404 --response-header Server:nginx --count 99', '0 explanation'],
  [
    'explain --zone blog.example /rss --plan enterprise --list office_networks=203.0.113.0/24',
    '0 explanation',
  ],
  ['explain --config shared.yaml https://shop.example/checkout', '0 explanation'],
  ['explain --live https://shop.example/admin', '0 explanation'],
  ['explain --live --zone api.example /', '0 explanation'],
  ['explain https://nowhere.example/', '64 error'],
  ['explain --config broken.yaml https://shop.example/', '1 validation'],
])('"%s" prints nothing that its schema does not describe', async (command, came) => {
  const env = { CLOUDFLARE_API_TOKEN: service.token, CLOUDFLARE_BASE_URL: service.baseUrl };
  const argv = [...command.split(' '), '--format', 'json'];
  const { code, stdout, stderr } = await rulewright(argv, { cwd, env });
  const kind = stdout === '' ? stderr : judged(stdout);
  expect(typeof kind === 'string' ? `${code} ${kind}` : kind).toBe(came);
});
