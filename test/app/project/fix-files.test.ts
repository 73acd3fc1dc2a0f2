import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

import { fixFiles, notFixed } from '../../../src/app/project/fix-files.ts';
import { validate } from '../../../src/app/validate.ts';
import type { Files } from '../../config/project-folder.ts';
import { inFolder } from '../../config/project-folder.ts';

const PROJECT = 'version: 1\nfiles: [zones/*.yaml]\npacks: [packs/*.yaml]\nlint: { lint/missing-ref: off }\n';
const OLD = 'ip.geoip.country eq "AT"';
const NEW = 'ip.src.country eq "AT"';

/** The text of a pack with one rule for each expression. */
function pack(name: string, ...expressions: readonly string[]): string {
  return `pack: ${name} # comment\nrules:\n${expressions.map((text, index) => `  - { ref: ${name}-${index}, expression: '${text}', action: block }\n`).join('')}`;
}

/** The text of a zone file whose firewall phase has these items. */
function zone(name: string, ...items: readonly string[]): string {
  return `zone: ${name}\nentrypoints:\n  http_request_firewall_custom:\n    rules:\n${items.map((item) => `      - ${item}\n`).join('')}`;
}

interface Fixed {
  /** The new text of each file that changed. */
  readonly changed: Readonly<Record<string, string>>;
  /** Where a fix was made. */
  readonly fixes: readonly string[];
  /** How many findings `validate` called fixable before the fix. */
  readonly promised: number;
  /** How many findings `validate` calls fixable after the fix. */
  readonly left: number;
  /** The files that were not fixed, each with the reason. */
  readonly told: readonly string[];
}

/** Fixes a whole project, or the given files of it. */
function fixed(files: Files, ...paths: readonly string[]): Promise<Fixed> {
  const all = { 'rulewright.yaml': PROJECT, ...files };
  return inFolder(all, async (cwd) => {
    const selection = { cwd, paths, targets: [] };
    const promised = async (): Promise<number> =>
      (await validate(selection)).diagnostics.filter(({ fixable }) => fixable === true).length;
    const before = await promised();
    const { fixes, left } = await fixFiles(selection);
    const now = await Promise.all(
      Object.entries(all).map(async ([path, text]) => {
        const after = await readFile(join(cwd, path), 'utf8');
        return after === text ? [] : [[path, after] as const];
      }),
    );
    return {
      changed: Object.fromEntries(now.flat()),
      fixes: fixes.map(({ code, where }) => `${where.file}:${where.start.line} ${code}`),
      promised: before,
      left: await promised(),
      told: notFixed(left, (await validate(selection)).diagnostics).map(
        ({ file, reason, because }) => `${file} ${[reason, ...because].join(' ')}`,
      ),
    };
  });
}

