import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyExample } from '../copy-project.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..', '..');
const CLI = join(ROOT, 'dist', 'cli', 'main.js');
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rulewright-bundle-'));
  await copyExample('first', folder);
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs the bundle as it is shipped in a separate process; `npm test` builds it first. */
async function rulewright(
  ...args: readonly string[]
): Promise<{ code: number; stdout: string; stderr: string }> {
  try {
    const { stdout, stderr } = await run(process.execPath, [CLI, ...args], {
      cwd: folder,
      env: { PATH: process.env['PATH'] },
    });
    return { code: 0, stdout, stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, stdout, stderr };
  }
}

describe('the bundled command line', () => {
  it('runs the commands of the README, and keeps the state of the embedded service between them', async () => {
    expect(await rulewright('validate')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Valid: 2 rules'),
    });
    expect(await rulewright('plan', '--emulator', '--exit-code')).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('1 to add, 1 to patch'),
    });
    expect(await rulewright('apply', '--emulator', '--yes')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Applied.'),
    });
    expect(await rulewright('plan', '--emulator', '--exit-code')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('No changes.'),
    });
    expect(await rulewright('drift', '--emulator')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('No drift.'),
    });
  });

  it('prints schemas from its package', async () => {
    const { stdout } = await rulewright('schema', 'plan');
    expect(JSON.parse(stdout)).toMatchObject({ title: 'Rulewright plan' });
  });
});
