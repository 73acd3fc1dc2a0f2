import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { objectOf, objectsIn, textOf } from '../../src/data/index.ts';
import { serveEmulator } from '../../src/app/service/embedded.ts';
import { rulewright } from './in-process.ts';

// What docs/terraform.md says of the weeks in which both tools manage one zone. Terraform's side is the requests that its provider sends: POST of a
// ruleset to create it, PUT of all of its rules to change it.

const ZONE = 'a'.repeat(32);
const PHASE = 'http_request_firewall_custom';

let service: Awaited<ReturnType<typeof serveEmulator>>;
let folder: string;
let cwd: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rulewright-beside-'));
});

beforeEach(async () => {
  await service?.close();
  const seed = {
    version: 1,
    email: 'owner@shop.example',
    token: 'a-token-that-may-do-everything',
    accounts: [{ name: 'Shop', plan: 'enterprise' }],
    zones: [{ id: ZONE, name: 'shop.example', account: 'Shop', plan: 'enterprise' }],
  };
  await writeFile(join(folder, 'seed.json'), JSON.stringify(seed));
  service = await serveEmulator({
    port: 0,
    stateFile: null,
    seedFile: join(folder, 'seed.json'),
    unlimited: true,
    onRequest: () => {},
  });
  cwd = await mkdtemp(join(folder, 'project-'));
});

afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

const run = (...words: readonly string[]) =>
  rulewright(words, {
    cwd,
    env: { CLOUDFLARE_BASE_URL: service.baseUrl, CLOUDFLARE_API_TOKEN: service.token },
  });

async function terraform(
  method: 'POST' | 'PUT',
  path: string,
  body: object,
): Promise<{ id: string; codes: number[] }> {
  const answer = await fetch(`${service.baseUrl}/zones/${ZONE}/rulesets${path}`, {
    method,
    headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { result, errors } = objectOf(await answer.json());
  return {
    id: textOf(objectOf(result)['id']),
    codes: objectsIn(errors).map(({ code }) => Number(code)),
  };
}

const theirs = (phase: string) => ({
  kind: 'zone',
  name: 'default',
  phase,
  rules: [{ ref: 'theirs', action: 'block', expression: 'ip.src eq 192.0.2.1' }],
});

async function project(ownership: string): Promise<void> {
  await writeFile(
    join(cwd, 'rulewright.yaml'),
    `version: 1\nfiles: [zone.yaml]\nownership: { rules: ${ownership} }\n`,
  );
  await writeFile(
    join(cwd, 'zone.yaml'),
    `zone: shop.example\nentrypoints:\n  ${PHASE}:\n    rules:\n      - { ref: ours-door, action: block, expression: ssl }\n`,
  );
}

test('each has rulesets of its own: neither sees the other', async () => {
  await project('all');
  expect(await run('apply', '--yes', '--quiet')).toMatchObject({ code: 0 });
  const action_parameters = { headers: { 'X-Theirs': { operation: 'set', value: '1' } } };
  const { id } = await terraform('POST', '', {
    ...theirs('http_request_late_transform'),
    rules: [{ ref: 'theirs', action: 'rewrite', action_parameters, expression: 'ssl' }],
  });
  expect(id).not.toBe('');
  expect((await run('drift', '--quiet')).code).toBe(0);
});

test('both have rules in one ruleset: the next apply of Terraform deletes ours, and drift shows it', async () => {
  await project('[ours-*]');
  const { id } = await terraform('POST', '', theirs(PHASE));
  expect(await run('apply', '--yes', '--quiet')).toMatchObject({ code: 0 });
  expect((await run('drift', '--quiet')).code).toBe(0);
  await terraform('PUT', `/${id}`, theirs(PHASE));
  const drift = await run('drift', '--quiet');
  expect(drift.code).toBe(2);
  expect(drift.stdout).toContain('ours-door');
  expect(await run('apply', '--yes', '--quiet')).toMatchObject({ code: 0 });
  expect((await run('versions', 'zone:shop.example', PHASE, '--show', '4')).stdout).toContain('theirs');
});

test('ours came first: Terraform cannot create the ruleset until it imports it', async () => {
  await project('[ours-*]');
  expect(await run('apply', '--yes', '--quiet')).toMatchObject({ code: 0 });
  expect((await terraform('POST', '', theirs(PHASE))).codes).toEqual([20_217]);
});
