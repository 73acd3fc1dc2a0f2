import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadProject } from '../../../src/config/index.ts';
import { withFetchedSecrets } from '../../../src/app/project/fetch-secrets.ts';
import { sensitiveValues } from '../../../src/app/project/sensitive-values.ts';
import { shellWord } from '../../../src/text/index.ts';

const VALUE = 'correct-horse-battery';
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rulewright-secrets-'));
  await mkdir(join(folder, 'kept', 'deep'), { recursive: true });
  await writeFile(join(folder, 'outside'), 'not-for-this-run');
  await writeFile(join(folder, 'kept', 'origin'), `${VALUE}\n`);
  await writeFile(join(folder, 'kept', 'deep', 'origin'), VALUE);
  await writeFile(join(folder, 'kept', 'empty'), '\n');
  await writeFile(join(folder, 'kept', 'large'), 'x'.repeat(200));
  await writeFile(join(folder, 'kept', 'binary'), Buffer.from([0xff, 0xfe, 0x00]));
  await symlink(join(folder, 'outside'), join(folder, 'kept', 'link'));
  await symlink(join(folder, 'kept', 'deep'), join(folder, 'kept', 'folder-link'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** The program that runs the tests prints or does something, without a shell. */
const node = (script: string, ...more: readonly string[]) => [process.execPath, '-e', script, ...more];
const lineOf = (words: readonly string[]) => words.map(shellWord).join(' ');

async function fetched(
  entry: { readonly from?: string; readonly file?: string; readonly exec?: readonly string[] },
  {
    access = {},
    env = {},
    milliseconds = 60_000,
  }: {
    readonly access?: { readonly folders?: readonly string[]; readonly commands?: readonly string[] };
    readonly env?: Record<string, string>;
    readonly milliseconds?: number;
  } = {},
) {
  const cwd = await mkdtemp(join(folder, 'project-'));
  const text = JSON.stringify({
    version: 1,
    files: ['*.yml'],
    env: { origin: { from: 'ORIGIN', ...entry } },
  });
  await writeFile(join(cwd, 'rulewright.yaml'), text);
  const all = await withFetchedSecrets({ cwd }, env, {
    access: { folders: [], commands: [], ...access },
    limits: { bytes: 100, milliseconds },
  });
  return all['ORIGIN'];
}

const kept = () => ({ folders: [join(folder, 'kept')] });

test('a value comes from a file in a folder that a flag names, unless the environment has it', async () => {
  await expect(fetched({ file: 'origin' }, { access: kept() })).resolves.toBe(VALUE);
  await expect(fetched({ file: 'deep/origin' }, { access: kept() })).resolves.toBe(VALUE);
  await expect(
    fetched({ file: 'origin' }, { access: kept(), env: { ORIGIN: 'from-the-environment' } }),
  ).resolves.toBe('from-the-environment');
});

test.each([
  ['origin', [], 'sensitive/not-allowed', 'no flag names its folder'],
  ['gone', ['kept'], 'sensitive/not-read', 'there is no file gone'],
  ['link', ['kept'], 'sensitive/not-read', 'behind a symbolic link'],
  ['folder-link/origin', ['kept'], 'sensitive/not-read', 'behind a symbolic link'],
  ['deep', ['kept'], 'sensitive/not-read', 'no regular file'],
  ['large', ['kept'], 'sensitive/not-read', 'larger than 100 bytes'],
  ['empty', ['kept'], 'sensitive/not-read', 'gave nothing'],
  ['binary', ['kept'], 'sensitive/not-read', 'no UTF-8 text'],
])('the file %s in %j: %s', async (file, folders, code, message) => {
  const access = { folders: folders.map((name) => join(folder, name)) };
  await expect(fetched({ file }, { access })).rejects.toMatchObject({
    code,
    message: expect.stringContaining(message),
  });
});

test('a secret that Kubernetes mounts is read from the folder ..data of the mount, and the refusal of its link says so', async () => {
  const mount = join(folder, 'mount');
  await mkdir(join(mount, '..2026_11_28'), { recursive: true });
  await writeFile(join(mount, '..2026_11_28', 'origin'), VALUE);
  await symlink('..2026_11_28', join(mount, '..data'));
  await symlink('..data/origin', join(mount, 'origin'));
  await expect(fetched({ file: 'origin' }, { access: { folders: [mount] } })).rejects.toMatchObject({
    code: 'sensitive/not-read',
    hint: expect.stringContaining(`--secret-files ${join(mount, '..data')}`),
  });
  await expect(fetched({ file: 'origin' }, { access: { folders: [join(mount, '..data')] } })).resolves.toBe(
    VALUE,
  );
});

test.each(['../outside', '/etc/passwd', 'deep/../../outside'])('a project may not name %s', async (file) => {
  // The project file is not valid then, so nothing of it is read.
  await expect(fetched({ file }, { access: kept() })).resolves.toBeUndefined();
});

test('a value comes from a command that a flag names whole; it gets no shell, and no credentials', async () => {
  const script = 'process.stdout.write(process.argv[1] + (process.env.CLOUDFLARE_API_TOKEN ?? ""))';
  const exec = node(script, '$(id); a b');
  const access = { commands: [lineOf(exec)] };
  await expect(fetched({ exec }, { access, env: { CLOUDFLARE_API_TOKEN: 'token' } })).resolves.toBe(
    '$(id); a b',
  );
  await expect(fetched({ exec: [...exec, 'more'] }, { access })).rejects.toMatchObject({
    code: 'sensitive/not-allowed',
  });
  await expect(fetched({ exec }, { access: { commands: [process.execPath] } })).rejects.toMatchObject({
    code: 'sensitive/not-allowed',
  });
});

test('a command that several variables name runs once', async () => {
  const ran = join(folder, 'ran');
  const exec = node('require("node:fs").appendFileSync(process.argv[1], "."); console.log("one")', ran);
  const cwd = await mkdtemp(join(folder, 'project-'));
  const env = { origin: { from: 'ORIGIN', exec }, partner: { from: 'PARTNER', exec } };
  await writeFile(join(cwd, 'rulewright.yaml'), JSON.stringify({ version: 1, files: ['*.yml'], env }));
  const access = { folders: [], commands: [lineOf(exec)] };
  await expect(withFetchedSecrets({ cwd }, {}, { access })).resolves.toEqual({
    ORIGIN: 'one',
    PARTNER: 'one',
  });
  expect(await readFile(ran, 'utf8')).toBe('.');
});

test.each([
  [node(`console.error("${VALUE}"); console.log("${VALUE}"); process.exit(3)`), 'ended with exit code 3'],
  [node(`console.log("${VALUE}".repeat(10))`), 'wrote more than 100 bytes'],
  [node(''), 'gave nothing'],
  [['rulewright-no-such-program'], 'no such program'],
])('a command that fails: %j', async (exec, message) => {
  const failing = fetched({ exec }, { access: { commands: [lineOf(exec)] } });
  await expect(failing).rejects.toMatchObject({
    code: 'sensitive/not-read',
    message: expect.stringContaining(message),
  });
  await expect(failing).rejects.not.toMatchObject({ message: expect.stringContaining(VALUE) });
});

test('a command that does not end is ended', async () => {
  const exec = node('setInterval(() => {}, 1000)');
  await expect(
    fetched({ exec }, { access: { commands: [lineOf(exec)] }, milliseconds: 50 }),
  ).rejects.toMatchObject({ message: expect.stringContaining('took longer than 0.05 seconds') });
});

test.each(['CLOUDFLARE_BASE_URL', 'no_proxy', 'GITHUB_SERVER_URL', 'CI_API_V4_URL', 'COLUMNS'])(
  'what steers the run itself does not come from a file or a command: %s',
  async (from) => {
    const exec = node(`console.log("${VALUE}")`);
    const refused = { code: 'sensitive/not-allowed', message: expect.stringContaining(from) };
    await expect(fetched({ from, file: 'origin' }, { access: kept() })).rejects.toMatchObject(refused);
    await expect(fetched({ from, exec }, { access: { commands: [lineOf(exec)] } })).rejects.toMatchObject(
      refused,
    );
  },
);

test('what a command says on stderr counts for nothing, however much it is', async () => {
  const exec = node(`console.error("x".repeat(100_000)); console.log("${VALUE}")`);
  await expect(fetched({ exec }, { access: { commands: [lineOf(exec)] } })).resolves.toBe(VALUE);
});

test.skipIf(process.platform === 'win32')('what a command started is ended with it', async () => {
  const noted = join(folder, 'pid');
  const script = `
    const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
    require('node:fs').writeFileSync(${JSON.stringify(noted)}, String(child.pid));
    setInterval(() => {}, 1000);`;
  const exec = node(script);
  await expect(
    fetched({ exec }, { access: { commands: [lineOf(exec)] }, milliseconds: 2000 }),
  ).rejects.toMatchObject({ message: expect.stringContaining('took longer than 2 seconds') });
  const child = Number(await readFile(noted, 'utf8'));
  await expect.poll(() => isRunning(child)).toBe(false);
});

/** Whether a process runs; one that has ended and that nobody asked about does not. */
async function isRunning(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
    return !(await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')).includes(') Z ');
  } catch {
    return false;
  }
}

test('the project is the one that the arguments lead to; a saved plan beside none leads to the one around', async () => {
  const cwd = await mkdtemp(join(folder, 'around-'));
  for (const [name, file] of [
    ['.', 'origin'],
    ['shop', 'deep/origin2'],
  ] as const) {
    await mkdir(join(cwd, name), { recursive: true });
    await writeFile(
      join(cwd, name, 'rulewright.yaml'),
      JSON.stringify({ version: 1, files: ['*.yml'], env: { origin: { from: 'ORIGIN', file } } }),
    );
  }
  await writeFile(join(folder, 'kept', 'deep', 'origin2'), 'of-the-shop');
  const at = async (path: string) => {
    const query = { cwd, paths: [path] };
    return (await withFetchedSecrets(query, {}, { access: { ...kept(), commands: [] } }))['ORIGIN'];
  };
  expect([await at('shop'), await at(join(folder, 'outside'))]).toEqual(['of-the-shop', VALUE]);
});

test('secrets and rules of a run are of the same text of the project file, whatever happens to it meanwhile', async () => {
  const cwd = await mkdtemp(join(folder, 'changed-'));
  const write = (env: object) =>
    writeFile(join(cwd, 'rulewright.yaml'), JSON.stringify({ version: 1, files: ['*.yml'], env }));
  await writeFile(join(cwd, 'a.yml'), 'zone: shop.example\nentrypoints: { http_ratelimit: { rules: [] } }\n');
  await write({ origin: { from: 'ORIGIN', sensitive: true } });
  const heads = new Map();
  const { known } = await sensitiveValues({ cwd, heads }, { ORIGIN: VALUE });
  await write({ origin: { from: 'OTHER', sensitive: true }, nothing: 7 });
  expect(known.map(({ value }) => value)).toEqual([VALUE]);
  expect((await loadProject({ cwd, heads })).kind).toBe('loaded');
  expect((await loadProject({ cwd })).kind).toBe('invalid');
});
