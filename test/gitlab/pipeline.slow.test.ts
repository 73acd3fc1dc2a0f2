import { execFile } from 'node:child_process';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { startEmulator } from '../../src/emulator/index.ts';
import type { JsonValue } from '../../src/data/json.ts';
import { startLoopback } from '../api/loopback.ts';
import { copyExample } from '../copy-project.ts';
import type { GitlabJob, GitlabStandIn } from '../forge/gitlab-stand-in.ts';
import { startGitlab } from '../forge/gitlab-stand-in.ts';
import { undescribed } from '../schemas/closed-schema.ts';

// Runs the jobs of the example unchanged, with the command line as users have it, against the embedded service.

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..', '..');
const MERGED = 'e'.repeat(40);

interface Ended {
  readonly code: number;
  readonly output: string;
}

interface Job {
  readonly script: readonly string[];
  readonly artifacts: { readonly paths?: readonly string[] };
}

interface Pipeline {
  readonly gitlab: GitlabStandIn;
  /** Runs one job's lines in one shell, as a runner does. */
  readonly job: (name: string, variables?: Readonly<Record<string, string>>) => Promise<Ended>;
  readonly edit: (from: string, to: string) => Promise<void>;
  readonly read: (file: string) => Promise<string>;
  readonly write: (file: string, text: string) => Promise<void>;
  readonly jobs: Readonly<Record<string, unknown>>;
  readonly git: (...words: readonly string[]) => Promise<string>;
  /** The content of the artifacts of a job, at the paths that it names. */
  readonly kept: (name: string) => Promise<readonly string[]>;
}

/** Starts a pipeline of a project, which is a folder of the repository or the repository itself. */
async function startPipeline(project = '.'): Promise<Pipeline> {
  const gitlab = await startGitlab();
  const emulator = await startEmulator({ port: 0 });
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'rulewright-gitlab-')));
  onTestFinished(async () => {
    await emulator.close();
    await rm(folder, { recursive: true });
  });
  await copyExample('first', join(folder, project));
  await run('git', ['init', '--quiet'], { cwd: folder });
  await run('git', ['add', '.'], { cwd: folder });
  const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@shop.example'];
  await run('git', [...author, 'commit', '--quiet', '--message', 'Begin'], { cwd: folder });
  const { stdout: base } = await run('git', ['rev-parse', 'HEAD'], { cwd: folder });
  const document = parse(
    await readFile(join(ROOT, 'examples', 'gitlab', '.gitlab-ci.yml'), 'utf8'),
  ) as Record<string, Job>;
  let pipeline = 0;
  gitlab.base = base.trim();
  return {
    gitlab,
    job: async (name, variables = {}) => {
      pipeline += 1;
      const { DECLARED_ONLY, ...others } = variables;
      const env = {
        PATH: process.env['PATH'],
        HOME: folder,
        CLOUDFLARE_BASE_URL: emulator.baseUrl,
        CLOUDFLARE_READ_TOKEN: emulator.token,
        CLOUDFLARE_WRITE_TOKEN: emulator.token,
        GITLAB_TOKEN: 'secret',
        RULEWRIGHT: `${process.execPath} ${join(ROOT, 'dist', 'cli', 'main.js')}`,
        RULEWRIGHT_PROJECT: project,
        RULEWRIGHT_ONLY_CHANGED: 'false',
        RULEWRIGHT_MERGE_REQUEST: '',
        RULEWRIGHT_PLAN_AFTER_MERGE: 'false',
        GITLAB_USER_LOGIN: 'ada',
        RULEWRIGHT_WEBHOOK: '',
        CI_API_V4_URL: gitlab.apiUrl,
        CI_PROJECT_ID: '42',
        CI_PROJECT_URL: 'https://gitlab.example/team/edge',
        CI_PIPELINE_ID: String(pipeline),
        CI_MERGE_REQUEST_DIFF_BASE_SHA: base.trim(),
        CI_COMMIT_BEFORE_SHA: base.trim(),
        ...others,
      };
      const whole = document[name]?.script.join('\n') ?? 'exit 70';
      const script = DECLARED_ONLY === undefined ? whole : whole.replace(' --unmanaged ', ' ');
      return run('bash', ['-eo', 'pipefail', '-c', script], { cwd: folder, env }).then(
        ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
        (error: { readonly code: number; readonly stdout: string; readonly stderr: string }) => ({
          code: error.code,
          output: error.stdout + error.stderr,
        }),
      );
    },
    edit: async (from, to) => {
      const path = join(folder, project, 'zones', 'shop.example.yaml');
      const text = await readFile(path, 'utf8');
      expect(text).toContain(from);
      await writeFile(path, text.replace(from, to));
    },
    read: (file) => readFile(join(folder, file), 'utf8'),
    write: (file, text) => writeFile(join(folder, file), text),
    jobs: document,
    git: async (...words) => (await run('git', words, { cwd: folder })).stdout,
    kept: (name) =>
      Promise.all(
        (document[name]?.artifacts.paths ?? []).map((path) => readFile(join(folder, path), 'utf8')),
      ),
  };
}

