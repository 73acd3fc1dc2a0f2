import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { describe, expect, test } from 'vitest';

import type { Ended } from './in-process.ts';
import { rulewright } from './in-process.ts';

/** Secrets that live has in clear. The token is assembled here, so that no scanner of this repository takes it for a real one. */
const SECRETS = {
  basic: 'c2VjcmV0OnBhc3M=',
  header: 'tops3cret-header',
  computed: 'tops3cret-computed',
  other: 'tops3cret-another',
  apiKey: 'tops3cret-api-key',
  cookie: 'tops3cret-cookie',
  password: 'tops3cret-password',
  token: ['gh', 'p_', 'abcdefghij0123456789ABCD'].join(''),
};

const PROJECT = 'version: 1\nfiles: [zones/*.yaml]\n';

const OURS = `      - ref: ours
        expression: "true"
        action: rewrite
        action_parameters: { headers: { X-Env: { operation: set, value: prod } } }
`;

/** The live zone: our rule, and rules with secrets. */
const LIVE = `zone: shop.example
entrypoints:
  http_request_late_transform:
    rules:
${OURS}      - ref: dash
        description: Made with ${SECRETS.token}
        expression: http.host eq "shop.example"
        action: rewrite
        action_parameters:
          headers:
            Authorization: { operation: set, value: Basic ${SECRETS.basic} }
            X-Origin-Auth: { operation: set, value: ${SECRETS.header} }
            X-Other-Token: { operation: set, expression: 'concat("${SECRETS.computed}", http.host)' }
  http_request_firewall_custom:
    description: Asks for ${SECRETS.token}
    rules:
      - ref: key
        expression: http.request.headers["x-api-key"][0] eq "${SECRETS.apiKey}" and http.host eq "shop.example"
        action: skip
        action_parameters: { ruleset: current }
      - ref: cookie
        expression: http.request.cookies["session"][0] in {"${SECRETS.cookie}" "${SECRETS.other}"}
        action: log
  http_request_dynamic_redirect:
    rules:
      - ref: go
        expression: http.request.uri.path eq "/go"
        action: redirect
        action_parameters:
          from_value: { status_code: 302, target_url: { value: 'https://team:${SECRETS.password}@shop.example/' } }
`;

/** The files of the project: our rule, and one of the rules with secrets, with another value. */
const FILES = `zone: shop.example
entrypoints:
  http_request_late_transform:
    rules:
${OURS}  http_request_firewall_custom:
    rules:
      - ref: key
        expression: http.request.headers["x-api-key"][0] eq "none" and http.host eq "shop.example"
        action: skip
        action_parameters: { ruleset: current }
  http_request_dynamic_redirect:
    rules: []
`;

const FORMATS = ['text', 'json', 'markdown', 'html', 'github'];
const REPORTS = FORMATS.map((format) => `--report ${format}=report.${format}`).join(' ');

/** Makes a project whose live zone has secrets. Checks after each command that neither its output nor any file but the zone file has one. */
async function inProject(
  run: (command: (argv: string) => Promise<Ended>, root: string) => Promise<void>,
): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'rulewright-secret-like-'));
  try {
    await writeProject(root, LIVE);
    await rulewright('apply --emulator --yes --allow all --quiet'.split(' '), { cwd: root, env: {} });
    await writeProject(root, FILES);
    await run(async (argv) => {
      const ended = await rulewright(argv.split(' '), { cwd: root, env: {} });
      for (const text of [ended.stdout, ended.stderr, ...(await textsIn(root))]) {
        expectNone(text);
      }
      return ended;
    }, root);
  } finally {
    await rm(root, { recursive: true });
  }
}

async function writeProject(root: string, zone: string): Promise<void> {
  await mkdir(dirname(join(root, 'zones/shop.yaml')), { recursive: true });
  await writeFile(join(root, 'rulewright.yaml'), PROJECT);
  await writeFile(join(root, 'zones/shop.yaml'), zone);
}

function expectNone(text: string): void {
  // Removes white space, because lines are wrapped.
  const whole = text.replaceAll(/\s+/gu, '');
  expect(Object.values(SECRETS).filter((secret) => whole.includes(secret))).toEqual([]);
}

/** The texts of all files but the state of the embedded service and the zone file. */
async function textsIn(root: string): Promise<readonly string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter(
    (entry) => entry.isFile() && !['emulator.json', 'shop.yaml'].includes(entry.name),
  );
  return Promise.all(files.map((entry) => readFile(join(entry.parentPath, entry.name), 'utf8')));
}

