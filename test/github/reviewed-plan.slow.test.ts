import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import type { ActionRun } from './composite.ts';
import { runAction } from './composite.ts';

// Runs the action as a job does, against a stand-in for GitHub that keeps artifacts on another server.

interface Artifact {
  readonly id: number;
  readonly name: string;
  readonly expired: boolean;
  readonly created_at: string;
  /** What the run says that it planned; null if the artifact says nothing of it. */
  readonly origin?: object | null;
}

interface Run {
  readonly id: number;
  readonly head_sha: string;
  readonly event: string;
  readonly repository: { readonly id: number };
  readonly head_repository: { readonly id: number } | null;
  readonly artifacts: readonly Artifact[];
}

const EARLY = '2026-11-20T08:00:00Z';
const BEFORE = '2026-11-20T09:00:00Z';
const MERGE = '2026-11-20T10:00:00Z';
const AFTER = '2026-11-20T11:00:00Z';

const artifact = (id: number, created: string, more: Partial<Artifact> = {}): Artifact => ({
  id,
  name: 'the plan',
  expired: false,
  created_at: created,
  ...more,
});

/** A run of the planning workflow for the head of the pull request. */
const run = (artifacts: readonly Artifact[], more: Partial<Run> = {}): Run => ({
  id: 1000 + (artifacts[0]?.id ?? 0),
  head_sha: 'head',
  event: 'pull_request',
  repository: { id: 1 },
  head_repository: { id: 1 },
  artifacts,
  ...more,
});

const MERGED = {
  number: 7,
  merged_at: MERGE,
  head: { sha: 'head' },
  base: { ref: 'main', sha: 'base-of-7' },
};
const OPEN = { ...MERGED, number: 8, merged_at: null, head: { sha: 'other' } };
const ELSEWHERE = {
  ...MERGED,
  number: 6,
  head: { sha: 'other' },
  base: { ref: 'sandbox', sha: 'base-of-6' },
};

interface Github {
  /** The pull requests that can be looked up by number, and those that brought the commit. */
  readonly pulls?: readonly { readonly number: number }[];
  readonly brought?: readonly object[];
  readonly runs?: readonly Run[];
  /** Answers every request with this. */
  readonly status?: number;
  /** The name of the file in the artifacts; its content names the artifact. */
  readonly file?: string;
}