const REQUEST = { CI_MERGE_REQUEST_IID: '3', CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '42', CI_COMMIT_SHA: 'h' };
const PUSH = { CI_COMMIT_SHA: MERGED, CI_COMMIT_BRANCH: 'main', CI_PIPELINE_SOURCE: 'push' };
// GitLab names no previous commit for a pipeline that was started by hand.
const BY_HAND = { ...PUSH, CI_PIPELINE_SOURCE: 'web', CI_COMMIT_BEFORE_SHA: '0'.repeat(40) };
const EARLY = '2026-11-20T08:00:00.000Z';
const BEFORE = '2026-11-20T09:00:00.000Z';
const AFTER = '2026-11-20T11:00:00.000Z';

/** A job that planned merge request 3. */
function planned(
  id: number,
  finished: string,
  plan: string | null,
  more: Partial<GitlabJob> = {},
): GitlabJob {
  const ref = 'refs/merge-requests/3/head';
  return { id, name: 'plan', status: 'success', finished_at: finished, sha: 'h', ref, plan, ...more };
}

it(
  'follows a change through the jobs: findings, plan, apply of the reviewed plan, drift',
  { timeout: 180_000 },
  async () => {
    const { gitlab, job, edit, read } = await startPipeline();
    await edit('action: managed_challenge', 'action: magic');
    const invalid = await job('validate', REQUEST);
    expect([invalid.code, invalid.output]).toEqual([1, expect.stringContaining('magic')]);
    expect(await read('validate.xml')).toContain('<failure');

    await edit('action: magic', 'action: managed_challenge');
    expect((await job('validate', REQUEST)).code).toBe(0);
    const shown = await job('plan', REQUEST);
    expect([shown.code, shown.output]).toEqual([0, expect.stringContaining('Plan: 1 to add, 1 to patch')]);
    expect(await read('plan.html')).toContain('<title>Plan');
    expect(gitlab.notes.map(({ body }) => body)).toEqual([
      expect.stringContaining('**Plan: 1 to add, 1 to patch'),
    ]);

    const unmerged = await job('apply', PUSH);
    expect([unmerged.code, unmerged.output]).toEqual([3, expect.stringContaining('Nothing is applied')]);

    gitlab.merged.set(MERGED, 3);
    const unplanned = await job('apply', PUSH);
    expect([unplanned.code, unplanned.output]).toEqual([
      3,
      expect.stringContaining('There is no plan of merge request !3'),
    ]);
    gitlab.jobs.push(planned(1, BEFORE, await read('plan.json')));
    await edit('Ask scrapers', 'Please ask scrapers');
    const other = await job('apply', PUSH);
    expect([other.code, other.output]).toEqual([3, expect.stringContaining('not the one that was reviewed')]);
    await edit('Please ask scrapers', 'Ask scrapers');

    const hook = await startLoopback((_seen, response) => response.end());
    const told = { RULEWRIGHT_WEBHOOK: 'json', RULEWRIGHT_WEBHOOK_URL: hook.baseUrl };
    expect((await job('drift', told)).code).toBe(0);
    const news: JsonValue = JSON.parse(hook.seen.map(({ body }) => body).join());
    expect([news, await undescribed(news)]).toMatchObject([{ kind: 'drift-news', change: 'opened' }, null]);
    expect(gitlab.issues).toMatchObject([{ state: 'opened' }]);
    const applied = await job('apply', PUSH);
    expect([applied.code, applied.output]).toEqual([0, expect.anything()]);
    expect(gitlab.notes.at(-1)?.body).toContain('**Applied. 1 ruleset: 1 done.**');
    expect(gitlab.stored).not.toEqual([]);
    expect(JSON.stringify(gitlab.stored)).not.toContain('secret');
    // Undeclared rulesets of the zone are drift too, unless the job compares only what is declared.
    expect((await job('drift')).code).toBe(0);
    expect(gitlab.issues).toMatchObject([{ state: 'opened' }]);
    expect((await job('drift', { DECLARED_ONLY: 'true' })).code).toBe(0);
    expect(gitlab.issues).toMatchObject([{ state: 'closed' }]);
  },
);

