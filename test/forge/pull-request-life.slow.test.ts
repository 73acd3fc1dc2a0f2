import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { driftOf } from '../../src/app/planning/drift-of.ts';
import { makePlan } from '../../src/plan/document/make-plan.ts';
import { driftJson } from '../../src/report/json-documents.ts';
import { startLoopback } from '../api/loopback.ts';
import type { GithubStandIn } from './github-stand-in.ts';
import { REPOSITORY } from './github-stand-in.ts';
import { pullRequestEvent, sha, startWorkflow } from './workflow.ts';

/** A text without its line breaks. */
const flat = (text: string): string => text.replaceAll(/\s+/gu, ' ');

/** The body of each comment, without its marker. */
const shown = ({ comments }: GithubStandIn): readonly string[] =>
  comments.map(({ body }) => body.split('\n').slice(1).join('\n'));

it('keeps the comments on a pull request current from its opening to its merge', async () => {
  const { folder, github, run, on } = await startWorkflow();
  const edit = (from: string, to: string): Promise<void> => editZone(folder, from, to);
  await run('plan --emulator --out plan.json');

  github.pulls.set(12, { head: sha('a'), headRepo: REPOSITORY });
  const opened = await on(pullRequestEvent(sha('a')), 'github plan-comment plan.json --artifact whole.md');
  expect(opened).toMatchObject({ code: 0, stdout: '#12 shows it.\n' });
  expect(shown(github)).toHaveLength(1);
  expect(shown(github)[0]).toContain(`/blob/${sha('a')}/zones/shop.example.yaml#L7`);
  expect(await readFile(join(folder, 'whole.md'), 'utf8')).toContain('### Rulewright plan');

  // A push: the old result is marked, then replaced.
  github.pulls.set(12, { head: sha('b'), headRepo: REPOSITORY });
  expect(await on(pullRequestEvent(sha('b')), 'github plan-comment --pending')).toMatchObject({
    stdout: 'What #12 shows is marked as outdated.\n',
  });
  expect(shown(github)[0]).toContain('**Outdated.** This was made for `aaaaaaaaaa`');
  await edit('Ask scrapers', 'Please @team ask scrapers');
  await run('plan --emulator --out plan.json');
  await on(pullRequestEvent(sha('b')), 'github plan-comment plan.json', { GITHUB_RUN_ID: '20' });
  expect(shown(github)[0]).not.toContain('Outdated');
  expect(shown(github)[0]).toContain('+ description: Please @team ask scrapers');

  // The run for the first commit comes late; a second push is invalid.
  expect(
    await on(pullRequestEvent(sha('a')), 'github plan-comment plan.json', { GITHUB_RUN_ID: '10' }),
  ).toMatchObject({
    stdout: '#12 shows the result for a newer commit, bbbbbbbbbb; it stays.\n',
  });
  github.pulls.set(12, { head: sha('c'), headRepo: REPOSITORY });
  await edit('action: managed_challenge', 'action: magic');
  await run('validate --format json --output findings.json');
  github.comments.length = 0;
  await on(pullRequestEvent(sha('c')), 'github plan-comment --findings findings.json');
  expect(shown(github)[0]).toContain('**The files are not valid.**');
  await edit('action: magic', 'action: managed_challenge');

  // The merge: the result of the apply stands beside the plan.
  github.merged.set(sha('e'), 12);
  await run('apply --emulator --yes --format json --output outcomes.json');
  const applied = await on({ ref: 'refs/heads/main', after: sha('e') }, 'github plan-comment outcomes.json');
  expect(applied).toMatchObject({ code: 0, stdout: '#12 shows it.\n' });
  expect(shown(github)).toHaveLength(2);
  expect(shown(github)[1]).toContain('**Applied. 1 ruleset: 1 done.**');
});

it('says that a part may have been posted if it is interrupted, and updates it in the next run', async () => {
  const { github, run } = await startWorkflow();
  await run('plan --emulator --out plan.json');
  github.pulls.set(12, { head: sha('e'), headRepo: REPOSITORY });
  const control = new AbortController();
  const abortAtPost = (request: string): void => {
    github.interfere = abortAtPost;
    if (/^POST .*comments$/.test(request)) {
      control.abort();
    }
  };
  github.interfere = abortAtPost;
  const post = 'github plan-comment plan.json --pull-request 12';
  const { code, stderr } = await run(post, {}, control.signal);
  expect([code, stderr]).toEqual([1, expect.stringContaining('interrupted: a part may have been posted')]);
  github.interfere = null;
  expect(await run(post)).toMatchObject({ code: 0, stdout: expect.stringContaining('#12 shows it') });
  expect(github.comments).toHaveLength(1);
});

