import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { writeBlogProject } from './blog-project.ts';

// Behaviour that only a separate process can show. `npm test` builds the bundle first.

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

async function run(argv: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [MAIN, ...argv], { stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (data: Buffer) => (stdout += data.toString()));
  child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
  const [code] = (await once(child, 'close')) as [number];
  return { code, stdout, stderr };
}

/** A project with a rule that the embedded service does not have. */
async function projectWithDifference(): Promise<string> {
  const cwd = await mkdtemp(join(tmpdir(), 'rulewright-built-'));
  await writeBlogProject(cwd);
  return cwd;
}

describe.skipIf(!existsSync(MAIN))('the bundle (skipped if dist/cli/main.js is not built)', () => {
  it('exits with 0 for a valid command, and with 64 for an unknown one', async () => {
    expect(await run(['version'])).toMatchObject({ code: 0, stderr: '' });
    expect(await run(['pln'])).toMatchObject({ code: 64, stdout: '' });
  });

  it('finds its schemas', async () => {
    expect((await run(['schema', 'zone'])).stdout).toContain('"$schema"');
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('exits the emulator command with 0 on %s', async (signal) => {
    const child = spawn(process.execPath, [MAIN, 'emulator', '--format', 'json'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const ended = once(child, 'exit');
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    expect(JSON.parse(line)).toMatchObject({ baseUrl: expect.stringContaining('http://127.0.0.1:') });
    child.kill(signal);
    expect(await ended).toEqual([0, null]);
  });

  it.each(['stdout', 'stderr'] as const)(
    'completes an apply, and keeps the exit code of a refused one, when the reader of %s goes away',
    async (gone) => {
      const cwd = await projectWithDifference();
      const child = spawn(process.execPath, [MAIN, 'apply', '--emulator', '--yes'], {
        cwd,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      child[gone].destroy();
      child[gone === 'stdout' ? 'stderr' : 'stdout'].resume();
      expect(await once(child, 'close')).toEqual([0, null]);
      const look = spawn(process.execPath, [MAIN, 'plan', '--emulator', '--exit-code'], {
        cwd,
        stdio: 'ignore',
      });
      expect(await once(look, 'close')).toEqual([0, null]);
      const refused = spawn(process.execPath, [MAIN, 'apply', 'nothing-here', '--emulator', '--yes'], {
        cwd,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      refused.stdout.destroy();
      refused.stderr.destroy();
      expect(await once(refused, 'close')).toEqual([1, null]);
      await rm(cwd, { recursive: true });
    },
  );

  it.each([
    ['drift', 'stdout'],
    ['drift', 'stderr'],
    ['plan --exit-code', 'stdout'],
    ['plan --exit-code --format json', 'stdout'],
  ] as const)('exits %s with 2 for a difference when the reader of %s goes away', async (words, gone) => {
    const cwd = await projectWithDifference();
    const child = spawn(process.execPath, [MAIN, ...words.split(' '), '--emulator'], {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child[gone].destroy();
    child[gone === 'stdout' ? 'stderr' : 'stdout'].resume();
    expect(await once(child, 'close')).toEqual([2, null]);
    await rm(cwd, { recursive: true });
  });

  it('exits schema with 0 and no message when the reader of stdout goes away', async () => {
    const child = spawn(process.execPath, [MAIN, 'schema', 'zone'], { stdio: ['ignore', 'pipe', 'pipe'] });
    let stderr = '';
    child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
    child.stdout.destroy();
    const [code] = (await once(child, 'close')) as [number];
    expect([code, stderr]).toEqual([0, '']);
  });
});
