import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startLoopback } from '../api/loopback.ts';
import { rulewright } from './in-process.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rulewright-notify-'));
  await mkdir(join(folder, 'zones'));
  await writeFile(join(folder, 'rulewright.yaml'), 'version: 1\nfiles: [zones/*.yaml]\n');
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const zone = (expression: string) =>
  writeFile(
    join(folder, 'zones', 'shop.yaml'),
    `zone: shop.example\nentrypoints:\n  http_request_firewall_custom:\n    rules:\n      - { ref: bots, action: block, expression: '${expression}' }\n`,
  );

test('a webhook is told of writes, drift and failures, and of nothing else', async () => {
  const statuses = [200, 200, 200, 400];
  const hook = await startLoopback((_seen, response) => {
    response.statusCode = statuses.shift() ?? 200;
    response.end();
  });
  const env = {
    RULEWRIGHT_WEBHOOK_URL: `${hook.baseUrl}/secret`,
    GITHUB_SERVER_URL: 'https://github.example',
    GITHUB_REPOSITORY: 'shop/rules',
    GITHUB_RUN_ID: '7',
  };
  const run = (...words: readonly string[]) =>
    rulewright([...words, '--emulator', '--quiet'], { cwd: folder, env });
  const told = () => hook.seen.map(({ body }): unknown => JSON.parse(body));
  await zone('http.user_agent contains "<Bad & co>"');
  expect(await run('apply', '--yes', '--allow', 'all', '--notify', 'json')).toMatchObject({ code: 0 });
  expect(told()).toEqual([
    {
      kind: 'run-news',
      formatVersion: 1,
      command: 'apply',
      exit: 0,
      summary: expect.stringContaining('Applied. 1 ruleset: 1 done.'),
      runUrl: 'https://github.example/shop/rules/actions/runs/7',
    },
  ]);
  await run('apply', '--yes', '--notify', 'json');
  await run('drift', '--notify', 'slack');
  expect(hook.seen).toHaveLength(1);
  await zone('http.user_agent contains "other"');
  expect(await run('drift', '--notify', 'slack')).toMatchObject({ code: 2 });
  expect(told()[1]).toMatchObject({
    text: expect.stringMatching(/^\*rulewright drift\* ended with exit code 2\n[^<]*\n<https:.*\|run>$/su),
  });
  expect(await run('apply', '--notify', 'json')).not.toMatchObject({ code: 0 });
  expect(told()[2]).toMatchObject({ command: 'apply', summary: '' });
  const last = await run('apply', '--yes', '--allow', 'all', '--notify', 'json');
  expect(last).toMatchObject({ code: 0, stderr: expect.stringContaining('did not accept the message: 400') });
  expect(last.stderr).not.toContain('secret');
});

test.each([
  [{}, 'is not set to an address'],
  [{ RULEWRIGHT_WEBHOOK_URL: 'chat.example/hook' }, 'is not set to an address'],
  [{ RULEWRIGHT_WEBHOOK_URL: 'https://me:pass-3f9b@chat.example/hook' }, 'a user name or a password in it'],
])('nothing is done without an address that can be used: %j', async (env, says) => {
  await zone('http.user_agent contains "third"');
  const ended = await rulewright(['apply', '--emulator', '--yes', '--allow', 'all', '--notify', 'json'], {
    cwd: folder,
    env,
  });
  expect(ended).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('webhook/no-url') });
  expect(ended.stderr).toContain(says);
  expect(ended.stderr).not.toContain('pass-3f9b');
});