it('applies up to a wave, and the rest once somebody starts it', { timeout: 180_000 }, async () => {
  const { gitlab, job, edit, read, write, jobs } = await startPipeline();
  // The zone of the example is in the second wave.
  const waves = 'waves: [{ share: 1% }, { share: 100% }]';
  await write('rulewright.yaml', `version: 1\nfiles: [zones/*.yaml]\nrollout: { ${waves}, soak: 1s }\n`);
  await edit('Ask scrapers', 'Please ask scrapers');
  expect((await job('plan', REQUEST)).code).toBe(0);
  gitlab.merged.set(MERGED, 3);
  gitlab.jobs.push(planned(1, BEFORE, await read('plan.json')));
  const first = await job('apply', { ...PUSH, CI_JOB_NAME: 'apply', RULEWRIGHT_UNTIL_WAVE: '1' });
  expect([first.code, gitlab.notes.at(-1)?.body]).toEqual([0, expect.not.stringContaining('1 done')]);
  expect(jobs['apply-all-waves']).toMatchObject({ extends: 'apply', needs: ['apply'] });
  // GitLab takes the script of the job that it extends.
  const rest = await job('apply', { ...PUSH, CI_JOB_NAME: 'apply-all-waves', RULEWRIGHT_UNTIL_WAVE: '1' });
  expect([rest.code, rest.output, gitlab.notes.at(-1)?.body]).toEqual([
    0,
    expect.anything(),
    expect.stringContaining('1 done'),
  ]);
});

it(
  'leaves the note outdated if planning fails, and the issue open if drift cannot be read',
  { timeout: 180_000 },
  async () => {
    const { gitlab, job } = await startPipeline();
    expect((await job('plan', REQUEST)).code).toBe(0);
    gitlab.head = 'later';
    const failed = await job('plan', { ...REQUEST, CI_COMMIT_SHA: 'later', CLOUDFLARE_READ_TOKEN: 'wrong' });
    expect(failed.code).toBe(1);
    expect(gitlab.notes.map(({ body }) => body)).toEqual([expect.stringContaining('**Outdated.**')]);
    expect((await job('drift')).code).toBe(0);
    expect((await job('drift', { CLOUDFLARE_READ_TOKEN: 'wrong' })).code).toBe(1);
    expect(gitlab.issues).toMatchObject([{ state: 'opened' }]);
  },
);

