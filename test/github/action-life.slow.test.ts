import { cp, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startLoopback } from '../api/loopback.ts';
import { copyExample } from '../copy-project.ts';
import type { GithubStandIn } from '../forge/github-stand-in.ts';
import { REPOSITORY, startGithub } from '../forge/github-stand-in.ts';
import type { ActionRun } from './composite.ts';
import { runAction } from './composite.ts';

const sha = (letter: string): string => letter.repeat(40);

interface Repository {
  readonly github: GithubStandIn;
  readonly results: string;
  /** Runs the action for an event, as a job of a workflow. */
  readonly job: (event: object, inputs: Readonly<Record<string, string>>) => Promise<ActionRun>;
  readonly edit: (from: string, to: string) => Promise<void>;
}

async function startRepository(): Promise<Repository> {
  const github = await startGithub();
  const [workspace, temp] = await Promise.all(
    ['rulewright-life-', 'rulewright-runner-'].map(async (name) =>
      realpath(await mkdtemp(join(tmpdir(), name))),
    ),
  );
  if (workspace === undefined || temp === undefined) {
    throw new Error('no folders');
  }
  onTestFinished(async () => {
    await Promise.all([workspace, temp].map((folder) => rm(folder, { recursive: true })));
  });
  await copyExample('first', workspace);
  const zone = join(workspace, 'zones', 'shop.example.yaml');
  let run = 0;
  return {
    github,
    results: join(temp, 'rulewright'),
    job: async (event, inputs) => {
      const path = join(temp, 'event.json');
      await writeFile(path, JSON.stringify(event));
      run += 1;
      const env = {
        GITHUB_REPOSITORY: REPOSITORY,
        GITHUB_SERVER_URL: 'https://github.example',
        GITHUB_API_URL: github.apiUrl,
        GITHUB_EVENT_PATH: path,
        GITHUB_SHA: sha('e'),
        GITHUB_RUN_ID: String(run),
      };
      const given = { 'emulator-state': join(temp, 'emulator.json'), 'github-token': 'workflow', ...inputs };
      const ended = await runAction('rulewright', given, { workspace, temp, env });
      expect(ended.stdout + ended.stderr).not.toContain('could not be posted');
      return ended;
    },
    edit: async (from, to) => {
      const text = await readFile(zone, 'utf8');
      expect(text).toContain(from);
      await writeFile(zone, text.replace(from, to));
    },
  };
}

const pullRequest = (head: string, repository = REPOSITORY): object => ({
  pull_request: {
    number: 12,
    head: { sha: head, repo: { full_name: repository } },
    base: { ref: 'main', sha: sha('0'), repo: { full_name: REPOSITORY } },
  },
});
/** The same, opened by somebody. */
const openedBy = (login: string, repository = REPOSITORY): object => {
  const event = { pull_request: {}, ...pullRequest(sha('a'), repository) };
  return { pull_request: { ...event.pull_request, user: { login } } };
};
const PUSH = { ref: 'refs/heads/main', after: sha('e') };

