import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { copyExample } from '../copy-project.ts';
import { runAction } from './composite.ts';

// Runs the steps of examples/github/import-drift.yml on a clone of a repository, with a stand-in for GitHub's command line.

const run = promisify(execFile);
const WORKFLOW = join(import.meta.dirname, '..', '..', 'examples', 'github', 'import-drift.yml');

interface Step {
  readonly with?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly run?: string;
}

async function startClone() {
  const temp = await realpath(await mkdtemp(join(tmpdir(), 'rulewright-import-')));
  onTestFinished(() => rm(temp, { recursive: true }));
  const [origin, workspace, bin] = ['origin.git', 'clone', 'bin'].map((name) => join(temp, name));
  if (origin === undefined || workspace === undefined || bin === undefined) {
    throw new Error('no folders');
  }
  await mkdir(bin);
  await copyExample('first', workspace);
  const git = async (...words: readonly string[]): Promise<string> =>
    (await run('git', words, { cwd: workspace })).stdout;
  await run('git', ['init', '--quiet', '--bare', origin]);
  await git('init', '--quiet', '--initial-branch', 'main');
  await git('add', '.');
  await git('-c', 'user.name=Ada', '-c', 'user.email=ada@shop.example', 'commit', '--quiet', '-m', 'Begin');
  await git('remote', 'add', 'origin', origin);
  await git('push', '--quiet', 'origin', 'main');
  const asked = join(temp, 'asked');
  await writeFile(join(bin, 'gh'), '#!/bin/sh\nprintf "%s\\n" "$*" >> "$ASKED"\n');
  await chmod(join(bin, 'gh'), 0o755);
  const document = parse(await readFile(WORKFLOW, 'utf8')) as {
    readonly jobs: { readonly import: { readonly steps: readonly Step[] } };
  };
  const [, action, open] = document.jobs.import.steps;
  const inputs = { 'emulator-state': join(temp, 'emulator.json') };
  const fill = (values: Readonly<Record<string, string>>) => (text: string) =>
    text.replaceAll(/\$\{\{ (\S+) \}\}/gu, (_all, name: string) => values[name] ?? '');
  return {
    temp,
    git,
    drift: (more: Readonly<Record<string, string>> = {}) =>
      runAction(
        'rulewright',
        { ...inputs, command: 'drift', unmanaged: 'true', ...more },
        { workspace, temp },
      ),
    digest: async (): Promise<string> => {
      const result = await readFile(join(temp, 'rulewright', 'drift.json'), 'utf8');
      return (JSON.parse(result) as { readonly digest: string }).digest;
    },
    importDrift: async (digest: string) => {
      const values = { 'inputs.digest': digest };
      const given = Object.entries(action?.with ?? {}).map(([key, text]) => [key, fill(values)(text)]);
      const ended = await runAction(
        'rulewright',
        { ...Object.fromEntries(given), ...inputs },
        { workspace, temp },
      );
      if (ended.code !== 0) {
        return { ...ended, asked: [] };
      }
      const known = {
        ...values,
        'github.ref_name': 'main',
        'github.token': 'secret-token',
        'steps.import.outputs.page': ended.outputs['page'] ?? '',
      };
      const env = Object.entries(open?.env ?? {}).map(([key, text]) => [key, fill(known)(text)]);
      const { PATH, HOME } = process.env;
      await run('bash', ['-eo', 'pipefail', '-c', open?.run ?? 'exit 70'], {
        cwd: workspace,
        env: { PATH: `${bin}:${PATH}`, HOME, ASKED: asked, ...Object.fromEntries(env) },
      });
      return { ...ended, asked: (await readFile(asked, 'utf8')).trim().split('\n') };
    },
  };
}

it(
  'opens a pull request that takes the drift that was shown into the files',
  { timeout: 180_000 },
  async () => {
    const { git, drift, digest: shown, importDrift } = await startClone();
    await drift();
    const digest = await shown();
    const branch = `rulewright/drift-${digest.slice(0, 12)}`;
    const { code, asked, summary } = await importDrift(digest);
    expect([code, summary]).toEqual([0, expect.stringContaining('shop.example.yaml')]);
    expect(asked).toEqual([
      'auth setup-git',
      expect.stringMatching(
        new RegExp(`^pr create --base main --head ${branch} --title .+ --body-file /.+/import\\.md$`, 'u'),
      ),
    ]);
    const changed = await git('diff', '--name-only', 'origin/main', `origin/${branch}`);
    expect(changed.trim().split('\n')).toEqual(['zones/shop.example.yaml']);
    // What is left are rules of others, which the files do not declare.
    const left = await drift({ unmanaged: 'false' });
    expect(left.outputs['exit-code']).toBe('0');
  },
);

it('opens none if the drift is another one, whatever the digest says', { timeout: 180_000 }, async () => {
  const { temp, git, importDrift } = await startClone();
  for (const [digest, code] of [
    ['0'.repeat(64), 3],
    ['$(touch pwned); `touch pwned`', 64],
    ['', 64],
  ] as const) {
    expect((await importDrift(digest)).code).toBe(code);
  }
  expect(await git('ls-remote', '--heads', 'origin')).toMatch(/^\S+\trefs\/heads\/main\n$/u);
  expect(await git('status', '--porcelain')).toBe('');
  await expect(readFile(join(temp, 'clone', 'pwned'))).rejects.toThrow('ENOENT');
});
