import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rulewright } from '../cli/in-process.ts';
import { copyExample } from '../copy-project.ts';
import { closedSchema } from './closed-schema.ts';

const validate = await closedSchema('desired');

/** Returns the output of `validate --expand --format json`, after checking it against the schema. */
async function expanded(cwd: string): Promise<unknown> {
  const { stdout, code } = await rulewright(['validate', '--expand', '--format', 'json'], { cwd });
  const document: unknown = JSON.parse(stdout);
  validate(document);
  expect([code, validate.errors ?? []]).toEqual([0, []]);
  return document;
}

test.each(['first', 'shop', 'fleet'])(
  'the desired state of the project %s matches the schema',
  async (name) => {
    const cwd = await mkdtemp(join(tmpdir(), 'rulewright-desired-'));
    try {
      await copyExample(name, cwd);
      expect(await expanded(cwd)).toMatchObject({ kind: 'desired', formatVersion: 1 });
    } finally {
      await rm(cwd, { recursive: true });
    }
  },
);

test('the desired state has everything that the files say about a scope', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'rulewright-desired-'));
  try {
    await mkdir(join(cwd, 'packs'));
    await writeFile(join(cwd, 'rulewright.yaml'), 'version: 1\nfiles: [zone.yaml]\npacks: [packs/*.yaml]\n');
    await writeFile(
      join(cwd, 'packs', 'bots.yaml'),
      'pack: bots\nrules:\n  - { ref: bots, expression: "ip.src in $office", action: "${way}" }\n',
    );
    await writeFile(
      join(cwd, 'zone.yaml'),
      `zone: shop.example
token_env: SHOP_TOKEN
labels: { env: production }
vars: { way: block }
ownership: { rules: [bots*], rulesets: all }
entrypoints:
  http_request_firewall_custom:
    place: first
    ignore: [{ rule: partner-*, field: /enabled, reason: theirs, until: 2999-01-01 }]
    rules:
      - use: bots
rulesets:
  - { name: old, phase: http_request_firewall_custom, absent: true }
`,
    );
    expect(await expanded(cwd)).toMatchObject({
      scopes: [
        {
          scope: { kind: 'zone', name: 'shop.example' },
          labels: { env: 'production' },
          tokenEnv: 'SHOP_TOKEN',
          rulesetOwnership: 'all',
          rulesets: [
            { kind: 'custom', name: 'old', presence: 'absent', rules: [] },
            {
              kind: 'entrypoint',
              phase: 'http_request_firewall_custom',
              presence: 'present',
              ownership: { kind: 'patterns', patterns: ['bots*'] },
              place: 'first',
              ignore: [{ rule: 'partner-*', field: '/enabled' }],
              rules: [
                {
                  ref: 'bots',
                  adopt: false,
                  content: { action: 'block', expression: 'ip.src in $office', enabled: true },
                  lists: [{ name: 'office', holds: 'ip' }],
                  cause: { file: 'packs/bots.yaml', line: 3, via: [{ file: 'zone.yaml', line: 11 }] },
                },
              ],
            },
          ],
          cause: { file: 'zone.yaml', line: 1 },
        },
      ],
    });
  } finally {
    await rm(cwd, { recursive: true });
  }
});
