import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MAIN, startEditor } from './editor-client.ts';

const ZONE = `zone: shop.example
entrypoints:
  http_request_firewall_custom:
    rules:
      - ref: a
        expression: http.host eq "\${host}" and any(http.request.headers["x-key"][*] eq \${key})
        action: block
`;
const PROJECT = `version: 1
files: [zones/*.yaml]
env:
  host: { from: PLAIN_TOKEN_HOST }
  key: { from: WORKSPACE_SECRET, sensitive: true }
`;

describe.skipIf(!existsSync(MAIN))(
  'an untrusted workspace (skipped if dist/cli/main.js is not built)',
  () => {
    it('makes the server open no connection, run nothing, write nothing, and read no environment and no file outside', async () => {
      const outside = await mkdtemp(join(tmpdir(), 'rulewright-outside-'));
      const log = join(await mkdtemp(join(tmpdir(), 'rulewright-effects-')), 'log');
      await writeFile(log, '');
      await writeFile(join(outside, 'secret.yaml'), 'zone: secret.example\nentrypoints: {}\n');
      await mkdir(join(outside, 'project'));
      await writeFile(join(outside, 'project', 'rulewright.yaml'), 'version: 1\nfiles: ["*.yaml"]\n');
      const editor = await startEditor({
        files: { 'rulewright.yaml': PROJECT, 'zones/shop.yaml': ZONE },
        env: {
          EFFECTS_LOG: log,
          PLAIN_TOKEN_HOST: 'value-of-the-environment',
          WORKSPACE_SECRET: 'value-of-the-secret',
          CLOUDFLARE_API_TOKEN: 'value-of-the-token',
        },
        node: ['--require', resolve('test/editor/watch-effects.cjs')],
      });
      await symlink(join(outside, 'secret.yaml'), join(editor.root, 'zones', 'linked.yaml'));
      await symlink(join(outside, 'project'), join(editor.root, 'elsewhere'));
      const found = await editor.findings('zones/shop.yaml');
      expect(found).toEqual([]);
      expect(
        (await editor.until('rulewright.yaml', ({ length }) => length > 0)).map(({ code }) => code),
      ).toContain('config/path-outside');
      const texts = await Promise.all(
        ['"${ho▶st}"', '${ke▶y}', 'http.ho▶st', 'blo▶ck'].map((marked) =>
          editor.hover('zones/shop.yaml', ZONE.replace(marked.replace('▶', ''), marked)),
        ),
      );
      await editor.completion('zones/shop.yaml', ZONE.replace('eq ${key}', 'eq ${▶key}'));
      await editor.locations('references', 'zones/shop.yaml', ZONE.replace('${key}', '${ke▶y}'), {
        context: { includeDeclaration: true },
      });
      await editor.format('zones/shop.yaml');
      // A project behind a link that leads out of the folder is none of the workspace.
      await editor.open('elsewhere/x.yaml', 'zone: x.example\nentrypoints: { nonsense: 1 }\n');
      expect(await editor.hover('elsewhere/x.yaml', 'zo▶ne: x.example\nentrypoints: { nonsense: 1 }\n')).toBe(
        '',
      );
      expect(texts.join('\n')).not.toMatch(/value-of-/u);
      expect(await editor.shutDown()).toBe(0);
      const effects = (await readFile(log, 'utf8')).split('\n').filter((line) => line !== '');
      // The file that a link leads to is told apart by its place alone, and never opened.
      expect(effects.filter((line) => !line.startsWith('environment NODE_'))).toEqual(['watching']);
      await rm(outside, { recursive: true });
    });
  },
);