it('keeps one issue from drift to heal, and tells the webhook only of changes', async () => {
  const { folder, github, run } = await startWorkflow();
  const hook = await startLoopback((_seen, response) => {
    response.end('ok');
  });
  const env = { RULEWRIGHT_WEBHOOK_URL: hook.baseUrl };
  const check = async (): Promise<string> => {
    await run('drift --emulator --format json --output drift.json');
    const { stdout } = await run('github drift-issue drift.json --webhook slack', env);
    return stdout.split(/[:.]/)[0] ?? '';
  };
  expect(await check()).toBe('Opened the drift issue');
  expect(await check()).toBe('The same drift as before');
  expect(github.issues).toHaveLength(1);
  expect(github.issues[0]).toMatchObject({ state: 'open', labels: ['rulewright-drift'] });
  expect(github.issues[0]?.body).toContain('**Live protects less than the files**');

  await run('apply --emulator --yes');
  expect(await check()).toBe('Drift is gone; closed the issue');
  expect(github.issues[0]?.state).toBe('closed');
  expect(await check()).toBe('No drift');

  await editZone(folder, 'action: managed_challenge', 'action: block');
  expect(await check()).toBe('Drift again; opened the issue again');
  // A person closes it; the same drift does not open it again.
  Object.assign(github.issues[0] ?? {}, { state: 'closed' });
  expect(await check()).toBe('The same drift as before');
  expect(github.issues).toHaveLength(1);
  expect(github.comments).toHaveLength(2);
  expect(hook.seen.map(({ body }) => /\*(.*?)\*/.exec(body)?.[1])).toEqual([
    'Drift',
    'Drift is gone',
    'Drift again',
  ]);
});

it('keeps the issue open after a run that compared nothing', async () => {
  const { folder, github, run } = await startWorkflow();
  await run('drift --emulator --format json --output drift.json');
  await run('github drift-issue drift.json');
  const nothing = driftJson(driftOf(makePlan('emulator', [])));
  await writeFile(join(folder, 'drift.json'), JSON.stringify(nothing));
  expect(flat((await run('github drift-issue drift.json')).stdout)).toContain('the issue stays open');
  expect(github.issues).toMatchObject([{ state: 'open' }]);
});

it('tells the issue and the webhook that a live rule may stop or redirect every request, until none does', async () => {
  const { folder, github, run } = await startWorkflow();
  const hook = await startLoopback((_seen, response) => {
    response.end('ok');
  });
  const tell = async (shape: 'slack' | 'json'): Promise<void> => {
    await run('drift --emulator --format json --output drift.json');
    const { code } = await run(`github drift-issue drift.json --webhook ${shape}`, {
      RULEWRIGHT_WEBHOOK_URL: hook.baseUrl,
    });
    expect(code).toBe(0);
  };
  const narrow = 'expression: http.request.uri.path contains "/catalog" and cf.bot_management.score lt 30';
  await editZone(folder, narrow, 'expression: "true"');
  await run('apply --emulator --yes');
  await editZone(folder, 'expression: "true"', narrow);
  await tell('slack');
  expect(github.issues[0]?.body).toContain(
    '**Live stops or redirects every request (or every one tried); the files do not**\n>\n> - `slow-scrapers` in `zone:shop.example/http_request_firewall_custom`: challenges every request',
  );
  // Protection that is weaker, besides the outage: the message names both.
  await editZone(folder, '2001:db8::/32}', '2001:db8::/48}');
  await tell('slack');
  await editZone(folder, '2001:db8::/48}', '2001:db8::/32}');
  await tell('json');
  await run('apply --emulator --yes');
  await tell('json');
  const [first, second, third, last] = hook.seen.map(({ body }): unknown => JSON.parse(body));
  expect(first).toMatchObject({
    text: expect.stringMatching(/^\*Drift\* in .*: a rule may stop or redirect every request\n/),
  });
  expect(second).toMatchObject({
    text: expect.stringMatching(
      /^\*Drift has changed\* in .*: a rule may stop or redirect every request, protection may be weaker\n/,
    ),
  });
  expect(third).toMatchObject({
    change: 'changed',
    severity: 'strengthening',
    everyRequest: true,
    unprotected: false,
  });
  expect(last).toMatchObject({ change: 'closed', severity: null, everyRequest: false });
});

it.each(['workflow', 'alice'])(
  'finds the issue after its label was removed, and puts the label back (%s)',
  async (token) => {
    const { github, run } = await startWorkflow();
    const check = async (): Promise<string> =>
      (await run('github drift-issue drift.json', { GITHUB_TOKEN: token })).stdout;
    await run('drift --emulator --format json --output drift.json');
    await check();
    const [issue] = github.issues;
    expect(issue?.labels.splice(0)).toEqual(['rulewright-drift']);
    issue?.labels.push('seen');
    expect(await check()).toContain('The same drift as before');
    expect(github.issues).toHaveLength(1);
    expect(issue?.labels).toEqual(['seen', 'rulewright-drift']);

    issue?.labels.pop();
    await run('apply --emulator --yes');
    await run('drift --emulator --format json --output drift.json');
    expect(await check()).toContain('Drift is gone; closed the issue');
    expect(issue).toMatchObject({ state: 'closed', labels: ['seen', 'rulewright-drift'] });
  },
);