it(
  'follows a change through the action: findings, plan, apply, drift, healed',
  { timeout: 180_000 },
  async () => {
    const { github, results, job, edit } = await startRepository();
    const push = (head: string): object => {
      github.pulls.set(12, { head, headRepo: REPOSITORY });
      return pullRequest(head);
    };
    const comments = (): readonly string[] => github.comments.map(({ body }) => body);

    await edit('action: managed_challenge', 'action: magic');
    expect((await job(push(sha('a')), { command: 'plan' })).code).toBe(1);
    expect(comments()).toEqual([expect.stringContaining('**The files are not valid.**')]);

    await edit('action: magic', 'action: managed_challenge');
    const planned = await job(push(sha('b')), { command: 'plan' });
    expect([planned.code, planned.outputs['changed']]).toEqual([0, 'true']);
    const origin = { number: 12, head: { sha: sha('b') }, base: { ref: 'main', sha: sha('0') } };
    expect(JSON.parse(await readFile(join(results, 'pull-request.json'), 'utf8'))).toEqual(origin);
    expect(comments()).toEqual([expect.stringContaining('**Plan: 1 to add, 1 to patch')]);

    // The command fails: the old plan must not stay as if it were for this commit.
    const failed = await job(push(sha('c')), { command: 'plan', 'settings-from': 'no-such-revision' });
    expect(failed.code).toBe(1);
    expect(comments()).toEqual([expect.stringContaining('**error** settings/no-revision')]);
    expect((await job(push(sha('d')), { command: 'plan' })).code).toBe(0);

    const reviewed = join(results, 'reviewed.json');
    await cp(join(results, 'plan.json'), reviewed);
    github.merged.set(sha('e'), 12);
    const apply = { command: 'apply', expect: reviewed };
    await edit('Ask scrapers', 'Please ask scrapers');
    expect((await job(PUSH, apply)).code).toBe(3);
    expect(comments()[1]).toContain('not the one that was reviewed');
    await edit('Please ask scrapers', 'Ask scrapers');
    // An apply that fails before it has a result says so in its own comment, not in that of the plan.
    expect((await job(PUSH, { ...apply, target: 'zone:nobody.example' })).code).toBe(64);
    expect(comments()[1]).toContain('### Rulewright apply\n\n- ❌ **error** ');

    const hook = await startLoopback((_seen, response) => response.end());
    const told = { webhook: 'slack', 'webhook-url': `${hook.baseUrl}/channel` };
    const drifted = await job(PUSH, { command: 'drift', ...told });
    expect([drifted.code, drifted.outputs['changed']]).toEqual([0, 'true']);
    expect(github.issues).toMatchObject([{ state: 'open', title: 'Drift: live differs from the files' }]);
    expect((await job(PUSH, { command: 'drift', target: 'zone:nobody.example' })).code).toBe(64);
    expect(github.issues).toMatchObject([{ state: 'open' }]);

    expect((await job(PUSH, apply)).code).toBe(0);
    expect(comments()).toEqual([
      expect.stringContaining('### Rulewright plan'),
      expect.stringContaining('**Applied. 1 ruleset: 1 done.**'),
    ]);
    // The folder of a runner is lost with it, so the journal is kept with the results.
    expect(await readFile(join(results, 'journal.jsonl'), 'utf8')).toContain('"kind":"landed"');
    expect((await job(PUSH, { command: 'drift', ...told })).outputs['changed']).toBe('false');
    expect(hook.seen.map(({ url, body }) => `${url} ${body}`)).toEqual([
      expect.stringMatching(/\/channel \{"text":"\*Drift\* in /),
      expect.stringContaining('*Drift is gone* in '),
    ]);
    expect(github.issues).toMatchObject([{ state: 'closed' }]);
  },
);

it.each([
  ['a fork', openedBy('mallory', 'mallory/edge')],
  ['Dependabot', openedBy('dependabot[bot]')],
])(
  'says that nothing was planned without a token, and fails not for it: %s',
  { timeout: 180_000 },
  async (who, event) => {
    const { github, job, results } = await startRepository();
    const { code, summary, outputs } = await job(event, { command: 'plan', 'emulator-state': '' });
    expect(summary).toContain('**Not planned, no token.** The files are valid');
    expect(summary).toContain(who);
    expect([code, outputs['exit-code'], outputs['changed'], github.seen]).toEqual([0, '0', '', []]);
    await expect(readFile(join(results, 'pull-request.json'))).rejects.toThrow('ENOENT');
  },
);

it('fails without a token for anybody else', { timeout: 180_000 }, async () => {
  const { job } = await startRepository();
  const inputs = { command: 'plan', 'emulator-state': '', 'github-token': '' };
  const { code, summary } = await job(openedBy('alice'), inputs);
  expect([code, summary]).toEqual([1, expect.not.stringContaining('Not planned')]);
});

it('posts nothing for a fork, and shows its plan in the step summary', { timeout: 180_000 }, async () => {
  const { github, job } = await startRepository();
  const { code, summary } = await job(pullRequest(sha('a'), 'mallory/edge'), { command: 'plan' });
  expect([code, github.seen]).toEqual([0, []]);
  expect(summary).toContain('### Rulewright plan');
});