it(
  'opens a merge request with the drift that was shown, and with no other',
  { timeout: 180_000 },
  async () => {
    const { job, git, read } = await startPipeline();
    const origin = await realpath(await mkdtemp(join(tmpdir(), 'rulewright-origin-')));
    onTestFinished(() => rm(origin, { recursive: true }));
    await git('init', '--quiet', '--bare', `${origin}/edge.git`);
    await git('-C', `${origin}/edge.git`, 'config', 'receive.advertisePushOptions', 'true');
    expect((await job('drift')).code).toBe(0);
    const { digest }: { digest: string } = JSON.parse(await read('drift.json'));
    await rm(join(await git('rev-parse', '--show-toplevel').then((path) => path.trim()), 'drift.json'));
    const known = { ...BY_HAND, CI_DEFAULT_BRANCH: 'main', CI_PROJECT_URL: `${origin}/edge` };
    const other = await job('import-drift', { ...known, RULEWRIGHT_IMPORT_DRIFT: '0'.repeat(64) });
    expect([other.code, other.output]).toEqual([3, expect.stringContaining(`its digest is ${digest} now`)]);
    expect(await git('status', '--porcelain')).toBe('');
    const made = await job('import-drift', { ...known, RULEWRIGHT_IMPORT_DRIFT: digest });
    expect([made.code, made.output]).toEqual([0, expect.anything()]);
    const branches = await git('ls-remote', '--heads', `${origin}/edge.git`);
    expect(branches).toMatch(
      new RegExp(`^\\S+\\trefs/heads/rulewright/drift-${digest.slice(0, 12)}\\n$`, 'u'),
    );
    expect(await git('show', '--name-only', '--format=%s')).toBe(
      'Take what is live into the files\n\nzones/shop.example.yaml\n',
    );
    // What is left are rules of others, which the files do not declare.
    await job('drift', { DECLARED_ONLY: 'true' });
    expect(JSON.parse(await read('drift.json'))).toMatchObject({
      kind: 'drift',
      drifted: false,
    });
  },
);

it('plans and applies only the scopes that changed if asked to', { timeout: 180_000 }, async () => {
  const { gitlab, job, edit, read } = await startPipeline();
  const only = { RULEWRIGHT_ONLY_CHANGED: 'true' };
  expect(await job('plan', { ...REQUEST, ...only })).toMatchObject({
    code: 0,
    output: expect.stringContaining('0 of 1 scope changed since'),
  });
  await edit('action: managed_challenge', 'action: js_challenge');
  expect((await job('plan', { ...REQUEST, ...only })).output).toContain('1 of 1 scope changed since');
  gitlab.merged.set(MERGED, 3);
  gitlab.jobs.push(planned(1, BEFORE, await read('plan.json')));
  const applied = await job('apply', { ...PUSH, ...only });
  expect([applied.code, applied.output]).toEqual([0, expect.stringContaining('1 of 1 scope changed since')]);
});

it(
  'keeps the outcomes and the journal of an apply, also of a project in a folder of the repository',
  { timeout: 180_000 },
  async () => {
    const { gitlab, job, read, kept } = await startPipeline('edge');
    expect((await job('plan', REQUEST)).code).toBe(0);
    gitlab.merged.set(MERGED, 3);
    gitlab.jobs.push(planned(1, BEFORE, await read('plan.json')));
    expect((await job('apply', PUSH)).code).toBe(0);
    expect(await kept('apply')).toEqual([
      expect.stringContaining('"result": "done"'),
      expect.stringContaining('"kind":"landed"'),
    ]);
  },
);