describe('fixFiles in a project with packs', () => {
  test('fixes a pack once, in its file, when several files use it directly and through another pack', async () => {
    const files = {
      'packs/outer.yaml': 'pack: outer\nrules:\n  - use: inner\n',
      'packs/inner.yaml': pack('inner', OLD, 'ssl'),
      'zones/a.yaml': zone('a.example', 'use: inner'),
      'zones/b.yaml': zone('b.example', 'use: outer'),
    };
    expect(await fixed(files)).toEqual({
      changed: { 'packs/inner.yaml': pack('inner', NEW, 'ssl') },
      fixes: ['packs/inner.yaml:3 expression/deprecated-field'],
      promised: 1,
      left: 0,
      told: [],
    });
  });

  test('leaves set members from variables alone, and fixes the clauses beside a variable', async () => {
    const text = `pack: p\nparams:\n  host: { type: string }\n  net: { type: list }\nrules:
  - { ref: a, expression: 'http.host in {"\${host}"}', action: block }
  - { ref: b, expression: 'ip.src in {192.0.2.1 \${net}}', action: block }
  - { ref: c, expression: 'not not ssl and http.host eq "\${host}"', action: block }\n`;
    const use = '{ use: p, with: { host: a.example, net: [192.0.2.1] } }';
    const { changed } = await fixed({ 'packs/p.yaml': text, 'zones/a.yaml': zone('a.example', use) });
    expect(changed).toEqual({ 'packs/p.yaml': text.replace('not not ssl', 'ssl') });
  });

  test('fixes expressions with `${1}`, which is no variable, also beside a real variable', async () => {
    const text = `pack: p\nparams: { host: { type: string } }\nrules:
  - { ref: a, expression: 'not not http.request.uri.path eq "/\${1}"', action: block }
  - { ref: b, expression: 'not not http.request.uri.path eq "/\${1}" and http.host eq "\${host}"', action: block }
  - { ref: c, expression: 'not not http.request.uri.path eq "/$\${1}"', action: block }\n`;
    const use = '{ use: p, with: { host: a.example } }';
    const own = `{ ref: z, expression: 'not not http.request.uri.path eq "/\${1}"', action: block }`;
    const files = { 'packs/p.yaml': text, 'zones/a.yaml': zone('a.example', use, own) };
    const { changed, left } = await fixed(files);
    expect(changed).toEqual({
      'packs/p.yaml': text.replaceAll(
        'not not http.request.uri.path eq "/${1}"',
        'http.request.uri.path eq "/${1}"',
      ),
      'zones/a.yaml': zone('a.example', use, own.replace('not not ', '')),
    });
    expect(left).toBe(0);
  });

  test('does not fix a pack that nothing uses, or one whose uses are unknown because a file cannot be read', async () => {
    const unused = { 'packs/p.yaml': pack('p', OLD), 'zones/a.yaml': zone('a.example') };
    expect((await fixed(unused)).changed).toEqual({});
    const broken = {
      'packs/p.yaml': pack('p', OLD),
      'zones/a.yaml': zone('a.example', 'use: p'),
      'zones/b.yaml': 'zone: [',
    };
    const { changed, told } = await fixed(broken);
    expect(changed).toEqual({});
    expect(told).toEqual(['packs/p.yaml uses-unknown zones/b.yaml', 'zones/b.yaml unreadable']);
  });

  test('fixes other files when one file cannot be read, and reports the unreadable file', async () => {
    const files = {
      'zones/a.yaml': zone('a.example', `{ ref: z, expression: '${OLD}', action: blok }`),
      'zones/b.yaml': 'zone: [',
    };
    const { changed, told } = await fixed({ ...files, 'packs/p.yaml': pack('p', 'ssl') });
    expect(Object.keys(changed)).toEqual(['zones/a.yaml']);
    expect(told).toEqual(['zones/b.yaml unreadable']);
  });

  test('fixes a pack that is named, and not when only a file that uses it is named', async () => {
    const files = {
      'packs/p.yaml': pack('p', OLD),
      'zones/a.yaml': zone('a.example', 'use: p', `{ ref: z, expression: '${OLD}', action: log }`),
    };
    const ofPack = await fixed(files, 'packs/p.yaml');
    expect([Object.keys(ofPack.changed), ofPack.promised, ofPack.left]).toEqual([['packs/p.yaml'], 1, 0]);
    const ofZone = await fixed(files, 'zones/a.yaml');
    expect([Object.keys(ofZone.changed), ofZone.promised, ofZone.left]).toEqual([['zones/a.yaml'], 1, 0]);
  });

  test('fixes a pack once when packs use each other in a circle', async () => {
    const files = {
      'packs/a.yaml': `pack: a\nrules:\n  - use: b\n  - { ref: x, expression: '${OLD}', action: log }\n`,
      'packs/b.yaml': 'pack: b\nrules:\n  - use: a\n',
      'zones/a.yaml': zone('a.example', 'use: a'),
    };
    expect(Object.keys((await fixed(files)).changed)).toEqual(['packs/a.yaml']);
  });
});
