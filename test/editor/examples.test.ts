import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const EXAMPLES = 'examples/editors';

it('the extension of VS Code starts the command that is configured, for YAML files', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rulewright-vscode-'));
  await cp(join(EXAMPLES, 'vscode'), folder, { recursive: true });
  // What the editor, and the package manager, would put beside it.
  const modules = {
    'vscode/index.js':
      "exports.workspace = { getConfiguration: (section) => ({ get: (key) => require('../../package.json').contributes.configuration.properties[`${section}.${key}`].default }) };",
    'vscode-languageclient/node.js':
      'exports.started = []; exports.LanguageClient = class { constructor(...given) { this.given = given; } async start() { exports.started.push(this.given); } };',
  };
  for (const [path, text] of Object.entries(modules)) {
    await mkdir(join(folder, 'node_modules', path, '..'), { recursive: true });
    await writeFile(join(folder, 'node_modules', path), text);
  }
  const require = createRequire(join(folder, 'extension.js'));
  await (require(join(folder, 'extension.js')) as { readonly activate: () => Promise<void> }).activate();
  const { started } = require(join(folder, 'node_modules/vscode-languageclient/node.js')) as {
    readonly started: readonly unknown[];
  };
  expect(started).toEqual([
    [
      'rulewright',
      'Rulewright',
      { command: 'rulewright', args: ['lsp', '--stdio'] },
      { documentSelector: [{ scheme: 'file', language: 'yaml' }] },
    ],
  ]);
  await rm(folder, { recursive: true });
});

it.each(['neovim/rulewright.lua', 'neovim/init-0.8.lua', 'helix/languages.toml', 'zed/settings.json'])(
  '%s starts the same command',
  async (path) => {
    const words =
      (await readFile(join(EXAMPLES, path), 'utf8')).match(/["'](?:rulewright|lsp|--stdio)["']/gu) ?? [];
    expect(words.join(' ').replaceAll(/["']/gu, '')).toContain('rulewright lsp --stdio');
  },
);
