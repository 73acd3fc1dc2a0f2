import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startEmulator } from '../../src/emulator/index.ts';
import { openFaultProxy } from '../apply/fault-proxy.ts';

// What only a process of its own can show. The bundle is made by `npm run build`, which `npm test` begins with.

const MAIN = join(import.meta.dirname, '../../dist/cli/main.js');

/** A program that is interrupted twice when it sends a request, and how it ends. */
async function interruptedTwice(
  isIt: (request: { readonly method: string; readonly path: string }) => boolean,
): Promise<readonly unknown[]> {
  const emulator = await startEmulator({ budget: 'off' });
  const cwd = await mkdtemp(join(tmpdir(), 'rulewright-signals-'));
  let child: ChildProcess | undefined;
  let ended: Promise<readonly unknown[]> | undefined;
  const act = async (): Promise<void> => {
    child?.kill('SIGINT');
    await once(child?.stderr ?? process.stderr, 'data');
    child?.kill('SIGINT');
    await ended;
  };
  const proxy = await openFaultProxy(emulator.baseUrl, (request) =>
    isIt(request) ? { kind: 'kill-before', kill: act } : { kind: 'pass' },
  );
  onTestFinished(async () => {
    child?.kill('SIGKILL');
    await proxy.close();
    await emulator.close();
    await rm(cwd, { recursive: true, force: true });
  });
  await writeFile(join(cwd, 'rulewright.yaml'), 'version: 1\nfiles: [zone.yaml]\n');
  await writeFile(
    join(cwd, 'zone.yaml'),
    'zone: blog.example\nentrypoints: { http_request_firewall_custom: { rules: [{ ref: a, expression: ssl, action: log }] } }\n',
  );
  child = spawn(process.execPath, [MAIN, 'apply', '--yes', '--quiet'], {
    cwd,
    env: { CLOUDFLARE_BASE_URL: proxy.baseUrl, CLOUDFLARE_API_TOKEN: emulator.token },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  ended = once(child, 'exit');
  return ended;
}

describe.skipIf(!existsSync(MAIN))('a process (skipped where dist/cli/main.js is not built)', () => {
  it('that is interrupted twice in a write says by its exit code that something may have been written', async () => {
    expect(await interruptedTwice(({ method }) => method !== 'GET')).toEqual([4, null]);
  });

  it.each(['parse', 'eval'])(
    'that waits for its input ends when it is told to: expression %s',
    async (command) => {
      const child = spawn(process.execPath, [MAIN, 'expression', command], {
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      onTestFinished(() => void child.kill('SIGKILL'));
      const ended = once(child, 'exit');
      child.stdin.write('{"expr": "ssl"}\n');
      await once(child.stdout, 'data');
      child.kill('SIGTERM');
      expect(await ended).toEqual([130, null]);
    },
  );
});
