import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { parse } from 'yaml';

const ACTION = join(import.meta.dirname, '..', '..', '.github', 'actions', 'rulewright');

/** Stands in for npm: records where and with what it was started, and "installs" a program that prints how it was called. */
const NPM = `#!/bin/sh
{ pwd; echo "$@"; env | grep -c "TOKEN=" ; ls -A; } > "$RUNNER_TEMP/npm"
mkdir -p node_modules/rulewright/dist/cli
echo 'console.log("installed", process.cwd(), process.argv.slice(2).join(" "))' > node_modules/rulewright/dist/cli/main.js
`;

let folder = '';
const action = (): string => join(folder, 'repository/.github/actions/rulewright');
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'rulewright-package-')));
  await Promise.all(
    ['temp', 'bin', 'work/node_modules/.bin'].map((name) => mkdir(join(folder, name), { recursive: true })),
  );
  // As the runner has it: the whole repository of the action, at its commit.
  await cp(ACTION, action(), { recursive: true });
  await writeFile(join(folder, 'repository/package.json'), '{ "name": "rulewright", "version": "0.8.3" }');
  // What a pull request may bring along.
  await writeFile(join(folder, 'work/.npmrc'), 'registry=http://127.0.0.1:9/\n');
  for (const [name, text] of [
    ['bin/npm', NPM],
    ['bin/npx', '#!/bin/sh\necho "ran npx"\n'],
    ['work/node_modules/.bin/rulewright', '#!/bin/sh\necho "ran from the checkout"\n'],
  ] as const) {
    await writeFile(join(folder, name), text);
    await chmod(join(folder, name), 0o755);
  }
});
afterEach(() => rm(folder, { recursive: true }));

function run(version: string): Promise<{ readonly stdout: string }> {
  return promisify(execFile)('bash', [join(action(), 'run.sh')], {
    cwd: join(folder, 'work'),
    env: {
      PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`,
      RUNNER_TEMP: join(folder, 'temp'),
      RW_ACTION_PATH: action(),
      RW_COMMAND: 'validate',
      RW_VERSION: version,
      CLOUDFLARE_API_TOKEN: 'token-of-the-service',
      GITHUB_TOKEN: 'token-of-the-forge',
    },
  });
}

/** What npm recorded, one item per line: its folder, its arguments, the number of tokens it saw, and the files around it. */
const asked = async (): Promise<readonly string[]> =>
  (await readFile(join(folder, 'temp/npm'), 'utf8')).trim().split('\n');

it('installs the package outside the checkout, whose files configure npm, and without the tokens', async () => {
  const { stdout } = await run('0.9.1');
  expect(stdout).toContain(`installed ${join(folder, 'work')} validate`);
  expect(stdout).not.toContain('ran ');
  const [where = '', what, tokens, ...around] = await asked();
  expect(where).toContain(join(folder, 'temp'));
  expect(what).toContain('--ignore-scripts');
  expect(what).toMatch(/ rulewright@0\.9\.1$/);
  expect([tokens, around]).toEqual(['0', ['package.json']]);
});

it('installs the version of the commit of the action unless the input names another', async () => {
  await run('');
  expect((await asked())[1]).toMatch(/ rulewright@0\.8\.3$/);
  // A tarball as `npm pack` makes it, which is in no registry.
  await run('https://packages.example/rulewright-0.8.4.tgz');
  expect((await asked())[1]).toMatch(/ rulewright@https:\/\/packages\.example\/rulewright-0\.8\.4\.tgz$/);
});

it.each(['', '0.9.1', 'latest'])(
  'installs nothing by name while nothing is released, here with the version "%s"',
  async (version) => {
    const text = '{ "name": "rulewright", "version": "0.8.3", "private": true }';
    await writeFile(join(folder, 'repository/package.json'), text);
    await expect(run(version)).rejects.toMatchObject({
      code: 64,
      stdout: expect.stringContaining('Nothing is released at the commit of this action'),
    });
    await expect(asked()).rejects.toThrow('ENOENT');
    await run('https://packages.example/rulewright-0.8.3.tgz');
    expect((await asked())[1]).toContain(' rulewright@https://packages.example/');
  },
);

it.each(['{ "name": "shop", "version": "3.0.0" }', '{', null])(
  'installs nothing if the action was copied to another repository, here with the package.json %s',
  async (text) => {
    const path = join(folder, 'repository/package.json');
    await (text === null ? rm(path) : writeFile(path, text));
    await expect(run('')).rejects.toMatchObject({
      code: 64,
      stdout: expect.stringContaining('give the input version'),
    });
    await expect(asked()).rejects.toThrow('ENOENT');
  },
);

it('has no default for the input version, and this repository has a version', async () => {
  const root = join(ACTION, '..', '..', '..');
  const { inputs } = parse(await readFile(join(ACTION, 'action.yml'), 'utf8')) as {
    readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  };
  expect(inputs['version']?.default).toBe('');
  expect(JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))).toMatchObject({
    name: 'rulewright',
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
  });
});
