import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { lintWorkflow } from '../github/lint-workflow.ts';
import { rulewright } from './in-process.ts';

const WORKFLOWS = ['plan', 'apply', 'drift'].map((name) => `.github/workflows/${name}.yml`);

let cwd = '';
beforeEach(async () => {
  cwd = await realpath(await mkdtemp(join(tmpdir(), 'rulewright-init-')));
});
afterEach(() => rm(cwd, { recursive: true, force: true }));

const read = (path: string) => readFile(join(cwd, path), 'utf8');

describe('init', () => {
  it('writes a project that can be applied to the embedded service at once', async () => {
    await rulewright(['init'], { cwd });
    const first = await rulewright(['plan', '--emulator'], { cwd });
    expect(first).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Plan: 1 to add · 1 ruleset to create.'),
      stderr: expect.stringContaining('created zone:example.com, empty'),
    });
    expect(await rulewright(['apply', '--emulator', '--yes'], { cwd })).toMatchObject({ code: 0 });
    const drift = await rulewright(['drift', '--emulator'], { cwd });
    expect(drift.code).toBe(0);
    expect(drift.stderr).not.toContain('did not have');
  });

  it('lets plan suggest the similar zone that the embedded service has for a mistyped zone, even with --quiet', async () => {
    await rulewright(['init'], { cwd });
    await rulewright(['plan', '--emulator'], { cwd });
    const file = 'zones/example.com.yaml';
    await writeFile(join(cwd, file), (await read(file)).replace('zone: example.com', 'zone: exmaple.com'));
    const { stderr } = await rulewright(['plan', '--emulator', '--quiet'], { cwd });
    expect(stderr).toBe('zone:exmaple.com is new to the embedded service; did you mean example.com?\n');
  });
});

