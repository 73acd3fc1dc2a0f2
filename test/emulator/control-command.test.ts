import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { rulewright } from '../cli/in-process.ts';

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'emulator-command-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** Runs `rulewright emulator`, passes its first output to `work`, and interrupts it afterwards. */
async function whileRunning(argv: readonly string[], cwd: string, work: (told: string) => Promise<void>) {
  const interruption = new AbortController();
  let tell: (text: string) => void = () => undefined;
  const told = new Promise<string>((resolve) => {
    tell = resolve;
  });
  const ended = rulewright(['emulator', ...argv], { cwd, signal: interruption.signal, onStdout: tell });
  await work(await Promise.race([told, ended.then(({ stderr }) => Promise.reject(new Error(stderr)))]));
  interruption.abort();
  return ended;
}

describe('rulewright emulator', () => {
  test('prints how to point a client at it, and where its page is', async () => {
    const cwd = await folder();
    const { stdout } = await whileRunning([], cwd, async (told) => {
      const page = /http:\/\/127\.0\.0\.1:\d+\/_emulator\//u.exec(told)?.[0] ?? '';
      const response = await fetch(page);
      expect([response.status, response.headers.get('content-type')]).toEqual([
        200,
        'text/html; charset=UTF-8',
      ]);
    });
    expect(stdout).toMatch(/export CLOUDFLARE_BASE_URL=http:\/\/127\.0\.0\.1:\d+\/client\/v4\n/u);
    expect(stdout).toContain('export CLOUDFLARE_API_TOKEN=');
    expect(stdout).toContain(
      'curl -H "Authorization: Bearer $CLOUDFLARE_API_TOKEN" $CLOUDFLARE_BASE_URL/zones',
    );
  });

  test('injects the faults of a file, and logs the requests that they struck', async () => {
    const cwd = await folder();
    await writeFile(
      join(cwd, 'faults.yaml'),
      'faults:\n  - { name: lost, path: /zones, nth: 1, effect: { kind: cut } }\n  - { name: down, path: /accounts, effect: { kind: error, status: 503 } }\n',
    );
    const { code, stderr } = await whileRunning(
      ['--faults', 'faults.yaml', '--format', 'json'],
      cwd,
      async (told) => {
        const { baseUrl, token, pageUrl } = JSON.parse(told) as {
          baseUrl: string;
          token: string;
          pageUrl: string;
        };
        const headers = { authorization: `Bearer ${token}` };
        await expect(fetch(`${baseUrl}/zones`, { headers })).rejects.toThrow('fetch failed');
        expect((await fetch(`${baseUrl}/accounts`, { headers })).status).toBe(503);
        expect((await fetch(pageUrl)).status).toBe(200);
      },
    );
    expect(code).toBe(0);
    expect(stderr).toContain('cut GET    /client/v4/zones  fault: lost\n');
    expect(stderr).toContain('503 GET    /client/v4/accounts  fault: down\n');
  });

  test.each([
    [
      '--faults',
      'faults.yaml',
      'faults:\n  - effect: { kind: melt }\n',
      '/faults/0/effect/kind: expected one of',
    ],
    ['--faults', 'faults.yaml', 'faults: [', 'is not YAML'],
    ['--seed', 'seed.json', '{"version": 1}', 'seed'],
    ['--state', 'state.json', 'x', 'state.json is not a state file'],
  ])(
    '%s %s that cannot be used is reported as an error of the user, with the reason',
    async (flag, name, text, says) => {
      const cwd = await folder();
      await writeFile(join(cwd, name), text);
      const { code, stderr } = await rulewright(['emulator', flag, name], { cwd });
      expect(code).toBe(1);
      expect(stderr).toContain('error app/emulator');
      expect(stderr.replaceAll(/\s+/gu, ' ')).toContain(says);
      expect(stderr).not.toContain('bug/');
    },
  );

  test('a state file that another emulator holds is refused with the process id of that emulator', async () => {
    const cwd = await folder();
    await whileRunning(['--state', 'state.json'], cwd, async () => {
      const { code, stderr } = await rulewright(['emulator', '--state', 'state.json'], { cwd });
      expect(code).toBe(1);
      expect(stderr.replaceAll(/\s+/gu, ' ')).toContain(`process id ${process.pid}`);
    });
  });
});
