import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isJsonObject } from '../../src/data/json.ts';
import type { JsonValue } from '../../src/data/json.ts';
import { rulewright } from '../cli/in-process.ts';
import { startService } from '../cli/scenario-service.ts';
import type { ScenarioService } from '../cli/scenario-service.ts';
import { createFakeClock } from '../fake-clock.ts';
import { closedSchema } from './closed-schema.ts';

const [setup, result, lock] = [
  await closedSchema('setup'),
  await closedSchema('result'),
  await closedSchema('lock'),
];

/** Returns the kind of a document that a schema describes, or the document and the errors of the schemas. */
function judged(stdout: string): unknown {
  const document: JsonValue = JSON.parse(stdout);
  const described = [setup, result].some((validate) => validate(document));
  return described && isJsonObject(document) ? document['kind'] : [document, setup.errors, result.errors];
}

let cwd = '';
let service: ScenarioService;
beforeAll(async () => {
  service = await startService([]);
  cwd = await mkdtemp(join(tmpdir(), 'rulewright-setup-'));
  await mkdir(join(cwd, 'broken', 'zones'), { recursive: true });
  await writeFile(join(cwd, 'broken', 'rulewright.yaml'), 'version: 1\nfiles: [zones/*.yaml]\n');
  await writeFile(join(cwd, 'broken', 'zones', 'a.yaml'), 'zone: [\n');
  await writeFile(
    join(cwd, 'override.yaml'),
    `zone: shop.example
entrypoints:
  http_request_firewall_managed:
    rules:
      - ref: managed
        action: execute
        expression:   not not ssl
        action_parameters:
          id: managed:cloudflare-managed-ruleset
          overrides: { categories: [{ category: wordpress, action: log }] }
`,
  );
  await writeFile(join(cwd, 'locked.yaml'), 'version: 1\nfiles: [override.yaml]\n');
});
afterAll(async () => {
  await service.close();
  await rm(cwd, { recursive: true });
});

/** Commands in the order in which a user runs them, and the exit code and the kind of document of each. */
const STORY: readonly (readonly [command: string, came: string])[] = [
  ['version', '0 program'],
  ['cache prune', '0 cache-prune'],
  ['init', '0 init'],
  ['init', '1 error'],
  ['init --out live --zone shop.example --ci github', '0 import'],
  ['import --zone shop.example', '0 import'],
  ['import --zone shop.example', '0 import'],
  ['import --zone shop.example --name-rules', '0 import'],
  ['import --zone nowhere.example', '1 import'],
  ['import', '1 import'],
  ['import --out broken --zone shop.example', '1 validation'],
  ['validate --fix --config locked.yaml', '0 validation'],
  ['fmt', '0 format'],
  ['fmt --check --diff --config locked.yaml', '2 format'],
  ['fmt --config locked.yaml', '0 format'],
  ['fmt --config broken/rulewright.yaml', '1 format'],
  ['fmt --config nowhere.yaml', '1 format'],
  ['catalog --zone shop.example', '0 catalog'],
  ['catalog managed:cloudflare-managed-ruleset --tag wordpress --zone shop.example', '0 catalog'],
  ['catalog managed:nothing --zone shop.example', '1 error'],
  ['catalog --lock --config locked.yaml', '0 catalog-lock'],
  ['catalog --lock --config locked.yaml', '0 catalog-lock'],
  ['catalog --lock --config broken/rulewright.yaml', '1 validation'],
  ['doctor --zone shop.example', '0 doctor'],
  ['doctor --zone nowhere.example', '1 doctor'],
  ['doctor --base-url http://127.0.0.1:9', '1 doctor'],
];

test('the setup commands print nothing that their schemas do not describe', async () => {
  const env = { CLOUDFLARE_API_TOKEN: service.token, CLOUDFLARE_BASE_URL: service.baseUrl };
  const told: unknown[] = [];
  for (const [command] of STORY) {
    const argv = [...command.split(' '), '--format', 'json'];
    const { code, stdout, stderr } = await rulewright(argv, { cwd, env, clock: createFakeClock(Date.now()) });
    const kind = stdout === '' ? stderr : judged(stdout);
    told.push(typeof kind === 'string' ? `${code} ${kind}` : kind);
  }
  expect(told).toEqual(STORY.map(([, came]) => came));
  const locked: JsonValue = JSON.parse(await readFile(join(cwd, 'rulewright.lock'), 'utf8'));
  expect([lock(locked), lock.errors]).toEqual([true, null]);
  expect(isJsonObject(locked) && locked['rulesets']).toHaveLength(1);
});