async function listen(
  handler: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer(handler);
  onTestFinished(() => {
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

async function find(
  { pulls = [], brought = [MERGED], runs = [], status = 200, file = 'plan.json' }: Github,
  inputs: Readonly<Record<string, string>> = {},
  env: Readonly<Record<string, string>> = {},
): Promise<ActionRun & { readonly plan: string | null }> {
  const temp = await realpath(await mkdtemp(join(tmpdir(), 'rulewright-reviewed-')));
  onTestFinished(() => rm(temp, { recursive: true }));
  const store = await listen((request, response) => {
    const id = request.url?.slice(1) ?? '';
    void (async () => {
      const kept = runs.flatMap((one) => one.artifacts).find((one) => String(one.id) === id);
      const origin = kept?.origin === undefined ? MERGED : kept.origin;
      const texts = {
        [file]: `plan ${id}, authorization ${request.headers.authorization ?? 'none'}`,
        ...(origin === null ? {} : { 'pull-request.json': JSON.stringify(origin) }),
      };
      await Promise.all(Object.entries(texts).map(([name, text]) => writeFile(join(temp, name), text)));
      const paths = Object.keys(texts).map((name) => join(temp, name));
      execFileSync('zip', ['-q', '-j', join(temp, `${id}.zip`), ...paths]);
      response.end(await readFile(join(temp, `${id}.zip`)));
    })();
  });
  const api = await listen((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const path = decodeURIComponent(pathname).replace('/repos/o/r/', '');
    const [, id = ''] = /(\d+)/.exec(path) ?? [];
    const zip = /^actions\/artifacts\/\d+\/zip$/.test(path);
    const answer = answers(path, searchParams, id);
    if (status !== 200 || (!zip && answer === undefined)) {
      response.writeHead(status === 200 ? 404 : status).end('{}');
    } else if (zip) {
      response.writeHead(302, { location: `${store}/${id}` }).end();
    } else {
      response.end(JSON.stringify(answer));
    }
  });
  const answers = (path: string, query: URLSearchParams, id: string): object | undefined => {
    if (path === 'commits/merged/pulls') {
      return brought;
    }
    if (path === `pulls/${id}`) {
      return pulls.find(({ number }) => String(number) === id);
    }
    if (path === 'actions/workflows/plan.yml/runs') {
      const head = query.get('head_sha');
      // GitHub may match runs to a commit in more ways than this, so the stand-in also lists a run of another commit.
      return { workflow_runs: runs.filter(({ head_sha: sha }) => sha === head || sha === 'odd') };
    }
    return path === `actions/runs/${id}/artifacts`
      ? { artifacts: runs.find((one) => String(one.id) === id)?.artifacts ?? [] }
      : undefined;
  };
  const given = { artifact: 'the plan', 'github-token': 'token-of-the-run', ...inputs };
  const ended = await runAction('reviewed-plan', given, {
    workspace: temp,
    temp,
    env: {
      GITHUB_API_URL: api,
      GITHUB_REPOSITORY: 'o/r',
      GITHUB_SHA: 'merged',
      GITHUB_REF_TYPE: 'branch',
      GITHUB_REF_NAME: 'main',
      GITHUB_EVENT_NAME: 'push',
      GITHUB_TRIGGERING_ACTOR: 'ada',
      ...env,
    },
  });
  expect(ended.stdout + ended.stderr).not.toContain('token-of-the-run');
  const path = ended.outputs['plan'];
  return { ...ended, plan: path === undefined ? null : await readFile(path, 'utf8') };
}

const BY_HAND = { GITHUB_EVENT_NAME: 'workflow_dispatch' };

describe('the reviewed plan', () => {
  it('is the newest one from before the merge, of whichever run', async () => {
    const runs = [
      run([artifact(4, AFTER), artifact(3, EARLY)]),
      run([artifact(2, BEFORE)]),
      run([artifact(1, EARLY)]),
    ];
    const found = await find({ brought: [OPEN, ELSEWHERE, MERGED], runs });
    expect(found).toMatchObject({ code: 0, plan: 'plan 2, authorization none', summary: '' });
    expect(found.outputs['base']).toBe('base-of-7');
    expect(found.stdout).toContain(
      `The plan of pull request 7, made ${BEFORE}, before it was merged ${MERGE}`,
    );
  });

  it.each([AFTER, MERGE, 'never'])(
    'is not one that was made at or after the merge, here %s',
    async (created) => {
      const found = await find({ runs: [run([artifact(1, created)])] });
      expect([found.code, found.plan]).toEqual([3, null]);
      expect(found.stderr).toContain('::error title=No reviewed plan::');
      expect(found.stderr).toContain(`after it was merged ${MERGE}`);
      expect(found.stderr).toContain('start this workflow by hand with plan-after-merge');
    },
  );

  it('is a later one only if somebody asks for it by hand, and the run says so', async () => {
    const runs = [run([artifact(2, AFTER), artifact(1, BEFORE)])];
    const asked = { 'plan-after-merge': 'true' };
    const found = await find({ runs }, asked, BY_HAND);
    expect(found).toMatchObject({ code: 0, plan: 'plan 2, authorization none' });
    expect(found.stderr).toContain('::warning title=Plan made after the merge::');
    expect(found.summary).toContain(`made ${AFTER}, after it was merged ${MERGE}`);
    expect(found.summary).toContain('ada asked for it');

    const pushed = await find({ runs }, asked);
    expect(pushed).toMatchObject({ code: 0, plan: 'plan 1, authorization none', summary: '' });
    const unasked = await find({ runs }, { 'plan-after-merge': 'false' }, BY_HAND);
    expect(unasked).toMatchObject({ code: 0, plan: 'plan 1, authorization none', summary: '' });
  });

  it('is that of the pull request that is named by hand, if it was merged into the branch', async () => {
    const fifth = { ...MERGED, number: 5, head: { sha: 'fifth' } };
    const pulls = [OPEN, ELSEWHERE, fifth];
    const runs = [
      run([artifact(1, BEFORE)]),
      run([artifact(5, BEFORE, { origin: fifth })], { head_sha: 'fifth' }),
    ];
    const find5 = await find({ pulls, runs }, { 'pull-request': '5' }, BY_HAND);
    expect(find5).toMatchObject({ code: 0, plan: 'plan 5, authorization none' });
    for (const other of ['6', '8']) {
      const refused = await find({ pulls, runs }, { 'pull-request': other }, BY_HAND);
      expect([refused.code, refused.stderr]).toEqual([
        3,
        expect.stringContaining(`Pull request ${other} was not merged into main`),
      ]);
    }
    expect((await find({ pulls, runs }, { 'pull-request': '5/files' })).code).toBe(64);
  });

  it.each([
    ['of a fork', run([artifact(1, BEFORE)], { head_repository: { id: 2 } })],
    ['of a fork that is gone', run([artifact(1, BEFORE)], { head_repository: null })],
    ['of another commit', run([artifact(1, BEFORE)], { head_sha: 'odd' })],
    ['of a run for something else', run([artifact(1, BEFORE)], { event: 'push' })],
    ['that has expired', run([artifact(1, BEFORE, { expired: true })])],
    ['of another name', run([artifact(1, BEFORE, { name: 'another plan' })])],
  ])('is no artifact %s', async (_what, one) => {
    const { code, plan, stderr } = await find({ runs: [one] });
    expect([code, plan]).toEqual([3, null]);
    expect(stderr).toContain('has no artifact the plan for head, the head of pull request 7');
  });

  const others: readonly (readonly [string, object | null])[] = [
    ['for another pull request with the same head', { ...MERGED, number: 9 }],
    [
      'for the branch that it was to be merged into before',
      { ...MERGED, base: { ref: 'sandbox', sha: 's' } },
    ],
    ['for another head', { ...MERGED, head: { sha: 'other' } }],
    ['by an action that did not say for what', null],
    ['for something without a pull request', {}],
  ];
  it.each(others)('is not one that was made %s, however new', async (_what, origin) => {
    const foreign = run([artifact(2, BEFORE, { origin })]);
    const found = await find({ runs: [foreign, run([artifact(1, EARLY)])] });
    expect(found).toMatchObject({ code: 0, plan: 'plan 1, authorization none' });
    const refused = await find({ runs: [foreign] }, { 'plan-after-merge': 'true' }, BY_HAND);
    expect([refused.code, refused.plan, refused.stderr]).toEqual([
      3,
      null,
      expect.stringContaining('None of the plans for head was made for pull request 7 into main'),
    ]);
  });

  it('is not found if the workflow that should have made it does not exist', async () => {
    const runs = [run([artifact(1, BEFORE)])];
    const { code, stderr } = await find({ runs }, { workflow: 'edge.yml' });
    expect([code, stderr]).toEqual([3, expect.stringContaining('no workflow edge.yml')]);
  });

  it('does not exist for a commit that no merged pull request brought', async () => {
    const { code, stderr } = await find({ brought: [OPEN] });
    expect([code, stderr.includes('Nothing was reviewed')]).toEqual([3, true]);
  });

  it('is not that of a pull request that was merged into another branch', async () => {
    const { code, stderr } = await find({ brought: [ELSEWHERE], runs: [run([artifact(1, BEFORE)])] });
    expect([code, stderr]).toEqual([
      3,
      expect.stringContaining('No merged pull request brought merged to main'),
    ]);
  });

  it('does not exist if planning failed and left an artifact without a plan', async () => {
    const { code, stderr } = await find({ runs: [run([artifact(1, BEFORE)])], file: 'findings.json' });
    expect([code, stderr]).toEqual([3, expect.stringContaining('holds no plan.json')]);
  });

  it('is not guessed if GitHub refuses to answer', async () => {
    const { code, stderr } = await find({ status: 403 });
    expect([code, stderr]).toEqual([1, expect.stringContaining('answered 403')]);
  });
});

it.each(['examples/github/apply.yml', '.github/workflows/rulewright-apply.yml'])(
  '%s can be started by hand, with the inputs of the search for the reviewed plan',
  async (path) => {
    const text = await readFile(join(import.meta.dirname, '..', '..', path), 'utf8');
    const document = parse(text) as {
      readonly on: Readonly<Record<string, { readonly inputs?: object }>>;
      readonly jobs: {
        readonly apply: { readonly steps: readonly { readonly id?: string; readonly with?: object }[] };
      };
    };
    const { inputs = {} } = document.on['workflow_dispatch'] ?? document.on['workflow_call'] ?? {};
    expect(inputs).toMatchObject({ 'pull-request': { default: '' }, 'plan-after-merge': { default: false } });
    expect(document.jobs.apply.steps.find(({ id }) => id === 'reviewed')?.with).toMatchObject({
      'pull-request': '${{ inputs.pull-request }}',
      'plan-after-merge': '${{ inputs.plan-after-merge }}',
    });
  },
);
