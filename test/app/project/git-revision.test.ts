import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openRevision } from '../../../src/app/project/git-revision.ts';
import { rulewright } from '../../cli/in-process.ts';

const run = promisify(execFile);
let root = '';

const git = (...words: readonly string[]) =>
  run('git', ['-C', root, '-c', 'user.name=T', '-c', 'user.email=t@example.test', ...words]);

async function commit(files: Readonly<Record<string, string>>, message: string): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(root, 'project', 'zones'), { recursive: true });
    await writeFile(join(root, 'project', path), text);
  }
  await git('add', '-A');
  await git('commit', '-q', '-m', message);
}

/** The id of a tree with one entry of a name that Git itself would not write. */
async function hashTree(entry: string, id: string): Promise<string> {
  const file = join(root, 'tree');
  await writeFile(file, Buffer.concat([Buffer.from(`${entry}\0`), Buffer.from(id, 'hex')]));
  const { stdout } = await git('hash-object', '-t', 'tree', '-w', '--literally', file);
  return stdout.trim();
}

const ZONE = (more = '') => `zone: blog.example
entrypoints:
  http_request_firewall_custom:
    rules:
      - { ref: a, expression: http.host eq "a.example", action: block${more} }
`;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'rulewright-git-')));
  await git('init', '-q', '-b', 'main');
  await commit(
    {
      'rulewright.yaml': 'version: 1\nfiles: [zones/*.yaml]\nsafety: { protect: ["a*"] }\n',
      'zones/blog.yaml': ZONE(),
    },
    'base',
  );
});

afterEach(() => rm(root, { recursive: true, force: true }));

