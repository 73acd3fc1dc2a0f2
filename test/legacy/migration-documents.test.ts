import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isJsonObject } from '../../src/data/json.ts';
import type { JsonValue } from '../../src/data/json.ts';
import { rulewright } from '../cli/in-process.ts';
import { startService } from '../cli/scenario-service.ts';
import type { ScenarioService } from '../cli/scenario-service.ts';
import { closedSchema } from '../schemas/closed-schema.ts';

const schemas = await Promise.all(['migration', 'deprecations', 'result'].map(closedSchema));

/** Returns the kind of a document that a schema describes, or the errors of the schemas. */
function judged(stdout: string): unknown {
  const document: JsonValue = JSON.parse(stdout);
  const described = schemas.some((validate) => validate(document));
  return described && isJsonObject(document)
    ? document['kind']
    : schemas.flatMap(({ errors }) => errors ?? []);
}

let cwd = '';
let service: ScenarioService;
beforeAll(async () => {
  service = await startService([]);
  cwd = await mkdtemp(join(tmpdir(), 'rulewright-migration-'));
  await writeFile(join(cwd, 'rulewright.yaml'), 'version: 1\nfiles: [zones/*.yaml]\n');
  await cp(join(import.meta.dirname, 'deprecations', 'planted'), join(cwd, 'planted'), { recursive: true });
});
afterAll(async () => {
  await service.close();
  await rm(cwd, { recursive: true });
});

/** Commands in the order in which a user runs them, and the kind of document that each prints. */
const STORY: readonly (readonly [command: string, kind: string])[] = [
  ['firewall list blog.example', 'firewall-rules'],
  ['firewall list shop.example', 'firewall-rules'],
  ['firewall convert shop.example', 'firewall-conversion'],
  ['firewall convert blog.example', 'firewall-conversion'],
  ['firewall retire shop.example --yes', 'error'],
  ['firewall convert blog.example --order priority --out zones/blog.yaml', 'firewall-conversion'],
  ['apply --yes', 'apply'],
  ['firewall retire blog.example', 'retired'],
  ['firewall retire blog.example --allow irreversible', 'error'],
  ['firewall retire blog.example --yes --allow all --dry-run', 'retired'],
  ['firewall retire blog.example --yes --allow all', 'retired'],
  ['ratelimits list blog.example', 'rate-limits'],
  ['ratelimits convert blog.example', 'rate-limit-conversion'],
  ['ratelimits convert blog.example --fit-plan --out zones/limits.yaml', 'rate-limit-conversion'],
  ['apply --yes', 'apply'],
  ['ratelimits retire blog.example --yes --allow all', 'retired'],
  ['pagerules list blog.example', 'page-rules'],
  ['pagerules convert blog.example', 'page-rule-conversion'],
  ['pagerules retire blog.example', 'retired'],
  ['waf status shop.example blog.example api.example nowhere.example', 'waf-status'],
  ['waf check shop.example blog.example api.example nowhere.example', 'waf-check'],
  ['waf remove-overrides api.example --yes --allow all', 'retired'],
  ['waf config api.example', 'waf-configuration'],
  ['deprecations list', 'deprecations'],
  ['deprecations scan planted', 'deprecation-scan'],
];

test('the migration commands print nothing that their schemas do not describe', async () => {
  const env = { CLOUDFLARE_API_TOKEN: service.token, CLOUDFLARE_BASE_URL: service.baseUrl };
  const told: unknown[] = [];
  for (const [command, kind] of STORY) {
    const { stdout, stderr } = await rulewright([...command.split(' '), '--format', 'json'], { cwd, env });
    told.push(command.startsWith('apply') ? kind : stdout === '' ? stderr : judged(stdout));
  }
  expect(told).toEqual(STORY.map(([, kind]) => kind));
});
