import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { fakeClock, scopeId, startEmulator } from '../../src/emulator/index.ts';
import type { Emulator } from '../../src/emulator/index.ts';
import { rulewright } from '../cli/in-process.ts';
import { createFakeClock } from '../fake-clock.ts';

const NOW = Date.UTC(2026, 10, 28, 12);
const ZONE = 'one.example';
const FILES = {
  'rulewright.yaml': 'version: 1\nfiles: [zone.yaml]\n',
  'zone.yaml': `zone: ${ZONE}\nentrypoints:\n  http_request_firewall_custom:\n    rules: [{ ref: guard, expression: ssl, action: block }]\n`,
};

async function openFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rulewright-authors-'));
  onTestFinished(() => rm(folder, { recursive: true, maxRetries: 3 }));
  for (const [name, text] of Object.entries(FILES)) {
    await writeFile(join(folder, name), text);
  }
  return folder;
}

/** Somebody changes the expression of the only rule, by a token of that name. */
async function edit(
  { baseUrl }: Pick<Emulator, 'baseUrl'>,
  token: string,
  expression: string,
): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const rulesets = `${baseUrl}/zones/${scopeId('zone', ZONE)}/rulesets`;
  const read = await fetch(`${rulesets}/phases/http_request_firewall_custom/entrypoint`, { headers });
  const { result } = (await read.json()) as { result: { id: string; rules: readonly { id: string }[] } };
  const answer = await fetch(`${rulesets}/${result.id}/rules/${result.rules[0]?.id}`, {
    method: 'PATCH',
    headers,
    body: JSON.stringify({ expression, action: 'block' }),
  });
  expect(answer.status).toBe(200);
}

interface ToldDrift {
  readonly changes: readonly {
    readonly changed_by: readonly { readonly actor: { readonly name: string } }[];
    readonly not_known?: { readonly reason: string };
  }[];
}

/** Returns whom drift names, or why it names nobody. */
async function authors(
  folder: string,
  { baseUrl, token }: Pick<Emulator, 'baseUrl' | 'token'>,
  now = NOW,
): Promise<readonly string[]> {
  const env = { CLOUDFLARE_BASE_URL: baseUrl, CLOUDFLARE_API_TOKEN: token };
  const { stdout } = await rulewright(['drift', '--format', 'json'], {
    cwd: folder,
    env,
    clock: createFakeClock(now),
  });
  const { changes } = JSON.parse(stdout) as ToldDrift;
  return changes.flatMap(({ changed_by, not_known }) => [
    ...changed_by.map(({ actor }) => actor.name),
    ...(not_known === undefined ? [] : [not_known.reason]),
  ]);
}

describe('drift', () => {
  test('tells each of several edits, also of those that one undid', async () => {
    const clock = createFakeClock(NOW);
    const folder = await openFolder();
    const emulator = await startEmulator({
      budget: 'off',
      clock: { now: () => clock.now() },
      seed: {
        version: 1,
        accounts: [{ name: 'Mine' }],
        zones: [{ name: ZONE, account: 'Mine' }],
        token_names: { ann: 'ann', bob: 'bob', cyd: 'cyd' },
        tokens: Object.fromEntries(
          ['ann', 'bob', 'cyd'].map((name) => [
            name,
            [{ permissions: ['Zone WAF Write'], resources: ['*'] }],
          ]),
        ),
      },
    });
    onTestFinished(() => emulator.close());
    const env = { CLOUDFLARE_BASE_URL: emulator.baseUrl, CLOUDFLARE_API_TOKEN: emulator.token };
    expect((await rulewright(['apply', '--yes'], { cwd: folder, env, clock })).code).toBe(0);
    clock.advance(60_000);
    await edit(emulator, 'ann', 'not ssl');
    clock.advance(60_000);
    await edit(emulator, 'bob', 'ssl');
    expect(await authors(folder, emulator, clock.now())).toEqual([]);
    clock.advance(60_000);
    await edit(emulator, 'cyd', 'not ssl');
    expect(await authors(folder, emulator, clock.now())).toEqual(['ann', 'bob', 'cyd']);
  });

  test('says how far back it read a log of more than 10,000 entries', async () => {
    const folder = await openFolder();
    const audit_log = Array.from({ length: 10_500 }, (_, index) => ({
      time: new Date(NOW - (10_500 - index) * 1000).toISOString(),
      method: 'PUT',
      path: `/zones/${scopeId('zone', ZONE)}/rulesets/phases/http_ratelimit/entrypoint`,
    }));
    const emulator = await startEmulator({
      budget: 'off',
      clock: fakeClock(NOW - 86_400_000),
      seed: {
        version: 1,
        accounts: [{ name: 'Mine', audit_log }],
        zones: [
          {
            name: ZONE,
            account: 'Mine',
            rulesets: [
              {
                kind: 'zone',
                phase: 'http_request_firewall_custom',
                name: 'default',
                rules: [{ ref: 'guard', expression: 'not ssl', action: 'block' }],
              },
            ],
          },
        ],
      },
    });
    onTestFinished(() => emulator.close());
    expect(await authors(folder, emulator)).toEqual(['cut']);
  });

  test('knows its own writes to the embedded service, whatever that is called', async () => {
    const folder = await openFolder();
    const first = await rulewright(['apply', '--yes', '--emulator'], { cwd: folder });
    expect(first.code).toBe(0);
    const emulator = await startEmulator({
      budget: 'off',
      stateFile: join(folder, '.rulewright/emulator.json'),
    });
    onTestFinished(() => emulator.close());
    await writeFile(join(folder, 'zone.yaml'), FILES['zone.yaml'].replace('ssl', 'not ssl'));
    expect(await authors(folder, emulator, Date.now() + 86_400_000)).toEqual(['own']);
  });

  test('refuses a time to come', async () => {
    const folder = await openFolder();
    const argv = ['drift', '--since', '2026-11-29', '--emulator'];
    const { code, stderr } = await rulewright(argv, { cwd: folder, clock: createFakeClock(NOW) });
    expect([code, stderr]).toEqual([64, expect.stringContaining('--since is in the future')]);
  });
});