it('tells the webhook in a later run what it refused before', async () => {
  const { github, run } = await startWorkflow();
  const statuses = [404, 404, 200, 404, 200];
  const hook = await startLoopback((_seen, response) => {
    response.statusCode = statuses.shift() ?? 500;
    response.end();
  });
  const check = async (): Promise<number> => {
    await run('drift --emulator --format json --output drift.json');
    const env = { RULEWRIGHT_WEBHOOK_URL: hook.baseUrl };
    return (await run('github drift-issue drift.json --webhook json', env)).code;
  };
  expect([await check(), await check(), await check(), await check()]).toEqual([1, 1, 0, 0]);
  await run('apply --emulator --yes');
  expect([await check(), await check(), await check()]).toEqual([1, 0, 0]);
  expect(hook.seen.map(({ body }) => /"change":"(.*?)"/.exec(body)?.[1])).toEqual([
    'opened',
    'opened',
    'opened',
    'closed',
    'closed',
  ]);
  expect(github.issues).toHaveLength(1);
});

it.each([200, 401, 404])(
  'prints neither the token nor the address of the webhook with --verbose when it answers %s',
  async (status) => {
    const { github, run } = await startWorkflow();
    const hook = await startLoopback((_seen, response) => {
      response.statusCode = status;
      response.end();
    });
    const token = status === 401 ? 'wrong-secret' : 'workflow-secret';
    const env = { GITHUB_TOKEN: token, RULEWRIGHT_WEBHOOK_URL: `${hook.baseUrl}/hook-secret` };
    await run('drift --emulator --format json --output drift.json');
    const told = await run('github drift-issue drift.json --webhook slack --verbose', env);
    const gitlab = await run('gitlab drift-issue drift.json --verbose', {
      CI_API_V4_URL: github.apiUrl,
      CI_PROJECT_ID: '42',
      CI_PROJECT_URL: 'https://gitlab.example/team/edge',
      CI_COMMIT_SHA: sha('e'),
      CI_PIPELINE_ID: '9',
      GITLAB_TOKEN: 'gitlab-secret',
    });
    expect([told.code, gitlab.code]).toEqual([status === 200 ? 0 : 1, 1]);
    expect(gitlab.stderr).toContain('RulewrightError');
    expect([told.stdout, told.stderr, gitlab.stdout, gitlab.stderr].join('\n')).not.toContain('secret');
  },
);

it('leaves the issue open when a scope could not be read', async () => {
  const { github, run } = await startWorkflow();
  await run('drift --emulator --format json --output drift.json');
  await run('github drift-issue drift.json');
  const broken = { CLOUDFLARE_API_TOKEN: 'x', CLOUDFLARE_BASE_URL: 'http://127.0.0.1:1/client/v4' };
  const failed = await run('drift --format json --output drift.json', broken);
  expect(failed.code).toBe(1);
  const { stdout } = await run('github drift-issue drift.json');
  expect(flat(stdout)).toContain(
    'No drift in what could be read; something could not be read, so the issue stays open',
  );
  expect(github.issues[0]?.state).toBe('open');
});

it.each([
  ['another repository', 'mallory/edge'],
  ['a repository that is gone', null],
])('posts nothing for files from %s, and writes the plan to the step summary', async (_what, repository) => {
  const { folder, github, run, on } = await startWorkflow();
  await run('plan --emulator --out plan.json');
  const ended = await on(pullRequestEvent(sha('a'), repository), 'github plan-comment plan.json');
  expect(ended.code).toBe(0);
  expect(ended.stdout).toContain('Not posted: the files come from a fork');
  expect(github.seen).toEqual([]);
  expect(await readFile(join(folder, 'summary.md'), 'utf8')).toContain('### Rulewright plan');
});

it('asks GitHub which repository a pull request comes from if the event does not say', async () => {
  const { github, run, on } = await startWorkflow();
  await run('plan --emulator --out plan.json');
  github.pulls.set(12, { head: sha('a'), headRepo: 'mallory/edge' });
  const event = { issue: { number: 12, pull_request: {} }, comment: { body: 'plan' } };
  expect((await on(event, 'github plan-comment plan.json')).stdout).toContain('Not posted');
  expect(github.comments).toEqual([]);
});

async function editZone(folder: string, from: string, to: string): Promise<void> {
  const file = join(folder, 'zones', 'shop.example.yaml');
  const text = await readFile(file, 'utf8');
  expect(text).toContain(from);
  await writeFile(file, text.replace(from, to));
}

it.each([
  ['that is missing', 'merge 1.json --partial --format json --output part.json'],
  ['that nobody merged', 'drift --emulator --shard 1/2 --format json --output part.json'],
])('leaves the issue open for a shard %s', async (_what, makePart) => {
  const { github, run } = await startWorkflow();
  await run('drift --emulator --format json --output drift.json');
  await run('github drift-issue drift.json');
  await run('apply --emulator --yes');
  await run('drift --emulator --shard 1/2 --format json --output 1.json');
  await run(makePart);
  const { stdout } = await run('github drift-issue part.json');
  expect(flat(stdout)).toContain('something could not be read, so the issue stays open');
  expect(github.issues[0]?.state).toBe('open');
});
