import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startEmulator } from '../../src/emulator/index.ts';
import { openFaultProxy } from '../apply/campaign/fault-proxy.ts';

// Behaviour that only a separate process can show. `npm test` builds the bundle first.

const MAIN = join(import.meta.dirname, '../../dist/cli/main.js');

/** The exit code and signal of an apply that is interrupted twice while it sends a write. */
async function interruptedTwice(): Promise<readonly unknown[]> {
  const emulator = await startEmulator({ budget: 'off' });
  const cwd = await mkdtemp(join(tmpdir(), 'rulewright-signals-'));
  const requests = new EventEmitter();
  const proxy = await openFaultProxy(emulator.baseUrl, ({ method }) =>
    method === 'GET'
      ? { kind: 'pass' }
      : { kind: 'kill-before', kill: () => Promise.resolve(requests.emit('write')) },
  );
  await writeFile(join(cwd, 'rulewright.yaml'), 'version: 1\nfiles: [zone.yaml]\n');
  await writeFile(
    join(cwd, 'zone.yaml'),
    'zone: blog.example\nentrypoints: { http_request_firewall_custom: { rules: [{ ref: a, expression: ssl, action: block }] } }\n',
  );
  const child = spawn(process.execPath, [MAIN, 'apply', '--yes', '--quiet'], {
    cwd,
    env: { CLOUDFLARE_BASE_URL: proxy.baseUrl, CLOUDFLARE_API_TOKEN: emulator.token },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await proxy.close();
    await emulator.close();
    await rm(cwd, { recursive: true, force: true });
  });
  const ended = once(child, 'exit');
  await once(requests, 'write');
  child.kill('SIGINT');
  await once(child.stderr, 'data');
  child.kill('SIGINT');
  return ended;
}

/** A zone file whose plan is larger than the buffer of a pipe. */
function manyRules(): string {
  const rules = Array.from(
    { length: 2000 },
    (_, index) => `      - { ref: r${index}, expression: http.host eq "h${index}.example", action: log }`,
  );
  return [
    'zone: shop.example',
    'entrypoints:',
    '  http_request_firewall_custom:',
    '    rules:',
    ...rules,
    '',
  ].join('\n');
}

describe.skipIf(!existsSync(MAIN))('a process (skipped if dist/cli/main.js is not built)', () => {
  it('exits with 4 when it is interrupted twice during a write, because the write may have landed', async () => {
    expect(await interruptedTwice()).toEqual([4, null]);
  });

  it('writes its metrics when the reader of stdout goes away', async () => {
    const cwd = await mkdtemp(join(tmpdir(), 'rulewright-signals-'));
    onTestFinished(() => rm(cwd, { recursive: true, force: true }));
    await writeFile(join(cwd, 'rulewright.yaml'), 'version: 1\nfiles: [zone.yaml]\n');
    await writeFile(join(cwd, 'zone.yaml'), manyRules());
    const child = spawn(process.execPath, [MAIN, 'plan', '--emulator', '--metrics', 'run.prom'], {
      cwd,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const ended = once(child, 'exit');
    await once(child.stdout, 'data');
    child.stdout.destroy();
    expect(await ended).toEqual([0, null]);
    expect(await readFile(join(cwd, 'run.prom'), 'utf8')).toMatch(/^rulewright_exit_code\S* 0$/m);
  });

  it.each(['parse', 'eval'])(
    'that waits for input exits with 130 on SIGTERM: expression %s',
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
