import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadProject } from '../../src/config/load-project.ts';
import type { Project } from '../../src/config/read-project.ts';
import type { DesiredRule } from '../../src/model/rule.ts';
import { brief } from './project-folder.ts';

const ROOT = 'examples/shop';

async function loadExample(): Promise<Project> {
  const result = await loadProject({ cwd: ROOT });
  expect(result.diagnostics.map((one) => brief(one))).toEqual([]);
  if (result.kind === 'invalid') {
    throw new Error('the example is not valid');
  }
  return result.project;
}

function rulesOf(project: Project): readonly DesiredRule[] {
  return project.scopes.flatMap(({ rulesets }) => rulesets.flatMap(({ rules }) => rules));
}

describe('the example project', () => {
  test('has no finding and declares the account and its three zones', async () => {
    const project = await loadExample();
    expect(project.scopes.map(({ scope }) => `${scope.kind} ${scope.name}`)).toEqual([
      'account Example Shop',
      'zone api.example',
      'zone blog.example',
      'zone shop.example',
    ]);
  });

  test('covers exactly these phases and actions', async () => {
    const project = await loadExample();
    const phases = new Set(
      project.scopes.flatMap(({ rulesets }) => rulesets.map(({ address }) => address.phase)),
    );
    const actions = new Set(rulesOf(project).map(({ content }) => content.action));
    expect([...phases].sort()).toEqual([
      'http_config_settings',
      'http_ratelimit',
      'http_request_cache_settings',
      'http_request_dynamic_redirect',
      'http_request_firewall_custom',
      'http_request_firewall_managed',
      'http_request_late_transform',
      'http_request_origin',
      'http_request_redirect',
      'http_request_transform',
      'http_response_headers_transform',
    ]);
    expect([...actions].sort()).toEqual([
      'block',
      'execute',
      'managed_challenge',
      'redirect',
      'rewrite',
      'route',
      'set_cache_settings',
      'set_config',
      'skip',
    ]);
  });

  test('overrides a managed ruleset as a whole, by category and by rule', async () => {
    const project = await loadExample();
    const overrides = rulesOf(project).map(({ content }) => content.action_parameters?.['overrides']);
    expect(overrides).toContainEqual({
      action: expect.any(String),
      categories: expect.any(Array),
      rules: expect.any(Array),
    });
  });

  test('names the schema for editors in the first line of every file', async () => {
    const { files, file } = await loadExample();
    for (const path of [file, ...files]) {
      const [first = ''] = (await readFile(join(ROOT, path), 'utf8')).split('\n');
      const schema = /^# yaml-language-server: \$schema=(.+)$/.exec(first)?.[1] ?? '';
      const { title } = JSON.parse(await readFile(join(ROOT, path, '..', schema), 'utf8')) as {
        title: string;
      };
      expect(title).toBe(
        path === file ? 'Project document' : path.startsWith('zones/') ? 'Zone document' : 'Account document',
      );
    }
  });
});
