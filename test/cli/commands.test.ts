import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { reportFailure } from '../../src/cli/report-failure.ts';
import { RulewrightError } from '../../src/model/error.ts';
import { startEmulator } from '../../src/emulator/index.ts';
import { openFaultProxy } from '../apply/campaign/fault-proxy.ts';
import { writeBlogProject } from './blog-project.ts';
import { into, rulewright, unattended } from './in-process.ts';

let cwd = '';

beforeEach(async () => {
  cwd = await realpath(await mkdtemp(join(tmpdir(), 'rulewright-cli-')));
  await writeBlogProject(cwd);
});

afterEach(() => rm(cwd, { recursive: true, force: true }));

describe('plan', () => {
  it('uses colour and rewrites its progress line in a terminal only', async () => {
    const terminal = await rulewright(['plan', '--emulator'], { cwd, tty: true });
    const pipe = await rulewright(['plan', '--emulator', '--quiet'], { cwd });
    expect(terminal.stdout).toContain('\u001b[');
    expect(terminal.stderr).toContain('\r\u001b[2Kreading live state');
    expect(terminal.stderr.endsWith('\r\u001b[2K')).toBe(true);
    expect(pipe.stderr).toBe('');
    expect(pipe.stdout).toBe(stripVTControlCharacters(terminal.stdout));
  });

  it('shows requests with --verbose, on stderr', async () => {
    const { stdout, stderr } = await rulewright(['plan', '--emulator', '--verbose', '--format', 'json'], {
      cwd,
    });
    expect(stderr).toMatch(/^#1 GET \/zones\?name=blog\.example\S* → 200 in \d+ ms, \d+ bytes/m);
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'plan', summary: { rules: { add: 1 } } });
  });

  it('writes the same bytes for the same files and state', async () => {
    const run = () =>
      rulewright(['plan', '--emulator', '--format', 'json', '--output', 'plan.json'], { cwd });
    await run();
    const first = await readFile(join(cwd, 'plan.json'), 'utf8');
    await run();
    expect(await readFile(join(cwd, 'plan.json'), 'utf8')).toBe(first);
    expect(first.endsWith('}\n')).toBe(true);
  });

  it('exits with 130 when it is interrupted', async () => {
    const { code, stdout, stderr } = await rulewright(['plan', '--emulator'], {
      cwd,
      signal: AbortSignal.abort(),
    });
    expect([code, stdout]).toEqual([130, '']);
    expect(stderr).toContain('Interrupted.');
  });

  it('fails with output/not-written when the result cannot be written', async () => {
    const { code, stderr } = await rulewright(['plan', '--emulator', '--output', 'zone.yaml/x'], { cwd });
    expect(code).toBe(1);
    expect(stderr).toContain('error output/not-written');
  });
});

describe('an interruption', () => {
  it.each(['validate', 'validate --fix', 'validate --expand', 'test', 'explain /'])(
    'exits %s with 130 and no output',
    async (line) => {
      const ended = await rulewright(line.split(' '), { cwd, signal: AbortSignal.abort() });
      expect([ended.code, ended.stdout]).toEqual([130, '']);
    },
  );

  it('during a question exits apply with 130, without a result or a write', async () => {
    const interruption = new AbortController();
    const answer = (): boolean => {
      interruption.abort();
      return false;
    };
    const argv = ['apply', '--emulator', '--quiet', '--format', 'json'];
    const ended = await rulewright(argv, { cwd, answer, signal: interruption.signal });
    expect([ended.code, ended.stdout]).toEqual([130, '']);
    expect(ended.stderr).toMatch(/\nInterrupted\. Nothing was written\.\n$/);
    expect((await rulewright(['plan', '--emulator', '--exit-code'], { cwd })).code).toBe(2);
  });

  it('just after the answer exits apply with 130, without a result file or a message about one', async () => {
    const interruption = new AbortController();
    const answer = (): boolean => {
      interruption.abort();
      return true;
    };
    const argv = ['apply', '--emulator', '--format', 'json', '--output', 'result.json'];
    const ended = await rulewright(argv, { cwd, answer, signal: interruption.signal });
    expect([ended.code, ended.stdout]).toEqual([130, '']);
    expect(ended.stderr).not.toContain('result.json');
    expect(ended.stderr).toMatch(/Interrupted\. Nothing was written\.\n$/);
  });

  it('during a preflight exits plan with 130', async () => {
    const emulator = await startEmulator({ budget: 'off' });
    const interruption = new AbortController();
    const proxy = await openFaultProxy(emulator.baseUrl, ({ method }) =>
      method === 'GET'
        ? { kind: 'pass' }
        : { kind: 'kill-before', kill: () => Promise.resolve(interruption.abort()) },
    );
    const env = { CLOUDFLARE_BASE_URL: proxy.baseUrl, CLOUDFLARE_API_TOKEN: emulator.token };
    const ended = await rulewright(['plan', '--preflight'], { cwd, env, signal: interruption.signal });
    await proxy.close();
    await emulator.close();
    expect([ended.code, ended.stdout]).toEqual([130, '']);
  });
});

