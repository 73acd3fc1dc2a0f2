import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAIN, startEditor } from './editor-client.ts';
import type { EditorClient, EditorSetting } from './editor-client.ts';

const PHASE = 'http_request_firewall_custom';
const zone = (expression: string, name = 'shop.example'): string =>
  `zone: ${name}\nentrypoints:\n  ${PHASE}:\n    rules:\n      - ref: a\n        expression: ${expression}\n        action: block\n`;
const GOOD = zone('http.host eq "a"');
const BAD = zone('http.hosst eq "a"');
const FILES = { 'rulewright.yaml': 'version: 1\nfiles: [zones/*.yaml]\n', 'zones/shop.yaml': GOOD };

const codes = (found: readonly { readonly code?: unknown }[]): readonly unknown[] =>
  found.map(({ code }) => code);

describe.skipIf(!existsSync(MAIN))('rulewright lsp (skipped if dist/cli/main.js is not built)', () => {
  describe('goes on after', () => {
    let editor: EditorClient;
    beforeAll(async () => {
      editor = await startEditor({
        files: { ...FILES, 'zones/latin.yaml': Buffer.from('zone: caf\xe9.example\n', 'latin1') },
      });
    });
    afterAll(async () => {
      await editor.shutDown();
    });
    /** The findings of a text with a mistake, and of one without. */
    const answers = async (): Promise<readonly unknown[]> => {
      const found = await editor.findings('zones/shop.yaml', BAD);
      return [...codes(found), ...codes(await editor.findings('zones/shop.yaml', GOOD))];
    };

    it('a file that is not UTF-8, which it reports', async () => {
      await editor.findings('zones/shop.yaml');
      expect(codes(await editor.until('zones/latin.yaml', ({ length }) => length > 0))).toEqual([
        'yaml/not-utf8',
      ]);
      await rm(join(editor.root, 'zones/latin.yaml'));
      await editor.connection.sendNotification('workspace/didChangeWatchedFiles', {
        changes: [{ uri: editor.uri('zones/latin.yaml'), type: 3 }],
      });
      expect(await editor.until('zones/latin.yaml', ({ length }) => length === 0)).toEqual([]);
      expect(await answers()).toEqual(['expression/unknown-field']);
    });

    it.each([
      ['no header at all', 'nonsense\r\n\r\n'],
      ['a header without a length', 'Content-Type: text/plain\r\n\r\n{}'],
      ['a length that is no number', 'Content-Length: many\r\n\r\n{}'],
      ['a length below zero', 'Content-Length: -5\r\n\r\n{}'],
      ['a length that no message has', 'Content-Length: 99999999999999\r\n\r\n{}'],
      ['what is not JSON', 'Content-Length: 9\r\n\r\n{"jsonrpc'],
      ['what is no message', 'Content-Length: 4\r\n\r\nnull'],
      [
        'a message of no known kind',
        'Content-Length: 38\r\n\r\n{"jsonrpc":"2.0","method":{"no":"one"}}'.replace('38', '39'),
      ],
      [
        'a request without what it is about',
        'Content-Length: 59\r\n\r\n{"jsonrpc":"2.0","id":"x","method":"textDocument/hover"    }',
      ],
    ])('%s', async (_, bytes) => {
      editor.child.stdin.write(bytes);
      expect(await answers()).toEqual(['expression/unknown-field']);
    });

    it.each([
      [
        '5 MB of rules',
        `${GOOD}${Array.from({ length: 500 }, (_, at) => `      - ref: r${at}\n        description: ${'words '.repeat(1700)}\n        expression: http.hosst eq "a"\n        action: block\n`).join('')}`,
      ],
      ['5 MB in one line', `zone: [${'a'.repeat(5_000_000)}]\n`],
      [
        'more findings than anybody reads',
        `${GOOD}${'      - { ref: a, expression: x, action: y }\n'.repeat(3000)}`,
      ],
      ['a circle of anchors', 'zone: &a [*a]\nvars: &b { c: *b }\n'],
      [
        'a bomb of aliases',
        `a: &a [1,2,3,4,5,6,7,8,9]\n${Array.from({ length: 9 }, (_, at) => `${'bcdefghij'[at]}: &${'bcdefghij'[at]} [${`*${'abcdefghi'[at]},`.repeat(9)}]`).join('\n')}\n`,
      ],
      ['brackets without an end', '['.repeat(10_000)],
      ['control characters', 'zone: \u0000\u0007\ud800\n'],
    ])('a text of %s', async (_, text) => {
      expect(codes(await editor.findings('zones/shop.yaml', text))).not.toEqual([]);
      for (const method of [
        'completion',
        'hover',
        'definition',
        'signatureHelp',
        'documentSymbol',
        'formatting',
      ]) {
        await editor.connection.sendRequest(`textDocument/${method}`, {
          textDocument: { uri: editor.uri('zones/shop.yaml') },
          position: { line: 1, character: 8 },
          options: { tabSize: 2, insertSpaces: true },
        });
      }
      expect(await answers()).toEqual(['expression/unknown-field']);
    });

    it('more findings than anybody reads: shows the first, and says how many others there are', async () => {
      const rule = (at: number): string =>
        `      - { ref: r${at}, expression: http.hosst eq "a", action: block }\n`;
      const found = await editor.findings(
        'zones/shop.yaml',
        `${GOOD}${Array.from({ length: 1200 }, (_, at) => rule(at)).join('')}`,
      );
      expect(found).toHaveLength(1001);
      expect(found.at(-1)).toEqual({
        range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
        severity: 3,
        source: 'rulewright',
        message: 'This file has 200 more findings. To see all: rulewright validate',
      });
      expect(await answers()).toEqual(['expression/unknown-field']);
    });

    it.each([
      ['of a file that is not open', 'zones/none.yaml', [{ text: 'x' }]],
      [
        'far behind the end',
        'zones/shop.yaml',
        [{ range: { start: { line: 900, character: 9 }, end: { line: 901, character: 0 } }, text: 'x: y\n' }],
      ],
      [
        'whose end is before its start',
        'zones/shop.yaml',
        [{ range: { start: { line: 3, character: 4 }, end: { line: 1, character: 0 } }, text: '' }],
      ],
      [
        'with numbers below zero',
        'zones/shop.yaml',
        [{ range: { start: { line: -3, character: -4 }, end: { line: 0, character: -1 } }, text: '' }],
      ],
      ['without a text', 'zones/shop.yaml', [{ range: null }, {}, null]],
    ])('an edit %s', async (_, path, changes) => {
      await editor.edit(path, changes, 1);
      expect(await answers()).toEqual(['expression/unknown-field']);
    });
  });

  describe('counts characters', () => {
    it.each([
      [undefined, 'utf-16', 42],
      [['utf-16', 'utf-8'], 'utf-16', 42],
      [['utf-8'], 'utf-8', 45],
      [['utf-32', 'utf-8'], 'utf-8', 45],
      [['utf-32'], 'utf-32', 41],
    ] as const)('as the client offers: %s', async (encodings, chosen, character) => {
      const editor = await startEditor({
        files: FILES,
        ...(encodings && { encodings }),
      } satisfies EditorSetting);
      expect(editor.initialized.capabilities.positionEncoding).toBe(chosen);
      const [found] = await editor.findings(
        'zones/shop.yaml',
        zone('http.host eq "😀é" or http.hosst eq "a"'),
      );
      expect(found?.range.start).toEqual({ line: 5, character });
      // The edit is counted in the same unit: it replaces the wrong name.
      await editor.edit('zones/shop.yaml', [{ range: found?.range, text: 'http.host' }], 2);
      expect(await editor.until('zones/shop.yaml', ({ length }) => length === 0)).toEqual([]);
      expect(await editor.shutDown()).toBe(0);
    });
  });

  it('answers nothing before it is initialized or after it is shut down, and is initialized once', async () => {
    const editor = await startEditor({ files: FILES });
    const { connection } = editor;
    const params = { processId: null, rootUri: null, capabilities: {} };
    await expect(connection.sendRequest('initialize', params)).rejects.toThrow('initialize comes once');
    await connection.sendRequest('shutdown');
    await expect(connection.sendRequest('textDocument/hover', {})).rejects.toThrow('the server is shut down');
    const exited = once(editor.child, 'exit');
    await connection.sendNotification('exit');
    expect(await exited).toEqual([0, null]);
    connection.dispose();
    await rm(editor.root, { recursive: true });

    const early = spawn(process.execPath, [MAIN, 'lsp', '--stdio']);
    const body = '{"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":{}}';
    early.stdin.end(`Content-Length: ${body.length}\r\n\r\n${body}`);
    const answer = text(early.stdout);
    expect(await once(early, 'exit')).toEqual([1, null]);
    expect(await answer).toContain('"error":{"code":-32002,"message":"initialize comes first"}');
  });

  it('ends in peace while the file that was opened last is looked for', async () => {
    const root = await mkdtemp(join(tmpdir(), 'rulewright-editor-'));
    await mkdir(join(root, 'zones'));
    await writeFile(join(root, 'rulewright.yaml'), FILES['rulewright.yaml']);
    const uri = pathToFileURL(join(root, 'zones', 'shop.yaml')).href;
    const messages = [
      {
        id: 1,
        method: 'initialize',
        params: {
          processId: null,
          capabilities: {},
          workspaceFolders: [{ uri: pathToFileURL(root), name: '' }],
        },
      },
      {
        method: 'textDocument/didOpen',
        params: { textDocument: { uri, languageId: 'yaml', version: 1, text: BAD } },
      },
      { id: 2, method: 'shutdown' },
      { method: 'exit' },
    ].map((message) => JSON.stringify({ jsonrpc: '2.0', ...message }));
    const child = spawn(process.execPath, [MAIN, 'lsp', '--stdio']);
    child.stdin.write(messages.map((body) => `Content-Length: ${body.length}\r\n\r\n${body}`).join(''));
    child.stdout.resume();
    const told = text(child.stderr);
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(await told).toBe('');
    await rm(root, { recursive: true });
  });

  // Some clients add the flag; the library would then keep the process alive, whatever became of the command.
  it.each([
    [['--stdio'], 1],
    [['--stdio', '--other'], 64],
  ])('does not wait for the process of a client that says which it is: %j', async (flags, code) => {
    const child = spawn(process.execPath, [MAIN, 'lsp', ...flags, `--clientProcessId=${process.pid}`]);
    child.stdin.end();
    expect(await once(child, 'exit')).toEqual([code, null]);
  });

  describe('ends', () => {
    it.each([
      [
        'with 1 when it is told to exit before it was shut down',
        async ({ connection }: EditorClient) => connection.sendNotification('exit'),
      ],
      ['with 1 when its client goes away', async ({ child }: EditorClient) => void child.stdin.end()],
      ['with 130 on a signal', async ({ child }: EditorClient) => void child.kill('SIGTERM')],
    ])('%s', async (name, end) => {
      const editor = await startEditor({ files: FILES });
      const exited = once(editor.child, 'exit');
      await end(editor);
      expect(await exited).toEqual([name.includes('130') ? 130 : 1, null]);
      editor.connection.dispose();
      await rm(editor.root, { recursive: true });
    });
  });

  describe('in a workspace of several projects', () => {
    it('keeps them apart, and looks at files that change on disk', async () => {
      const editor = await startEditor({
        files: {
          'one/rulewright.yaml': FILES['rulewright.yaml'],
          'one/zones/shop.yaml': GOOD,
          'two/nested/rulewright.yaml': FILES['rulewright.yaml'],
          'two/nested/zones/blog.yaml': zone('http.hosst eq "b"', 'blog.example'),
          'three/zones/lost.yaml': BAD,
        },
        folders: ['one', 'two', 'three'],
      });
      expect(await editor.findings('one/zones/shop.yaml')).toEqual([]);
      expect(codes(await editor.findings('two/nested/zones/blog.yaml'))).toEqual([
        'expression/unknown-field',
      ]);
      await editor.open('three/zones/lost.yaml');
      expect(await editor.hover('three/zones/lost.yaml', BAD.replace('act', 'ac▶t'))).toBe('');
      await writeFile(
        join(editor.root, 'one/rulewright.yaml'),
        'version: 1\nfiles: [zones/*.yaml, more/*.yaml]\n',
      );
      await editor.connection.sendNotification('workspace/didChangeWatchedFiles', {
        changes: [{ uri: editor.uri('one/rulewright.yaml'), type: 2 }],
      });
      expect(codes(await editor.until('one/rulewright.yaml', ({ length }) => length > 0))).toEqual([
        'config/empty-glob',
      ]);
      await mkdir(join(editor.root, 'one/more'));
      await writeFile(join(editor.root, 'one/more/blog.yaml'), zone('http.host eq "c"', 'blog.example'));
      await editor.connection.sendNotification('workspace/didChangeWatchedFiles', {
        changes: [{ uri: editor.uri('one/more/blog.yaml'), type: 1 }],
      });
      await editor.until('one/rulewright.yaml', ({ length }) => length === 0);
      expect(await editor.shutDown()).toBe(0);
    });

    it('takes the files that are open into a project that is begun, and into one that is begun inside of it', async () => {
      const editor = await startEditor({
        files: { 'a/b/zones/shop.yaml': GOOD, 'a/b/other.txt': '' },
      });
      const begin = async (path: string, files: string): Promise<void> => {
        await writeFile(join(editor.root, path), `version: 1\nfiles: [${files}]\n`);
        await editor.connection.sendNotification('workspace/didChangeWatchedFiles', {
          changes: [{ uri: editor.uri(path), type: 1 }],
        });
      };
      await editor.open('a/b/zones/shop.yaml', BAD);
      await begin('a/rulewright.yaml', 'b/zones/*.yaml');
      expect(codes(await editor.until('a/b/zones/shop.yaml', ({ length }) => length > 0))).toEqual([
        'expression/unknown-field',
      ]);
      await begin('a/b/rulewright.yaml', 'none.yaml');
      await editor.until('a/b/zones/shop.yaml', ({ length }) => length === 0);
      expect(codes(await editor.until('a/b/rulewright.yaml', ({ length }) => length > 0))).toContain(
        'config/file-not-found',
      );
      expect(await editor.shutDown()).toBe(0);
    });

    it('finds the project above a file when the editor has no folder, and reads files again on saving when it does not watch them', async () => {
      const editor = await startEditor({ files: FILES, folders: null, watches: false });
      expect(codes(await editor.findings('zones/shop.yaml', BAD))).toEqual(['expression/unknown-field']);
      await writeFile(join(editor.root, 'zones/blog.yaml'), zone('http.hosst eq "b"', 'blog.example'));
      await editor.connection.sendNotification('textDocument/didSave', {
        textDocument: { uri: editor.uri('zones/shop.yaml') },
      });
      expect(codes(await editor.until('zones/blog.yaml', ({ length }) => length > 0))).toEqual([
        'expression/unknown-field',
      ]);
      expect(await editor.shutDown()).toBe(0);
    });
  });
});