describe('init --ci', () => {
  it('writes workflows for GitHub that pass actionlint, around a project that passes validate', async () => {
    const made = await rulewright(['init', '--ci', 'github'], { cwd });
    expect(made.stdout.split('\n')).toEqual(expect.arrayContaining(WORKFLOWS.map((path) => `new  ${path}`)));
    expect(made.stderr).toContain('CI needs the secret CLOUDFLARE_READ_TOKEN');
    expect(made.stderr).toContain('the workflows stop until you name a copy of this repository');
    for (const path of WORKFLOWS) {
      expect(await lintWorkflow(await read(path), path)).toEqual([]);
      expect(await read(path)).toMatch(/ project: '\.'$/mu);
    }
    expect(await rulewright(['validate'], { cwd })).toMatchObject({ code: 0, stderr: '' });
  });

  it('writes workflows to the root of the repository, with the path of the project in them', async () => {
    await mkdir(join(cwd, '.git'));
    const made = await rulewright(['init', '--out', "edge/bob's", '--ci', 'github'], { cwd });
    expect(made.stdout).toContain('new  ../../.github/workflows/plan.yml\n');
    for (const path of WORKFLOWS) {
      const text = await read(path);
      expect(await lintWorkflow(text, path)).toEqual([]);
      expect(text.match(/ project: .*$/gmu)).not.toContain(" project: '.'");
      expect(text).toContain(" project: 'edge/bob''s'\n");
    }
  });

  it('writes a pipeline for GitLab beside files of a live zone', async () => {
    await mkdir(join(cwd, '.git'));
    const argv = ['init', '--out', 'edge', '--zone', 'blog.example', '--ci', 'gitlab', '--emulator'];
    expect(await rulewright(argv, { cwd })).toMatchObject({ code: 0 });
    expect(parse(await read('.gitlab-ci.yml'))).toMatchObject({
      '.rulewright': { variables: { RULEWRIGHT_PROJECT: 'edge' } },
      plan: { script: expect.arrayContaining([expect.stringContaining('plan "$RULEWRIGHT_PROJECT"')]) },
    });
    expect(await rulewright(['validate', 'edge'], { cwd })).toMatchObject({ code: 0, stderr: '' });
  });

  it('asks for the CI service in a terminal, and again after an unknown answer', async () => {
    const right = await rulewright(['init'], { cwd, typed: ['', 'jenkins', 'github'] });
    expect(right.questions.slice(1)).toEqual([
      expect.stringMatching(/^Workflows .*: github, gitlab or none/u),
      right.questions[1],
    ]);
    expect(right).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('no workflows for "jenkins".\n'),
    });
    expect(right.stdout).toContain('new  .github/workflows/plan.yml\n');
  });

  it('asks nothing further if there are no credentials to read the zone with', async () => {
    const asked = await rulewright(['init'], { cwd, typed: ['shop.example', 'github'] });
    expect(asked).toMatchObject({ code: 1, questions: [expect.stringContaining('Zone to import')] });
    expect(asked.stderr).toContain('app/no-credentials');
    const named = await rulewright(['init', '--zone', 'shop.example'], { cwd, typed: ['github'] });
    expect(named).toMatchObject({ code: 1, questions: [] });
  });

  it('adds only workflows to an existing project', async () => {
    await rulewright(['init'], { cwd });
    await rm(join(cwd, 'zones'), { recursive: true });
    const project = await read('rulewright.yaml');
    const added = await rulewright(['init', '--ci', 'github'], { cwd });
    expect(added).toMatchObject({
      code: 0,
      stdout: WORKFLOWS.map((path) => `new  ${path}\n`).join(''),
      stderr: expect.stringContaining('CI needs the secret CLOUDFLARE_READ_TOKEN'),
      questions: [],
    });
    expect(await read('rulewright.yaml')).toBe(project);
    await expect(read('zones/example.com.yaml')).rejects.toThrow('ENOENT');
    const again = await rulewright(['init', '--ci', 'github'], { cwd });
    expect(again).toMatchObject({ code: 0, stdout: '' });
    expect(again.stderr).toContain('.github/workflows/plan.yml already exists and stays\n');
  });

  it('refuses to import a zone into an existing project', async () => {
    await rulewright(['init'], { cwd });
    const argv = ['init', '--ci', 'github', '--zone', 'blog.example', '--emulator'];
    const refused = await rulewright(argv, { cwd });
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('init --ci github') });
    await expect(read('.github/workflows/plan.yml')).rejects.toThrow('ENOENT');
  });

  it('keeps an existing workflow', async () => {
    await mkdir(join(cwd, '.github/workflows'), { recursive: true });
    await writeFile(join(cwd, '.github/workflows/plan.yml'), 'on: push\n');
    const made = await rulewright(['init', '--ci', 'github'], { cwd });
    expect(made.stderr).toContain('.github/workflows/plan.yml already exists and stays\n');
    expect(await read('.github/workflows/plan.yml')).toBe('on: push\n');
  });
});

describe('the next command that init and import suggest', () => {
  it('plans on the service that init read', async () => {
    const argv = ['init', '--out', 'edge', '--zone', 'blog.example', '--emulator-state', 'state.json'];
    const made = await rulewright(argv, { cwd });
    const next = /^Next: review the files, then run rulewright (?<command>.*)$/mu.exec(made.stderr);
    expect(next?.groups?.['command']).toBe('plan edge --emulator-state state.json');
    // The path of the state file is relative to the folder in which the command runs.
    await read('state.json');
    const planned = await rulewright((next?.groups?.['command'] ?? '').split(' '), { cwd });
    expect(planned).toMatchObject({ code: 0 });
    expect(planned.stdout).toMatch(/^No changes/u);
  });

  it('plans with the project file that import was given', async () => {
    await mkdir(join(cwd, 'edge'));
    await writeFile(join(cwd, 'edge/rulewright.yaml'), 'version: 1\nfiles: [zones/*.yaml]\n');
    const argv = ['import', 'blog.example', '--config', 'edge/rulewright.yaml', '--emulator'];
    const { stderr } = await rulewright(argv, { cwd });
    const next = /^Next: review the files, then run rulewright (?<command>.*)$/mu.exec(stderr)?.groups?.[
      'command'
    ];
    expect(next).toBe('plan --config edge/rulewright.yaml --emulator');
    const planned = await rulewright((next ?? '').split(' '), { cwd });
    expect([planned.code, planned.stdout]).toEqual([0, expect.stringMatching(/^No changes/u)]);
  });
});