describe('a live value that looks like a secret and is not declared sensitive', () => {
  test.each(['plan', 'plan --verbose', 'plan --preflight', 'drift', 'drift --verbose', 'drift --unmanaged'])(
    'is shown in no report of %s',
    async (command) => {
      await inProject(async (run) => {
        const { stdout } = await run(`${command} --emulator ${REPORTS}`);
        expect(stdout.replaceAll(/\s+/gu, ' ')).toContain('looks like a secret');
      });
    },
  );

  test('is shown in no report of unmanaged rulesets', async () => {
    await inProject(async (run, root) => {
      await writeFile(join(root, 'zones/shop.yaml'), 'zone: shop.example\n');
      expect(
        (await run(`drift --emulator --unmanaged ${REPORTS}`)).stdout.replaceAll(/\s+/gu, ' '),
      ).toContain('X-Origin-Auth.value <looks like a secret>');
    });
  });

  test('is shown as changed, without either value', async () => {
    await inProject(async (run, root) => {
      await writeFile(
        join(root, 'zones/shop.yaml'),
        LIVE.replace(`set, value: ${SECRETS.header}`, 'set, value: changed-value'),
      );
      const { stdout } = await run('plan --emulator --format markdown');
      expect(stdout).toContain('- headers.X-Origin-Auth.value: <looks like a secret>');
      expect(stdout).toContain('+ headers.X-Origin-Auth.value: <looks like another secret>');
      expect((await run('drift --emulator')).code).toBe(2);
    });
  });

  test('is not in a saved plan, which apply carries out and --reverse refuses', async () => {
    await inProject(async (run) => {
      expect((await run('plan --emulator --out plan.json')).code).toBe(0);
      const applied = await run('apply plan.json --emulator --yes --allow all');
      expect([applied.code, applied.stdout]).toEqual([0, expect.stringContaining('Applied')]);
      expect((await run('plan --emulator --exit-code')).code).toBe(0);
      const back = await run('plan --emulator --reverse plan.json --out back.json');
      expect([back.code, back.stdout]).toEqual([1, expect.stringMatching(/rulewright\s+rollback/u)]);
    });
  });

  test('is not shown in a version, and comes back with a rollback that does not show it', async () => {
    await inProject(async (run, root) => {
      expect((await run('apply --emulator --yes --allow all --expect none.json')).code).toBe(1);
      expect((await run(`apply --emulator --dry-run --allow all ${REPORTS}`)).code).toBe(0);
      expect((await run('apply --emulator --yes --allow all')).code).toBe(0);
      const ruleset = 'zone:shop.example http_request_late_transform --emulator';
      expect((await run(`versions ${ruleset} --show 1`)).stdout).toContain('value: <looks like a secret>');
      await run(`versions ${ruleset} --show 1 --format json`);
      await run(`versions ${ruleset}`);
      expect((await run(`rollback ${ruleset} --to 1 --dry-run --allow all --format json`)).code).toBe(0);
      const back = await run(`rollback ${ruleset} --to 1 --yes --allow all ${REPORTS}`);
      expect([back.code, back.stdout]).toEqual([0, expect.stringContaining('<looks like a secret>')]);
      expect(await readFile(join(root, '.rulewright/emulator.json'), 'utf8')).toContain(
        `Basic ${SECRETS.basic}`,
      );
    });
  });

  test('is not shown in the explanation of a request', async () => {
    await inProject(async (run) => {
      for (const [url, told] of [
        ['/go', 'https://<looks like a secret>@shop.example/'],
        ['/', 'Authorization: <looks like a secret>'],
      ]) {
        const { stdout } = await run(
          `explain https://shop.example${url} --live --emulator --header user-agent:Test`,
        );
        expect(stdout.replaceAll(/\s+/gu, ' ')).toContain(told);
        await run(`explain https://shop.example${url} --live --emulator --format json`);
      }
    });
  });

  test.each(['text', 'json'])('is not shown in the dry run of an import as %s', async (format) => {
    await inProject(async (run) => {
      const { code, stdout } = await run(
        `import --dry-run --discard --unmanaged --emulator --format ${format}`,
      );
      expect([code, stdout]).toEqual([2, expect.stringContaining('looks like a secret')]);
    });
  });

  test('is reported but not shown by an import that writes it to a file', async () => {
    await inProject(async (run) => {
      const { code, stdout } = await run('import --zone shop.example --discard --emulator');
      expect([code, stdout]).toEqual([0, expect.stringContaining('in clear Authorization of rule dash')]);
    });
  });
});
