import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { lintWorkflow } from './lint-workflow.ts';

const ROOT = join(import.meta.dirname, '..', '..');

const workflows = (
  await Promise.all(
    ['.github/workflows', 'examples/github'].map(async (folder) =>
      (await readdir(join(ROOT, folder))).map((file) => `${folder}/${file}`),
    ),
  )
).flat();

/** Every value below a key of this name, however deep. */
function valuesOf(value: unknown, name: string): readonly unknown[] {
  return typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([key, inner]) => [
        ...(key === name ? [inner as unknown] : []),
        ...valuesOf(inner, name),
      ]);
}

it.each(workflows)('%s passes actionlint', async (path) => {
  const text = await readFile(join(ROOT, path), 'utf8');
  expect(await lintWorkflow(text, path)).toEqual([]);
});

it.each([...workflows, '.github/actions/rulewright/action.yml', '.github/actions/reviewed-plan/action.yml'])(
  '%s puts no expression into a script',
  async (path) => {
    const document: unknown = parse(await readFile(join(ROOT, path), 'utf8'));
    expect(valuesOf(document, 'run').filter((script) => String(script).includes('${{'))).toEqual([]);
  },
);

it('pins every action of others by its commit, with its version beside it, the same everywhere', async () => {
  const files = [...workflows, '.github/actions/rulewright/action.yml', 'docs/gitops.md'];
  const texts = await Promise.all(files.map((path) => readFile(join(ROOT, path), 'utf8')));
  const used = texts.flatMap((text) =>
    [...text.matchAll(/^[ -]*uses: +(?<action>.+)$/gmu)].map(({ groups }) => groups?.['action'] ?? ''),
  );
  const foreign = used.filter((action) => !/^(?:\.\/|rulewright\/)/u.test(action));
  expect(foreign.length).toBeGreaterThan(20);
  expect(foreign.filter((action) => !/^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/u.test(action))).toEqual([]);
  const distinct = [...new Set(foreign)];
  expect(new Set(distinct.map((action) => action.split('@')[0])).size).toBe(distinct.length);
});

it.each(workflows)('%s grants all jobs at most the permission to read contents', async (path) => {
  const document: unknown = parse(await readFile(join(ROOT, path), 'utf8'));
  expect([{}, { contents: 'read' }]).toContainEqual(valuesOf(document, 'permissions')[0]);
});

