import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readPlanFile } from '../../../src/app/planning/read-plan.ts';
import { makePlan } from '../../../src/plan/document/make-plan.ts';
import { scopeId } from '../../../src/emulator/index.ts';
import { rulewright } from '../../cli/in-process.ts';

const FILE = `zone: blog.example
entrypoints:
  http_request_firewall_custom:
    rules:
      - { ref: no-xmlrpc, action: block, expression: http.request.uri.path eq "/xmlrpc.php" }
`;

/** Saves a plan, edits it, gives it a valid digest again and applies it. */
async function applied(edit: (text: string) => string) {
  const cwd = await mkdtemp(join(tmpdir(), 'rulewright-names-'));
  onTestFinished(() => rm(cwd, { recursive: true }));
  await writeFile(join(cwd, 'rulewright.yaml'), 'version: 1\nfiles: [zone.yaml]\n');
  await writeFile(join(cwd, 'zone.yaml'), FILE);
  const file = join(cwd, 'plan.json');
  expect((await rulewright(['plan', '--emulator', '--quiet', '--out', file], { cwd })).code).toBe(0);
  const text = await readFile(file, 'utf8');
  const { baseUrl, scopes, findings } = JSON.parse(edit(text));
  await writeFile(file, JSON.stringify(makePlan(baseUrl, scopes, findings)));
  expect((await readPlanFile(file)).kind).toBe('read');
  return rulewright(['apply', file, '--yes', '--emulator', '--quiet', '--allow', 'all'], { cwd });
}

test('apply carries out a saved plan in the zone that it names', async () => {
  expect((await applied((text) => text)).code).toBe(0);
});

test('apply refuses a plan with a valid digest that calls a zone by the name of another zone', async () => {
  const { code, stdout } = await applied((text) => text.replaceAll('blog.example', 'shop.example'));
  expect(code).toBe(3);
  expect(stdout).toContain('the plan was made for zone:shop.example, but the zone');
  expect(stdout).toContain('that it would write is blog.example');
});

test.each([
  ['the account of a zone', scopeId('account', 'Example Shop'), 0],
  ['another account', 'a'.repeat(32), 1],
])('apply checks the account in the name of a zone of the plan: %s', async (_what, account, exit) => {
  const { code, stderr, stdout } = await applied((text) =>
    text.replaceAll('blog.example', `blog.example@${account}`),
  );
  expect([code, exit === 0 || (stdout + stderr).includes('api/unknown-scope')]).toEqual([exit, true]);
});
