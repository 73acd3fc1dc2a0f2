import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { describe, expect, test } from 'vitest';

import { startEmulator } from '../../src/emulator/index.ts';
import { inFolder, PROJECT } from '../config/project-folder.ts';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);
const [planAndApply = '', rollBack = '', expressions = '', difference = ''] = [
  ...readFileSync(join(ROOT, 'docs/library.md'), 'utf8').matchAll(/^```js\n(.*?)^```$/gmsu),
].map(([, code = '']) => code);

const ZONE = `zone: shop.example
entrypoints:
  http_request_firewall_custom:
    rules:
      - { ref: no-admin, expression: 'starts_with(http.request.uri.path, "/admin")', action: block }
`;

/** A ruleset that the file of the zone changes. */
const LOGGED = {
  kind: 'zone',
  phase: 'http_request_firewall_custom',
  rules: [
    {
      ref: 'no-admin',
      expression: 'starts_with(http.request.uri.path, "/admin")',
      action: 'managed_challenge',
    },
  ],
};

/** The output of the code when the package is installed beside it. */
async function outputOf(code: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const files = { 'main.mjs': code, 'rules/rulewright.yaml': PROJECT, 'rules/zones/shop.example.yaml': ZONE };
  return inFolder(files, async (cwd) => {
    const installed = join(cwd, 'node_modules/rulewright');
    await mkdir(installed, { recursive: true });
    await cp(join(ROOT, 'package.json'), join(installed, 'package.json'));
    for (const folder of ['dist', 'schemas']) {
      await symlink(join(ROOT, folder), join(installed, folder));
    }
    const { stdout } = await run(process.execPath, ['main.mjs'], { cwd, env: { ...process.env, ...env } });
    return stdout;
  });
}

describe.skipIf(!existsSync(join(ROOT, 'dist/index.js')))(
  'docs/library.md (skipped if dist/index.js is not built)',
  () => {
    test.each([
      {
        does: 'plans and applies',
        rulesets: [],
        code: planAndApply,
        lines: [
          "create http_request_firewall_custom [ 'add' ]",
          'zone:shop.example/http_request_firewall_custom done',
          'done',
        ],
      },
      {
        does: 'goes back to an earlier version',
        rulesets: [LOGGED],
        code: `${planAndApply}${rollBack}`,
        lines: [
          "update http_request_firewall_custom [ 'patch' ]",
          'zone:shop.example/http_request_firewall_custom done',
          'done',
          'zone:shop.example/http_request_firewall_custom done',
          'done',
        ],
      },
    ])('has code that $does', async ({ rulesets, code, lines }) => {
      const emulator = await startEmulator({
        seed: {
          version: 1,
          accounts: [{ name: 'Mine', plan: 'enterprise' }],
          zones: [{ name: 'shop.example', plan: 'pro', rulesets }],
        },
      });
      try {
        const env = { CLOUDFLARE_BASE_URL: emulator.baseUrl, CLOUDFLARE_API_TOKEN: emulator.token };
        expect((await outputOf(code, env)).trimEnd().split('\n')).toEqual(lines);
      } finally {
        await emulator.close();
      }
    });

    test('has code that checks and evaluates an expression', async () => {
      const lines = (await outputOf(expressions)).split('\n');
      expect(lines.join('\n')).toContain('did you mean http.host?');
      expect(lines.at(-2)).toBe('true');
    });

    test('has code that compares two expressions', async () => {
      const lines = (await outputOf(difference)).trimEnd().split('\n');
      expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
        { kind: 'items', operand: 'ip.src', added: ['192.0.2.3'], removed: ['192.0.2.1'] },
        { kind: 'added', clause: 'ssl', joined: 'and' },
      ]);
    });
  },
);
