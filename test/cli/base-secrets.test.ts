import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import type { Ended } from './in-process.ts';
import { rulewright } from './in-process.ts';

const OLD = 'plain words of before';
const VALUE = 'plain words of today';
const KEY = 'a key for digests';
const LIVE = { RULEWRIGHT_PLAN_KEY: KEY, SHOP_VALUE: VALUE };

/** Only this declaration makes the value sensitive: neither its name nor its form looks like a secret. */
const DECLARED = `version: 1
files: [zones/*.yaml]
env: { shop_value: { from: SHOP_VALUE, sensitive: true } }
`;
const NOT_DECLARED = 'version: 1\nfiles: [zones/*.yaml]\n';
const NOT_SENSITIVE = DECLARED.replace('{ from: SHOP_VALUE, sensitive: true }', 'SHOP_VALUE');

function zone(value: string, host: string): string {
  return `zone: shop.example
entrypoints:
  http_request_late_transform:
    rules:
      - ref: say-value
        description: Says ${value}
        expression: 'true'
        action: rewrite
        action_parameters: { headers: { X-Shop: { operation: set, value: 'Shop ${value}' } } }
      - ref: ask-value
        expression: http.host eq "${host}"
        action: rewrite
        action_parameters: { headers: { X-Ask: { operation: set, value: 'x' } } }
`;
}

const WITH_VALUE = zone('${shop_value}', '${shop_value}');
const WITHOUT_RULES = 'zone: shop.example\nentrypoints: { http_request_late_transform: { rules: [] } }\n';

const REPORTS = ['json', 'markdown', 'html', 'github']
  .map((form) => `--report ${form}=report.${form}`)
  .join(' ');

type Run = (argv: string, env?: Readonly<Record<string, string>>) => Promise<Ended>;

/**
 * Makes a pull request whose base is committed and live, and declares a value sensitive. Checks of each command that neither its output
 * nor any file has the value.
 */
async function inPullRequest(
  files: { readonly project: string; readonly zone: string },
  run: (command: Run, root: string) => Promise<void>,
): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'rulewright-base-'));
  try {
    await mkdir(join(root, 'zones'));
    await writeFile(join(root, 'rulewright.yaml'), DECLARED);
    await writeFile(join(root, 'zones/shop.yaml'), WITH_VALUE);
    const git = (...words: readonly string[]): Buffer =>
      execFileSync('git', ['-C', root, '-c', 'user.name=a', '-c', 'user.email=a@b', ...words]);
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'base');
    expect(
      (await rulewright('apply --emulator --yes --allow all --quiet'.split(' '), { cwd: root, env: LIVE }))
        .code,
    ).toBe(0);
    await writeFile(join(root, 'rulewright.yaml'), files.project);
    await writeFile(join(root, 'zones/shop.yaml'), files.zone);
    await run(async (argv, env = LIVE) => {
      const ended = await rulewright(argv.split(' '), { cwd: root, env });
      for (const text of [ended.stdout, ended.stderr, ...(await textsIn(root))]) {
        const folded = text.replaceAll(/\s+/gu, ' ');
        expect([OLD, VALUE, KEY].filter((secret) => folded.includes(secret))).toEqual([]);
      }
      return ended;
    }, root);
  } finally {
    await rm(root, { recursive: true });
  }
}

async function textsIn(root: string): Promise<readonly string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter(
    (entry) => entry.isFile() && entry.name !== 'emulator.json' && !entry.parentPath.includes('.git'),
  );
  return Promise.all(files.map((entry) => readFile(join(entry.parentPath, entry.name), 'utf8')));
}

describe('a value that the base of a pull request declares sensitive', () => {
  test.each([
    ['is not declared any more, and its rules go', { project: NOT_DECLARED, zone: WITHOUT_RULES }],
    [
      'is not declared any more, and its rules say something else',
      { project: NOT_DECLARED, zone: zone('nothing', 'b.example') },
    ],
    [
      'is declared, and no more as sensitive',
      { project: NOT_SENSITIVE, zone: WITH_VALUE.replace('Shop $', 'The shop $') },
    ],
  ])('is shown nowhere when it %s', async (_what, files) => {
    await inPullRequest(files, async (command) => {
      for (const base of ['--settings-from HEAD', '--changed-since HEAD']) {
        const plan = await command(`plan --emulator ${base} --verbose ${REPORTS}`);
        expect([plan.code, plan.stdout.replaceAll(/\s+/gu, ' ')]).toEqual([
          0,
          expect.stringMatching(/shop <sensitive:SHOP_VALUE:/iu),
        ]);
      }
      expect((await command('plan --emulator --settings-from HEAD --out plan.json')).code).toBe(0);
      const applied = await command('apply plan.json --emulator --settings-from HEAD --yes --allow all');
      expect([applied.code, applied.stdout]).toEqual([0, expect.stringContaining('Applied')]);
    });
  });

  test('is shown nowhere when its environment variable is not set, or has another value', async () => {
    for (const shown of [{ RULEWRIGHT_PLAN_KEY: KEY }, { RULEWRIGHT_PLAN_KEY: KEY, SHOP_VALUE: OLD }]) {
      for (const text of [WITHOUT_RULES, zone('nothing', 'b.example')]) {
        await inPullRequest({ project: NOT_DECLARED, zone: text }, async (command) => {
          const plan = await command(
            `plan --emulator --settings-from HEAD --verbose --out plan.json ${REPORTS}`,
            shown,
          );
          expect([plan.code, plan.stdout.replaceAll(/\s+/gu, ' ')]).toEqual([
            0,
            expect.stringContaining('Shop <sensitive>'),
          ]);
          expect(
            (await command('apply plan.json --emulator --settings-from HEAD --yes --allow all', shown)).code,
          ).toBe(0);
        });
      }
    }
  });
});