describe('apply', () => {
  it('exits with 130 and writes nothing when it is interrupted before the first write', async () => {
    const { code } = await rulewright(['apply', '--yes', '--emulator'], { cwd, signal: AbortSignal.abort() });
    expect(code).toBe(130);
    expect((await rulewright(['plan', '--emulator', '--exit-code'], { cwd })).code).toBe(2);
  });

  it('asks once, and not in a dry run', async () => {
    const dry = await rulewright(['apply', '--dry-run', '--emulator'], { cwd, answer: true });
    const real = await rulewright(['apply', '--emulator'], { cwd, answer: true });
    expect(dry.questions).toEqual([]);
    expect(real.questions).toEqual(['Apply this plan to the embedded service? Type "yes" to confirm: ']);
    expect((await rulewright(['plan', '--emulator', '--exit-code'], { cwd })).code).toBe(0);
  });
});

describe('apply --format json', () => {
  it('shows the plan on stderr before it asks', async () => {
    const argv = ['apply', '--emulator', '--format', 'json'];
    const asked = await rulewright(argv, { cwd, answer: false });
    expect(asked.questions).toHaveLength(1);
    expect(asked.stderr).toContain('+ no-xmlrpc');
    expect(JSON.parse(asked.stdout)).toMatchObject({ kind: 'error', error: { code: 'confirm/declined' } });
    const told = await rulewright([...argv, '--yes'], { cwd, answer: true });
    expect(told.stderr).not.toContain('+ no-xmlrpc');
  });
});

describe('emulator', () => {
  it('prints its URL, answers and logs requests, and exits with 0 when it is interrupted', async () => {
    const interruption = new AbortController();
    let told: (line: string) => void = () => undefined;
    const firstLine = new Promise<string>((resolve) => {
      told = resolve;
    });
    const ended = rulewright(['emulator', '--format', 'json'], {
      cwd,
      signal: interruption.signal,
      onStdout: told,
    });
    const { baseUrl, token } = JSON.parse(await firstLine) as { baseUrl: string; token: string };
    const response = await fetch(`${baseUrl}/zones`, { headers: { authorization: `Bearer ${token}` } });
    expect(response.status).toBe(200);
    interruption.abort();
    const { code, stdout, stderr } = await ended;
    expect(code).toBe(0);
    expect(stdout.split('\n')).toHaveLength(2);
    expect(stderr).toContain('200 GET    /client/v4/zones\n');
    await expect(fetch(`${baseUrl}/zones`)).rejects.toThrow('fetch failed');
  });

  it('fails without calling it a bug when the port is in use', async () => {
    const other = createServer();
    await new Promise<void>((listening) => {
      other.listen(0, '127.0.0.1', listening);
    });
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const { code, stderr } = await rulewright(['emulator', '--port', String(port)], { cwd });
    other.close();
    expect(code).toBe(1);
    expect(stderr).toMatch(/EADDRINUSE|in use/i);
    expect(stderr).not.toContain('bug in rulewright');
  });
});

describe('schema', () => {
  it('lists the schema names, prints a schema, and writes it to a file', async () => {
    const names = (await rulewright(['schema'], { cwd })).stdout;
    const { stdout } = await rulewright(['schema', 'zone'], { cwd });
    const { stderr } = await rulewright(['schema', 'zone', '--output', 'zone.schema.json'], { cwd });
    expect(names.split('\n')).toEqual(expect.arrayContaining(['project', 'zone', 'plan']));
    expect(JSON.parse(stdout)).toHaveProperty('$schema');
    expect(stderr).toBe('wrote zone.schema.json\n');
    expect(await readFile(join(cwd, 'zone.schema.json'), 'utf8')).toBe(stdout);
  });
});

describe('reportFailure', () => {
  async function report(
    error: unknown,
    flags: { verbose?: boolean; format?: 'json' },
  ): Promise<readonly [number, string, string]> {
    let stdout = '';
    let stderr = '';
    const code = await reportFailure(
      unattended({
        stdout: into((text) => (stdout += text)),
        stderr: into((text) => (stderr += text)),
        cwd,
      }),
      flags,
      error,
    );
    return [code, stdout, stderr];
  }

  it('prints a bug as one line with the request to report it, and no stack', async () => {
    const [code, stdout, stderr] = await report(new TypeError('x is not a function'), {});
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('error bug/unexpected\n  TypeError: x is not a function\n');
    expect(stderr).toContain('report');
    expect(stderr).not.toContain('    at ');
  });

  it('prints the stack and the cause of a bug with --verbose', async () => {
    const [, , stderr] = await report(new Error('outer', { cause: new Error('inner') }), { verbose: true });
    expect(stderr).toContain('    at ');
    expect(stderr).toContain('caused by Error: inner');
  });

  it('prints one JSON value with --format json', async () => {
    const [, stdout] = await report('thrown text', { format: 'json' });
    expect(JSON.parse(stdout)).toEqual({
      kind: 'error',
      formatVersion: 1,
      error: { code: 'bug/unexpected', message: 'thrown text' },
    });
  });

  it('prints errors of the system and of the user without the request to report them', async () => {
    const system = Object.assign(new Error('EACCES: no'), { code: 'EACCES', syscall: 'open' });
    expect((await report(system, {}))[2]).toBe('error system/eacces\n  EACCES: no\n');
    const user = new RulewrightError('nope', { code: 'usage/invalid', fault: 'user', hint: 'do this' });
    expect(await report(user, {})).toEqual([64, '', 'error usage/invalid\n  nope\n  hint: do this\n']);
  });
});
