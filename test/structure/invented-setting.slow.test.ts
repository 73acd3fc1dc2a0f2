import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const run = promisify(execFile);

/** Its one row, and the one that the embedded service has of its own. */
const ROW = `  zone('teleport_guard', words(['off', 'some', 'all'], { says: 'Who is asked.', standard: 'off', of: 'peace' })),\n`;
const ITS_OWN_ROW = `  teleport_guard: oneOf('off', 'some', 'all'),\n`;

let tree: string;
let project: string;

beforeAll(async () => {
  tree = await mkdtemp(join(tmpdir(), 'invented-setting-'));
  for (const name of ['src', 'schemas', 'scripts', 'docs', 'package.json', 'CHANGELOG.md']) {
    await cp(name, join(tree, name), { recursive: true });
  }
  await symlink(resolve('node_modules'), join(tree, 'node_modules'));
  await insert('src/model/settings.ts', ROW, "  offOn('websockets',");
  await insert('src/emulator/families/setting-rows.ts', ITS_OWN_ROW, '  true_client_ip_header: off,');
  await run(process.execPath, ['scripts/generate.mjs'], { cwd: tree });
  await run(process.execPath, ['scripts/build.mjs', '--quiet'], { cwd: tree });
  project = join(tree, 'project');
  await mkdir(project);
  await writeFile(join(project, 'rulewright.yaml'), 'version: 1\nfiles: [shop.yaml]\n');
});

afterAll(() => rm(tree, { recursive: true, force: true }));

async function insert(path: string, row: string, before: string): Promise<void> {
  const text = await readFile(join(tree, path), 'utf8');
  expect(text.split(before)).toHaveLength(2);
  await writeFile(
    join(tree, path),
    text.replace(before, () => row + before),
  );
}

/** Runs a command in the project; returns what it says. */
async function rulewright(...args: readonly string[]): Promise<string> {
  const main = join(tree, 'dist/cli/main.js');
  const env = { PATH: process.env['PATH'], NO_COLOR: '1' };
  const { stdout, stderr } = await run(process.execPath, [main, ...args], { cwd: project, env }).catch(
    (failed: { stdout: string; stderr: string }) => failed,
  );
  return `${stdout}${stderr}`;
}

function declare(value: string): Promise<void> {
  return writeFile(
    join(project, 'shop.yaml'),
    `zone: shop.example\nsettings: { zone: { teleport_guard: ${value} } }\n`,
  );
}

test('a setting that was added as a row is checked, planned, judged, applied and completed', async () => {
  await declare('many');
  expect(await rulewright('validate')).toContain('teleport_guard');
  await declare('all');
  expect(await rulewright('plan', '--emulator')).toContain('more peace (zone.teleport_guard off → all)');
  expect(await rulewright('apply', '--emulator', '--yes')).toContain('setting:teleport_guard');
  expect(await rulewright('plan', '--emulator')).toContain('No changes');
  expect(await rulewright('schema', 'zone')).toContain('teleport_guard');
  await declare('some');
  expect(await rulewright('plan', '--emulator')).toContain('less peace (zone.teleport_guard all → some)');
});
