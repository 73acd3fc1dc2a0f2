import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createFakeClock } from '../fake-clock.ts';
import { countedService } from './counted-service.ts';
import { rulewright } from './in-process.ts';

const FILES = {
  'rulewright.yaml': `version: 1
files: [zones/*.yaml]
safety:
  max_scopes: 1
  allow: [{ kind: scopes, reason: The move of the shop, until: 2026-01-01 }]
`,
  'zones/all.yaml': `zones: [shop.example, blog.example, api.example]
entrypoints:
  http_request_firewall_custom:
    ownership: { rules: [team-*] }
    place: first
    rules:
      - { ref: team-a, expression: 'http.request.uri.path eq "/a"', action: block }
`,
};

const MIDNIGHT = Date.UTC(2026, 0, 2);

/** A clock that is on the last day of the allowance at the first look, and past it at every later look. */
function clockOverMidnight() {
  const clock = createFakeClock(MIDNIGHT);
  const moments = [MIDNIGHT - 1];
  return { ...clock, now: () => moments.shift() ?? clock.now() };
}

it('apply judges an allowance by the day on which the run began', async () => {
  const { root, env } = await countedService();
  await mkdir(join(root, 'zones'));
  await Promise.all(Object.entries(FILES).map(([path, text]) => writeFile(join(root, path), text)));
  const run = (line: string, clock = createFakeClock(MIDNIGHT - 1)) =>
    rulewright(line.split(' '), { cwd: root, env, clock });
  expect(await run('plan --out whole.json --quiet')).toMatchObject({ code: 0 });
  // A run that begins a day later is refused, because the allowance is over.
  const apply = 'apply --shard 1/2 --expect whole.json --yes --quiet';
  expect(await run(apply, createFakeClock(MIDNIGHT))).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('Refused by the guard `scopes`'),
  });
  expect(await run(apply, clockOverMidnight())).toMatchObject({ code: 0, stderr: '' });
});