describe('a revision', () => {
  it('lists and reads the files of the commit, with paths relative to the folder', async () => {
    await commit({ 'rulewright.yaml': 'version: 1\n' }, 'later');
    const base = await openRevision(join(root, 'project'), 'HEAD~1');
    const [file, ...others] = await base.list();
    const id = file?.id ?? '';
    const contents = await base.contents([id]);
    expect(file?.path).toBe('rulewright.yaml');
    expect(contents.get(id)?.toString()).toContain('protect');
    expect(others.map(({ path }) => path)).toEqual(['zones/blog.yaml']);
  });

  it.each(['nowhere', '--output=/etc/passwd', 'main; touch x', '-h', '$(touch x)', 'HEAD:project', ''])(
    'is refused when Git has no such commit: %j',
    async (name) => {
      await expect(openRevision(join(root, 'project'), name)).rejects.toMatchObject({
        code: 'settings/no-revision',
      });
    },
  );

  it('fails with the message of Git when Git exits before it reads which files are wanted', async () => {
    const base = await openRevision(join(root, 'project'), 'HEAD');
    const tools = join(root, 'tools');
    await mkdir(tools);
    await writeFile(join(tools, 'git'), '#!/bin/sh\necho "fatal: out of memory" >&2\nexit 128\n', {
      mode: 0o755,
    });
    vi.stubEnv('PATH', `${tools}:${process.env['PATH']}`);
    const ids = Array.from({ length: 50_000 }, (_, index) => index.toString(16).padStart(40, '0'));
    try {
      await expect(base.contents(ids)).rejects.toMatchObject({
        code: 'settings/revision-unread',
        message: expect.stringContaining('out of memory'),
      });
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('lists no files outside of its folder, even if its tree has an entry called ".."', async () => {
    const file = await git('hash-object', '-w', 'project/rulewright.yaml');
    const inner = await hashTree('100644 evil.yaml', file.stdout.trim());
    const outer = await hashTree('40000 ..', inner);
    const { stdout } = await git('commit-tree', '-m', 'evil', outer);
    const revision = await openRevision(root, stdout.trim());
    expect(await revision.list()).toEqual([]);
  });

  it('is refused when the folder is not in a repository', async () => {
    const elsewhere = await realpath(await mkdtemp(join(tmpdir(), 'rulewright-no-git-')));
    try {
      await expect(openRevision(elsewhere, 'HEAD')).rejects.toMatchObject({ code: 'settings/no-revision' });
    } finally {
      await rm(elsewhere, { recursive: true });
    }
  });
});

describe('a revision that cannot be read', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  const opened = () => openRevision(join(root, 'project'), 'HEAD');

  it('fails with a message that there is no program git', async () => {
    vi.stubEnv('PATH', root);
    await expect(opened()).rejects.toMatchObject({
      code: 'settings/revision-unread',
      message: 'the revision "HEAD" cannot be read: there is no program git',
    });
  });

  it('fails with the command that trusts a repository of another owner', async () => {
    vi.stubEnv('GIT_TEST_ASSUME_DIFFERENT_OWNER', '1');
    await expect(opened()).rejects.toMatchObject({
      code: 'settings/revision-unread',
      hint: `git config --global --add safe.directory ${root}`,
    });
  });

  it('fails as unreadable, not as unknown, when the repository lacks its tree', async () => {
    const revision = await opened();
    const { stdout } = await git('rev-parse', 'HEAD:project');
    const id = stdout.trim();
    await rm(join(root, '.git', 'objects', id.slice(0, 2), id.slice(2)));
    await expect(revision.list()).rejects.toMatchObject({
      code: 'settings/revision-unread',
      message: expect.stringContaining('cannot be read: '),
      hint: expect.stringContaining('git fsck'),
    });
  });

  it('fails as unreadable when the repository lacks the object of a file', async () => {
    const revision = await opened();
    const [entry] = await revision.list();
    const id = entry?.id ?? '';
    await rm(join(root, '.git', 'objects', id.slice(0, 2), id.slice(2)));
    await expect(revision.contents([id])).rejects.toMatchObject({ code: 'settings/revision-unread' });
  });
});

describe('--settings-from', () => {
  const plan = async (...words: readonly string[]) =>
    rulewright(['plan', '--emulator', '--quiet', ...words], { cwd: join(root, 'project') });
  const apply = async (...words: readonly string[]) =>
    rulewright(['apply', '--emulator', '--quiet', '--yes', ...words], { cwd: join(root, 'project') });

  it('guards with the settings of the base revision, and lists changes of the guards first', async () => {
    expect((await apply()).code).toBe(0);
    await commit(
      {
        'rulewright.yaml': 'version: 1\nfiles: [zones/*.yaml]\nsafety: { protect: [] }\n',
        'zones/blog.yaml': ZONE(', adopt: true, description: new'),
      },
      'loosened',
    );
    const own = await plan();
    expect(own.stdout).not.toContain('Refused by apply');
    const { stdout } = await plan('--settings-from', 'HEAD~1');
    const kinds = [...stdout.matchAll(/^ {2}! (\w+) /gm)].map(([, kind]) => kind);
    expect(kinds).toEqual(['settings', 'settings', 'protected']);
    expect(stdout).toContain('rulewright.yaml safety.protect changes the guards: ["a*"] →');
    const refused = await apply('--settings-from', 'HEAD~1');
    expect([refused.code, refused.stderr]).toEqual([
      3,
      'Refused by the guards `settings`, `protected` (see above). Nothing was written.\nTo allow it for this run: --allow settings,protected\n',
    ]);
    const allowed = await apply('--settings-from', 'HEAD~1', '--allow', 'settings', '--allow', 'protected');
    expect(allowed.code).toBe(0);
  });

  it('reads the files of a revision once that --changed-since names too, after its project file and the merge base', async () => {
    const trace = join(root, 'trace.json');
    vi.stubEnv('GIT_TRACE2_EVENT', trace);
    const { code } = await plan('--settings-from', 'HEAD', '--changed-since', 'HEAD');
    vi.unstubAllEnvs();
    const one = ['rev-parse', 'cat-file'];
    const branch = ['merge-base', 'rev-parse'];
    const asked = [...(await readFile(trace, 'utf8')).matchAll(/"event":"cmd_name".*?"name":"([^"]+)"/g)];
    expect([code, asked.map(([, name]) => name)]).toEqual([
      0,
      [...one, 'rev-parse', ...branch, 'ls-tree', 'cat-file'],
    ]);
  });

  it('finds a changed ownership in a file with another extension, and in one behind a symbolic link', async () => {
    const pattern = (protect: string) =>
      `version: 1\nfiles: ["zones/*.rules", zones/linked.yaml]\nsafety: { protect: ${protect} }\n`;
    const owned = (ref: string) => `ownership: { rules: [${ref}] }\n`;
    const api = ZONE().replaceAll('blog.example', 'api.example');
    await symlink('../api.yaml', join(root, 'project/zones/linked.yaml'));
    const files = (ref: string) => ({
      'rulewright.yaml': pattern('[]'),
      'zones/blog.rules': ZONE() + owned(ref),
      'api.yaml': api + owned(ref),
    });
    await commit(files('a'), 'of a');
    await commit(files('"*"'), 'of all');
    const { stdout } = await plan('--settings-from', 'HEAD~1', '--config', 'rulewright.yaml');
    expect(stdout.replaceAll(/\s+/gu, ' ')).toContain(
      '! settings zones/blog.rules ownership.rules, zones/linked.yaml ownership.rules change the guards: ["a"] → ["*"]',
    );
  });

  it('fails for an unknown revision, as --changed-since does, which explains a commit id of zeros', async () => {
    const { code, stderr } = await plan('--settings-from', 'nowhere');
    expect(code).toBe(1);
    expect(stderr).toContain(
      'error settings/no-revision\n  Git has no revision "nowhere" here\n  hint: name a commit',
    );
    const zeros = await plan('--changed-since', '0'.repeat(40));
    expect(zeros.stderr).toMatch(/hint: a forge says so where nothing was pushed to a branch\s+before/u);
  });
});
