import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { loadProject, outlineProject } from '../../src/config/load-project.ts';
import type { LoadOptions, OutlinedProject } from '../../src/config/load-project.ts';
import { outlineRuleset } from '../../src/plan/difference/compare-desired.ts';
import type { Files } from './project-folder.ts';
import { inFolder, PROJECT } from './project-folder.ts';

async function outlined(options: LoadOptions): Promise<OutlinedProject> {
  const result = await outlineProject(options, outlineRuleset);
  if (result.kind === 'invalid') {
    throw new Error(result.diagnostics.map(({ message }) => message).join('\n'));
  }
  return result.project;
}

/** The scopes of a project, loaded all at once and opened one by one from the outline. */
async function bothWays(options: LoadOptions) {
  const loaded = await loadProject(options);
  const project = await outlined(options);
  const opened = [];
  for (const scope of project.scopes) {
    opened.push(project.open(scope));
  }
  return { all: loaded.kind === 'loaded' ? loaded.project.scopes : 'invalid', opened };
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

describe('outlineProject', () => {
  test.each(['examples/shop', 'examples/fleet'])(
    'opens the same scopes of %s as loadProject loads',
    async (cwd) => {
      const { all, opened } = await bothWays({ cwd });
      expect(opened).toEqual(all);
      expect(opened).not.toEqual([]);
    },
  );

  test.each([
    [[], 3],
    [['zones/list.yaml'], 2],
    [['packs/bots.yaml'], 1],
  ])('opens the same scopes for the paths %j as loadProject loads', async (paths, count) => {
    const { all, opened } = await inFolder(FLEET, (root) =>
      bothWays({ cwd: root, paths: paths.map((path) => join(root, path)) }),
    );
    expect(opened).toEqual(all);
    expect(opened).toHaveLength(count);
  });

  test('opens only the rulesets of the outline that it is given', async () => {
    await inFolder(FLEET, async (root) => {
      const project = await outlined({ cwd: root });
      const [first] = project.scopes;
      const rulesets = (first?.rulesets ?? []).filter(({ address }) => address.kind === 'custom');
      const opened = first === undefined ? undefined : project.open({ ...first, rulesets });
      expect(opened?.rulesets.map(({ address }) => address)).toEqual([
        { kind: 'custom', phase: 'http_request_firewall_custom', name: 'Login' },
      ]);
    });
  });

  test('opens scopes as they were checked, and refuses the text of a file that changed since', async () => {
    await inFolder(FLEET, async (root) => {
      const project = await outlined({ cwd: root });
      const before = project.scopes.map((scope) => project.open(scope));
      await writeFile(join(root, 'zones/pack.yaml'), 'zone: c.example\n');
      expect(project.scopes.map((scope) => project.open(scope))).toEqual(before);
      expect(await project.textOf('zones/more.yaml')).toBe(FLEET['zones/more.yaml']);
      await expect(project.textOf('zones/pack.yaml')).rejects.toMatchObject({
        code: 'config/changed-while-running',
        message: 'zones/pack.yaml was changed while the run read it',
      });
    });
  });

  test('keeps the texts of files with findings only', async () => {
    const files = { ...FLEET, 'packs/unused.yaml': 'pack: unused\nrules: []\n' };
    const result = await inFolder(files, (root) => outlineProject({ cwd: root }, outlineRuleset));
    expect(result.diagnostics.map(({ code }) => code)).toEqual(['pack/unused']);
    const texts = [...result.sources].filter(([, text]) => text !== null);
    expect(texts).toEqual([['packs/unused.yaml', files['packs/unused.yaml']]]);
    expect(result.sources.size).toBe(6);
  });
});
