import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { loadLargeProject, loadProject } from '../../src/config/load-project.ts';
import type { LoadOptions, LargeProject } from '../../src/config/load-project.ts';
import type { Files } from './project-folder.ts';
import { inFolder, PROJECT } from './project-folder.ts';

async function large(options: LoadOptions): Promise<LargeProject> {
  const result = await loadLargeProject(options);
  if (result.kind === 'invalid') {
    throw new Error(result.diagnostics.map(({ message }) => message).join('\n'));
  }
  return result.project;
}

/** The scopes of a project, loaded with its texts and without. */
async function bothWays(options: LoadOptions) {
  const loaded = await loadProject(options);
  const { scopes } = await large(options);
  return { all: loaded.kind === 'loaded' ? loaded.project.scopes : 'invalid', scopes };
}

const entryPoint = (phase: string, rules: string): string => `  ${phase}:\n    rules:\n${rules}`;
const RULE = '      - { ref: a, expression: "http.user_agent eq ${host}", action: block }\n';

/** Zones in lists and in several files, with packs and zone variables. */
const FLEET: Files = {
  'rulewright.yaml': `${PROJECT}packs: [packs/*.yaml]\n`,
  'packs/bots.yaml':
    'pack: bots\nparams: { score: { type: number } }\nrules:\n  - { ref: bots, expression: "cf.bot_management.score lt ${score}", action: log }\n',
  'zones/list.yaml': `zones: [{ name: a.example, vars: { host: x.example } }, { name: b.example, vars: { host: y.example } }]
entrypoints:
${entryPoint('http_request_firewall_custom', RULE)}`,
  'zones/more.yaml': `zones: [a.example, b.example]
ownership: { rulesets: all }
rulesets:
  - { name: Login, phase: http_request_firewall_custom, rules: [] }
entrypoints:
${entryPoint('http_ratelimit', '      []\n')}`,
  'zones/pack.yaml': `zone: c.example
entrypoints:
${entryPoint('http_request_firewall_custom', '      - { use: bots, with: { score: 20 } }\n')}`,
};

describe('loadLargeProject', () => {
  test.each(['examples/shop', 'examples/fleet'])(
    'loads the same scopes of %s as loadProject',
    async (cwd) => {
      const { all, scopes } = await bothWays({ cwd });
      expect(scopes).toEqual(all);
      expect(scopes).not.toEqual([]);
    },
  );

  test.each([
    [[], 3],
    [['zones/list.yaml'], 2],
    [['packs/bots.yaml'], 1],
  ])('loads the same scopes for the paths %j as loadProject', async (paths, count) => {
    const { all, scopes } = await inFolder(FLEET, (root) =>
      bothWays({ cwd: root, paths: paths.map((path) => join(root, path)) }),
    );
    expect(scopes).toEqual(all);
    expect(scopes).toHaveLength(count);
  });

  test('refuses the text of a file that changed since it was checked', async () => {
    await inFolder(FLEET, async (root) => {
      const project = await large({ cwd: root });
      await writeFile(join(root, 'zones/pack.yaml'), 'zone: c.example\n');
      expect(await project.textOf('zones/more.yaml')).toBe(FLEET['zones/more.yaml']);
      await expect(project.textOf('zones/pack.yaml')).rejects.toMatchObject({
        code: 'config/changed-while-running',
        message: 'zones/pack.yaml was changed while the run read it',
      });
    });
  });

  test('keeps the texts of files with findings only', async () => {
    const files = { ...FLEET, 'packs/unused.yaml': 'pack: unused\nrules: []\n' };
    const result = await inFolder(files, (root) => loadLargeProject({ cwd: root }));
    expect(result.diagnostics.map(({ code }) => code)).toEqual(['pack/unused']);
    const texts = [...result.sources].filter(([, text]) => text !== null);
    expect(texts).toEqual([['packs/unused.yaml', files['packs/unused.yaml']]]);
    expect(result.sources.size).toBe(6);
  });
});