it.each([...workflows, '.github/actions/rulewright/run.sh', 'examples/gitlab/.gitlab-ci.yml'])(
  '%s installs packages without the npm settings and modules of the checkout',
  async (path) => {
    // `npx` and `npm install` obey the .npmrc and node_modules of the folder, except with --global or in a folder of their own.
    const lines = (await readFile(join(ROOT, path), 'utf8')).split('\n').map((line) => line.trim());
    const installs = lines.filter((line) => /\bnp[mx] .*rulewright/u.test(line));
    expect(
      installs.filter((line) => !/--global|^\(cd "\$tools"|^npm install --ignore-scripts/u.test(line)),
    ).toEqual([]);
    expect(lines.filter((line) => /\bnpx\b/u.test(line))).toEqual([]);
  },
);

it('gives a token to the plan job only for branches of the repository itself', async () => {
  for (const path of ['examples/github/plan.yml', '.github/workflows/rulewright-plan.yml']) {
    const document: unknown = parse(await readFile(join(ROOT, path), 'utf8'));
    const tokens = valuesOf(document, 'api-token').filter((value) => typeof value === 'string');
    expect(tokens).toEqual([
      expect.stringMatching(
        /^\$\{\{ github\.event\.pull_request\.head\.repo\.full_name == github\.repository && secrets\.\S+ \|\| '' \}\}$/u,
      ),
    ]);
  }
});

it('queues workflows that write, and cancels none of those that wait', async () => {
  // GitHub's default keeps one waiting run: a third merge would cancel the second. It refuses the two settings beside each other.
  const waits = { group: expect.any(String), queue: 'max', 'cancel-in-progress': false };
  const documents = await Promise.all(
    workflows.map(
      async (path) => [path, parse(await readFile(join(ROOT, path), 'utf8')) as unknown] as const,
    ),
  );
  // Workflows that apply with a token; the checks of this repository apply to the embedded service only.
  const writing = documents.filter(([, document]) =>
    valuesOf(document, 'with').some(
      (inputs) => valuesOf(inputs, 'command').includes('apply') && valuesOf(inputs, 'api-token').length > 0,
    ),
  );
  const groups = Object.fromEntries(
    writing.map(([path, document]) => [path, valuesOf(document, 'concurrency')]),
  );
  expect(groups).toEqual({
    '.github/workflows/rulewright-apply.yml': [waits],
    'examples/github/apply.yml': [waits],
    'examples/github/heal.yml': [waits],
    'examples/github/undo-drift.yml': [waits],
    'examples/github/waves.yml': [waits],
  });
});

it('uses the actions of this repository in a called workflow only at the commit of that workflow', async () => {
  const called = workflows.filter((path) => path.includes('/rulewright-'));
  expect(called).toHaveLength(3);
  for (const path of called) {
    const [steps] = valuesOf(parse(await readFile(join(ROOT, path), 'utf8')), 'steps');
    const used = valuesOf(steps, 'uses').filter((action) => String(action).includes('rulewright'));
    expect(used.length).toBeGreaterThan(0);
    expect(
      used.filter((action) => !String(action).startsWith('./.rulewright-source/.github/actions/')),
    ).toEqual([]);
    const own = {
      repository: '${{ job.workflow_repository }}',
      ref: '${{ job.workflow_sha }}',
      path: '.rulewright-source',
      'sparse-checkout': '.github/actions',
      'persist-credentials': false,
    };
    // A server that does not know this commit would check out the caller's repository: the step before refuses that.
    expect(steps).toMatchObject([
      { uses: expect.stringMatching(/^actions\/checkout@/u) },
      { if: "job.workflow_sha == ''", run: expect.stringContaining('exit 1') },
      { uses: expect.stringMatching(/^actions\/checkout@/u), with: own },
      ...(steps as readonly unknown[]).slice(3).map(() => expect.anything()),
    ]);
  }
});

it('takes the token of the called apply workflow from the protected environment', async () => {
  const document: unknown = parse(
    await readFile(join(ROOT, '.github/workflows/rulewright-apply.yml'), 'utf8'),
  );
  const [secrets] = valuesOf(document, 'secrets');
  // GitHub allows no dash in the name of an environment secret, and the caller does not have this secret.
  expect(secrets).toEqual({ CLOUDFLARE_WRITE_TOKEN: expect.objectContaining({ required: false }) });
  expect(valuesOf(document, 'api-token')).toEqual(['${{ secrets.CLOUDFLARE_WRITE_TOKEN }}']);
});

it('reports mistakes in broken workflows', async () => {
  const broken =
    'on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo ${{ github.event.issue.title }}\n';
  expect(await lintWorkflow(broken, 'broken.yml')).toEqual([
    expect.stringContaining('potentially untrusted'),
  ]);
  const unknown =
    'on: push\nconcurrency:\n  group: a\n  queues: max\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: exit 1\n        if: job.workflow_shas\n';
  expect(await lintWorkflow(unknown, 'unknown.yml')).toEqual([
    expect.stringContaining('unexpected key "queues"'),
    expect.stringContaining('property "workflow_shas" is not defined'),
  ]);
});

it('restores the cache of live state before the command, and saves it however the command ends', async () => {
  const action = await readFile(join(ROOT, '.github/actions/rulewright/action.yml'), 'utf8');
  const [steps] = valuesOf(parse(action), 'steps');
  const wanted = "inputs.cache == 'true' && inputs.command != 'validate'";
  const path = '${{ inputs.project }}/.rulewright/cache';
  const key =
    'rulewright-cache-${{ inputs.project }}-${{ github.run_id }}-${{ github.run_attempt }}-${{ github.job }}';
  const restored = { path, key, 'restore-keys': 'rulewright-cache-${{ inputs.project }}-' };
  expect(steps).toMatchObject([
    { uses: expect.stringMatching(/^actions\/cache\/restore@/u), if: wanted, with: restored },
    { id: 'run' },
    {
      uses: expect.stringMatching(/^actions\/cache\/save@/u),
      if: `always() && ${wanted}`,
      with: { path, key },
    },
  ]);
});
