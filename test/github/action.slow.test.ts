import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { copyExample } from '../copy-project.ts';
import { obeyed, runAction } from './composite.ts';
import type { ActionRun } from './composite.ts';

let workspace = '';
let temp = '';

beforeEach(async () => {
  workspace = await realpath(await mkdtemp(join(tmpdir(), 'rulewright-action-')));
  temp = await realpath(await mkdtemp(join(tmpdir(), 'rulewright-runner-')));
  await copyExample('first', join(workspace, 'edge'));
});
afterEach(() => Promise.all([workspace, temp].map((folder) => rm(folder, { recursive: true }))));

function run(command: string, more: Readonly<Record<string, string>> = {}): Promise<ActionRun> {
  const state = join(temp, 'emulator.json');
  return runAction(
    'rulewright',
    { command, project: 'edge', 'emulator-state': state, ...more },
    { workspace, temp },
  );
}

async function changeFile(from: string | RegExp, to: string): Promise<void> {
  const [file = ''] = await readdir(join(workspace, 'edge', 'zones'));
  const path = join(workspace, 'edge', 'zones', file);
  const text = await readFile(path, 'utf8');
  expect(text).toMatch(from);
  await writeFile(path, text.replace(from, to));
}

function git(...args: readonly string[]): void {
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: workspace });
}

