import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';

const ACTION = join(import.meta.dirname, '..', '..', '.github', 'actions', 'rulewright');

/** Stands in for npm: says where it was started and what it was given, and "installs" a program that says how it was called. */
const NPM = `#!/bin/sh
{ pwd; echo "$@"; env | grep -c "TOKEN=" ; ls -A; } > "$RUNNER_TEMP/npm"
mkdir -p node_modules/rulewright/dist/cli
echo 'console.log("installed", process.cwd(), process.argv.slice(2).join(" "))' > node_modules/rulewright/dist/cli/main.js
`;

let folder = '';
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'rulewright-package-')));
  await Promise.all(
    ['temp', 'bin', 'work/node_modules/.bin'].map((name) => mkdir(join(folder, name), { recursive: true })),
  );
  await cp(ACTION, join(folder, 'action'), { recursive: true });
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

it('the package is installed where nothing of the repository says from where, and without the tokens', async () => {
  const { stdout } = await promisify(execFile)('bash', [join(folder, 'action/run.sh')], {
    cwd: join(folder, 'work'),
    env: {
      PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`,
      RUNNER_TEMP: join(folder, 'temp'),
      RW_ACTION_PATH: join(folder, 'action'),
      RW_COMMAND: 'validate',
      RW_VERSION: '0.9.1',
      CLOUDFLARE_API_TOKEN: 'token-of-the-service',
      GITHUB_TOKEN: 'token-of-the-forge',
    },
  });
  expect(stdout).toContain(`installed ${join(folder, 'work')} validate`);
  expect(stdout).not.toContain('ran ');
  const [where = '', asked, tokens, ...around] = (await readFile(join(folder, 'temp/npm'), 'utf8'))
    .trim()
    .split('\n');
  expect(where).toContain(join(folder, 'temp'));
  expect(asked).toContain('--ignore-scripts');
  expect(asked).toContain('rulewright@0.9.1');
  expect([tokens, around]).toEqual(['0', ['package.json']]);
});