it('applies the plan from before the merge, and a later one only by hand', { timeout: 180_000 }, async () => {
  const { gitlab, job, edit, read } = await startPipeline();
  expect((await job('plan', REQUEST)).code).toBe(0);
  const right = await read('plan.json');
  await edit('action: managed_challenge', 'action: js_challenge');
  expect((await job('plan', REQUEST)).code).toBe(0);
  const later = await read('plan.json');
  await edit('action: js_challenge', 'action: managed_challenge');
  gitlab.merged.set(MERGED, 3);

  // The plan of another commit, reference or job, or of a failed job, is no reviewed plan.
  gitlab.jobs.push(
    planned(1, BEFORE, right, { sha: 'older' }),
    planned(2, BEFORE, right, { ref: 'main' }),
    planned(3, BEFORE, right, { name: 'drift' }),
    planned(4, BEFORE, right, { status: 'failed' }),
    planned(5, AFTER, right),
  );
  const refused = await job('apply', PUSH);
  expect([refused.code, refused.output]).toEqual([
    3,
    expect.stringContaining(`was made ${AFTER}, after it was merged 2026-11-20T10:00:00.000Z`),
  ]);
  expect(refused.output).toContain('RULEWRIGHT_PLAN_AFTER_MERGE=true');
  // A push does not count as asking for a later plan.
  expect((await job('apply', { ...PUSH, RULEWRIGHT_PLAN_AFTER_MERGE: 'true' })).code).toBe(3);

  gitlab.jobs.push(planned(6, EARLY, later), planned(7, BEFORE, null));
  expect((await job('apply', PUSH)).output).toContain('The plan of merge request !3 is gone');
  gitlab.jobs.pop();
  const other = await job('apply', PUSH);
  expect([other.code, other.output]).toEqual([3, expect.stringContaining('not the one that was reviewed')]);
  gitlab.jobs.push(planned(8, BEFORE, right, { target: 'sandbox' }));
  const retargeted = await job('apply', PUSH);
  expect([retargeted.code, retargeted.output]).toEqual([
    3,
    expect.stringContaining('was made for the branch sandbox, not for main'),
  ]);
  const asked = await job('apply', { ...BY_HAND, RULEWRIGHT_PLAN_AFTER_MERGE: 'true' });
  expect([asked.code, asked.output]).toEqual([0, expect.stringContaining('ada asked for it')]);
});

it(
  'applies by hand the merge request that is named, also after another merge',
  { timeout: 180_000 },
  async () => {
    const { gitlab, job, edit, read } = await startPipeline();
    const only = { RULEWRIGHT_ONLY_CHANGED: 'true' };
    await edit('action: managed_challenge', 'action: js_challenge');
    expect((await job('plan', { ...REQUEST, ...only })).code).toBe(0);
    gitlab.jobs.push(planned(1, BEFORE, await read('plan.json')));
    // Another merge came later: the commit is no longer that of this merge request.
    const named = { ...BY_HAND, ...only, RULEWRIGHT_MERGE_REQUEST: '3', CI_COMMIT_SHA: 'f'.repeat(40) };
    const open = await job('apply', named);
    expect([open.code, open.output]).toEqual([
      3,
      expect.stringContaining('Merge request !3 was not merged into main'),
    ]);
    gitlab.merged.set(MERGED, 3);
    const odd = await job('apply', { ...named, RULEWRIGHT_MERGE_REQUEST: '3/notes' });
    expect([odd.code, odd.output]).toEqual([3, expect.stringContaining('is no number')]);
    const applied = await job('apply', named);
    expect([applied.code, applied.output]).toEqual([
      0,
      expect.stringContaining('1 of 1 scope changed since'),
    ]);
  },
);

it('cancels no apply that waits for its turn, and installs nothing while no version is named', async () => {
  const text = await readFile(join(ROOT, 'examples', 'gitlab', '.gitlab-ci.yml'), 'utf8');
  expect(parse(text)).toMatchObject({
    workflow: { auto_cancel: { on_new_commit: 'none' } },
    '.rulewright': { variables: { RULEWRIGHT_VERSION: '' } },
    apply: { resource_group: 'rulewright' },
  });
  const [, install = ''] =
    (parse(text) as Record<string, { readonly before_script: readonly string[] }>)['.rulewright']
      ?.before_script ?? [];
  const ended = run('bash', ['-euc', `npm() { echo installed; }\n${install}`], {
    env: { RULEWRIGHT_VERSION: '' },
  });
  await expect(ended).rejects.toMatchObject({
    stdout: '',
    stderr: expect.stringContaining('RULEWRIGHT_VERSION: names no release'),
  });
});