describe('the action', () => {
  it('plans, applies the reviewed plan, and finds no drift', async () => {
    const planned = await run('plan');
    const results = join(temp, 'rulewright');
    expect([planned.code, planned.summary.includes('### Rulewright plan')]).toEqual([0, true]);
    expect(planned.outputs).toEqual({
      results,
      plan: join(results, 'plan.json'),
      page: join(results, 'plan.html'),
      'exit-code': '2',
      changed: 'true',
    });
    expect(await readFile(join(results, 'plan.html'), 'utf8')).toContain('<h1>');
    const expectPlan = { expect: planned.outputs['plan'] ?? '', results: join(temp, 'second') };
    const applied = await run('apply', expectPlan);
    expect([applied.code, applied.outputs]).toMatchObject([0, { 'exit-code': '0', changed: 'true' }]);
    expect(JSON.parse(await readFile(join(temp, 'second', 'outcomes.json'), 'utf8'))).toMatchObject({
      result: 'done',
    });
    expect(applied.summary).toContain('### Rulewright apply');
    expect((await run('apply', expectPlan)).outputs).toMatchObject({ 'exit-code': '0', changed: 'false' });
    expect((await run('drift')).outputs).toMatchObject({ 'exit-code': '0', changed: 'false' });
  });

  it('refuses a plan that differs from the reviewed one, and reports drift without failing', async () => {
    const planned = await run('plan');
    await changeFile('action: block', 'action: managed_challenge');
    const refused = await run('apply', {
      expect: planned.outputs['plan'] ?? '',
      results: join(temp, 'second'),
    });
    expect([refused.code, refused.outputs['exit-code']]).toEqual([3, '3']);
    expect(refused.stdout).toContain('the plan is not the one that was reviewed');
    expect(refused.summary).toContain('### Rulewright apply');
    const drift = await run('drift');
    expect(drift.outputs).toMatchObject({ 'exit-code': '2', changed: 'true' });
    expect(drift.stdout).not.toContain('::warning::Nobody is notified');
    // A message to the webhook needs an issue, and the issue needs a token.
    const told = await run('drift', { webhook: 'slack', 'webhook-url': 'http://127.0.0.1:9/channel' });
    expect(told.stdout).toContain('::warning::Nobody is notified');
    expect(drift.summary).toContain('### Rulewright drift');
  });

  it('plans and applies only the scopes that changed since a revision if asked to', async () => {
    await writeFile(
      join(workspace, 'edge', 'zones', 'the-blog.yaml'),
      'zone: blog.example\nentrypoints:\n  http_ratelimit: { description: Not yet applied, rules: [] }\n  http_request_firewall_custom:\n    rules: [{ ref: a, action: block, expression: ssl }]\n',
    );
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'before');
    await changeFile('action: block', 'action: managed_challenge');
    const since = { 'changed-since': 'HEAD' };
    const planned = await run('plan', since);
    const plan = planned.outputs['plan'] ?? '';
    expect(JSON.parse(await readFile(plan, 'utf8'))).toMatchObject({
      scopes: [{ scope: { name: 'shop.example' } }],
    });
    const reviewed = { expect: plan, results: join(temp, 'second') };
    expect((await run('apply', reviewed)).code).toBe(3);
    expect((await run('apply', { ...reviewed, ...since })).code).toBe(0);
  });

  it('applies all scopes if the revision is not in the history, as after a forced push', async () => {
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'before');
    await changeFile('action: block', 'action: managed_challenge');
    git('commit', '-qam', 'dropped');
    git('branch', 'dropped');
    git('reset', '-q', '--hard', 'HEAD~1');
    const planned = await run('plan');
    const reviewed = { expect: planned.outputs['plan'] ?? '', results: join(temp, 'second') };
    const applied = await run('apply', { ...reviewed, 'changed-since': 'dropped' });
    expect([applied.code, applied.outputs['changed']]).toEqual([0, 'true']);
    expect(obeyed(applied.stdout)).toContainEqual(expect.stringContaining('as after a forced push'));
  });

  it('reports findings at their lines in the repository, and does not plan then', async () => {
    await changeFile(/action: block/, 'actoin: block');
    for (const command of ['validate', 'plan']) {
      const { code, stdout, outputs } = await run(command);
      expect([code, outputs['changed']]).toEqual([1, 'false']);
      expect(stdout).toMatch(/^::error file=[^,]*zones\/[^,]+,line=\d+,/m);
    }
    expect(existsSync(join(temp, 'rulewright', 'plan.json'))).toBe(false);
  });

  it('keeps the runner from obeying workflow commands in a file', async () => {
    await changeFile('Ask scrapers who they are', `${'x'.repeat(70)} ::warning::obeyed ::add-mask::a`);
    const { stdout } = await run('plan');
    expect(stdout).toContain('::warning::obeyed');
    expect(
      obeyed(`${stdout}\n  ::warning::obeyed`).filter((line) => line === '::warning::obeyed'),
    ).toHaveLength(1);
    expect(obeyed(stdout)).toContainEqual(expect.stringMatching(/^::warning file=/));
  });

  it('preflights the writes of a plan only if asked to', async () => {
    const checked = await run('plan', { preflight: 'true' });
    expect(checked.summary).toMatch(/Preflight of \d+ steps?: \d+ passed/);
    expect((await run('plan')).summary).not.toContain('Preflight');
  });

  it('tells what the plan would have done to recorded requests, if they are named', async () => {
    await mkdir(join(workspace, 'edge', 'logs'));
    const request = { url: 'https://shop.example/', ip: '192.0.2.1', fields: {} };
    await writeFile(join(workspace, 'edge', 'logs', 'a.jsonl'), `${JSON.stringify(request)}\n`);
    const { summary } = await run('plan', { traffic: 'logs/*.jsonl\n' });
    expect(summary).toContain('Blast radius: of 1 recorded request');
  });

  it('reads no more scopes than max-requests allows, and says so', async () => {
    await writeFile(
      join(workspace, 'edge', 'zones', 'the-blog.yaml'),
      'zone: blog.example\nentrypoints:\n  http_ratelimit: { rules: [] }\n',
    );
    expect((await run('drift', { 'max-requests': '3' })).summary).toContain(
      'max-requests 3 never leaves room',
    );
    expect((await run('drift')).summary).not.toContain('leaves room');
  });

  it('leaves no result of an earlier run behind if the command fails', async () => {
    const { outputs } = await run('plan');
    const first = outputs['plan'] ?? '';
    expect(existsSync(first)).toBe(true);
    const failed = await run('plan', { 'settings-from': 'no-such-revision' });
    expect([failed.code, failed.outputs['plan']]).toEqual([1, undefined]);
    expect((await readdir(join(temp, 'rulewright'))).sort()).toEqual(['findings.json', 'result.json']);
    expect(failed.summary).toContain('**error** settings/no-revision');
  });

  it.each([
    ['project', 'nowhere', 'The input project names no folder of the checkout'],
    ['expect', 'nowhere/plan.json', 'The input expect names no file'],
  ])(
    'reports on the page of the run that the input %s names nothing in the checkout',
    async (input, value, message) => {
      const { code, stdout } = await run('apply', { [input]: value });
      expect([code, stdout]).toEqual([64, expect.stringContaining(`::error::${message}\n`)]);
    },
  );

  it('treats inputs as data, whatever they contain', async () => {
    const hostile = '$(touch pwned); `touch pwned`\n"; touch pwned; "';
    for (const input of ['target', 'changed-since', 'settings-from', 'name', 'allow']) {
      await run('plan', { [input]: hostile });
    }
    for (const input of ['max-requests', 'webhook', 'webhook-url']) {
      await run('drift', { [input]: hostile });
    }
    expect((await run('import', { 'expect-drift': hostile })).code).toBe(64);
    expect((await run(hostile)).code).toBe(64);
    const found = await Promise.all(
      [workspace, join(workspace, 'edge'), temp].map((folder) => readdir(folder)),
    );
    expect(found.flat()).not.toContain('pwned');
  });
});
