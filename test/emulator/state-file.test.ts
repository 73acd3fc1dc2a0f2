import { createHash } from 'node:crypto';
import { execFile, execFileSync, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { startEmulator } from '../../src/emulator/index.ts';
import { api, blockRule, entryPoint, shop, startBench } from './bench.ts';

const CUSTOM = 'http_request_firewall_custom';
let folder = '';
let stateFile = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'emulator-state-'));
  stateFile = join(folder, 'state.json');
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('a state file', () => {
  test('is created from the seed on start and carries the state to the next start', async () => {
    const first = await startBench({ stateFile });
    expect((await readFile(stateFile, 'utf8')).length).toBeGreaterThan(1000);
    for (const ref of ['a', 'b', 'c']) {
      await first.ok('PUT', entryPoint(api, CUSTOM), {
        rules: [blockRule({ ref }), blockRule({ ref: 'kept' })],
      });
    }
    const second = await startBench({ stateFile });
    expect(second.service.store.content()).toEqual(first.service.store.content());
    const path = `${entryPoint(api, CUSTOM)}/versions/10`;
    expect(await second.ok('GET', path)).toEqual(await first.ok('GET', path));
    expect(await second.ok('PUT', entryPoint(api, CUSTOM), { rules: [] })).toMatchObject({ version: '13' });
  });

  test('holds a change by the time it is answered', async () => {
    const bench = await startBench({ stateFile });
    const made = await bench.ok('PUT', entryPoint(shop, 'http_request_origin'), { rules: [] });
    expect(await readFile(stateFile, 'utf8')).toContain(made.id);
  });

  test('is refused without waiting if it is a pipe', async () => {
    execFileSync('mkfifo', [stateFile]);
    await expect(startBench({ stateFile })).rejects.toThrow(
      `the state file ${stateFile} is not a regular file`,
    );
  });

  test('is left alone by reads, refusals and dry runs', async () => {
    const bench = await startBench({ stateFile });
    await writeFile(stateFile, 'untouched');
    await bench.call('GET', '/zones');
    await bench.call('PUT', entryPoint(api, CUSTOM), { kind: 'zone' });
    await bench.call('PUT', `${entryPoint(api, CUSTOM)}?dry_run=true`, { rules: [] });
    expect(await readFile(stateFile, 'utf8')).toBe('untouched');
  });

  test('holds every one of many concurrent writes, in order', async () => {
    const bench = await startBench({ stateFile });
    const { id } = await bench.ok('PUT', entryPoint(api, CUSTOM), { rules: [] });
    const refs = Array.from({ length: 30 }, (_, index) => `r${index}`);
    await Promise.all(refs.map((ref) => bench.ok('POST', `${api}/rulesets/${id}/rules`, blockRule({ ref }))));
    const again = await startBench({ stateFile });
    const ruleset = await again.ok('GET', entryPoint(api, CUSTOM));
    expect(ruleset.rules?.map((rule) => rule.ref)).toEqual(refs);
    expect(await readdir(folder)).toEqual(['state.json']);
  });

  test('returns to the seed on reset', async () => {
    const bench = await startBench({ stateFile });
    const fresh = await readFile(stateFile, 'utf8');
    await bench.ok('PUT', entryPoint(api, CUSTOM), { rules: [] });
    expect(await readFile(stateFile, 'utf8')).not.toBe(fresh);
    await bench.control('POST', '/reset');
    expect(await readFile(stateFile, 'utf8')).toBe(fresh);
  });

  test('of version 1 is read: its objects are where those of today are', async () => {
    const bench = await startBench();
    const content = bench.service.store.content();
    const [account, user, zone] = [content.accounts, content.users, content.zones].map((all) => all[0]?.id);
    const body = { mode: 'block', configuration: { target: 'ip', value: '192.0.2.1' }, notes: '' };
    const zoneObjects = [account, user, zone].map((owner, index) => ({
      id: String(index).repeat(32),
      zone: owner,
      family: 'access_rules',
      body,
    }));
    const packed = JSON.stringify({ ...content, documents: [], rulesets: [], zoneObjects });
    const digest = createHash('sha256').update(packed).digest('hex');
    const head = { format: 'rulewright-emulator-state', version: 1, digest };
    await writeFile(stateFile, `${JSON.stringify(head)}\n${packed}\n`);
    const again = await startBench({ stateFile });
    for (const [index, owner] of [`/accounts/${account}`, '/user', `/zones/${zone}`].entries()) {
      const id = String(index).repeat(32);
      expect(await again.ok('GET', `${owner}/firewall/access_rules/rules`)).toEqual([{ id, ...body }]);
    }
  });

  test('stores a rule once, however many versions hold it', async () => {
    const bench = await startBench({ stateFile });
    const { id } = await bench.ok('PUT', entryPoint(api, CUSTOM), {
      rules: [blockRule({ ref: 'only-once' })],
    });
    for (let count = 0; count < 5; count += 1) {
      await bench.ok('PUT', `${api}/rulesets/${id}`, { description: `version ${count}` });
    }
    expect((await readFile(stateFile, 'utf8')).split('only-once')).toHaveLength(2);
  });
});

describe('a state file that cannot be used', () => {
  const start = () => startBench({ stateFile });

  test.each([
    ['empty', () => ''],
    ['cut in the first line', (text: string) => text.slice(0, 40)],
    ['cut in the content', (text: string) => text.slice(0, -200)],
    ['changed in one character', (text: string) => text.replace('shop.example', 'shop.exemple')],
    ['some other JSON', () => '{"a": 1}'],
    ['not JSON', () => 'state: 1'],
  ])('%s: the error names the file, and the file is left as it is', async (_, damage) => {
    await start();
    const damaged = damage(await readFile(stateFile, 'utf8'));
    await writeFile(stateFile, damaged);
    await expect(start()).rejects.toThrow(stateFile);
    await expect(start()).rejects.toThrow(/damaged/u);
    expect(await readFile(stateFile, 'utf8')).toBe(damaged);
  });

  test('of another version: the error names both versions', async () => {
    await start();
    const text = await readFile(stateFile, 'utf8');
    await writeFile(stateFile, text.replace('"version":2', '"version":7'));
    await expect(start()).rejects.toThrow(/has version 7, this emulator reads version 2/u);
  });

  test('a folder in its place: the error names it', async () => {
    await expect(startBench({ stateFile: folder })).rejects.toThrow(folder);
  });
});

describe('a seed file', () => {
  test('is read, or refused with its path if it is missing or not JSON', async () => {
    const seed = join(folder, 'seed.json');
    await expect(startBench({ seed })).rejects.toThrow(seed);
    await writeFile(seed, '{');
    await expect(startBench({ seed })).rejects.toThrow(`${seed} is not JSON`);
    await writeFile(seed, JSON.stringify({ version: 1, accounts: [{ name: 'From a file' }] }));
    const bench = await startBench({ seed });
    expect(await bench.ok('GET', '/accounts')).toMatchObject([{ name: 'From a file' }]);
  });

  test('is refused without waiting if it is a pipe', async () => {
    const seed = join(folder, 'pipe');
    execFileSync('mkfifo', [seed]);
    await expect(startBench({ seed })).rejects.toThrow(`the seed file ${seed} is not a regular file`);
  });
});

describe('startEmulator', () => {
  test('answers on a port of its own until it is closed', async () => {
    const emulator = await startEmulator({ stateFile });
    expect(emulator.baseUrl).toBe(`http://127.0.0.1:${emulator.port}/client/v4`);
    const headers = { authorization: `Bearer ${emulator.token}` };
    expect((await fetch(`${emulator.baseUrl}/zones`, { headers })).status).toBe(200);
    expect((await fetch(`${emulator.controlUrl}/requests`)).status).toBe(200);
    await emulator.close();
    await expect(fetch(`${emulator.baseUrl}/zones`, { headers })).rejects.toThrow('fetch failed');
  });

  test('fails when the port is taken', async () => {
    const emulator = await startEmulator();
    try {
      await expect(startEmulator({ port: emulator.port })).rejects.toThrow(/EADDRINUSE/u);
    } finally {
      await emulator.close();
    }
  });
});

describe('a kill at any moment', () => {
  // Type stripping is not in every Node that we run on, so the child runs a bundle.
  const source = `
    import { startEmulator } from ${JSON.stringify(new URL('../../src/emulator/index.ts', import.meta.url).pathname)};
    const emulator = await startEmulator({ stateFile: process.argv[2], budget: 'off' });
    const headers = { authorization: 'Bearer ' + emulator.token, 'content-type': 'application/json' };
    const url = emulator.baseUrl + process.argv[3];
    for (let count = 0; ; count += 1) {
      const rules = Array.from({ length: 20 }, (_, index) => ({
        action: 'block', expression: 'ssl', ref: 'r' + index, description: 'write ' + count,
      }));
      const response = await fetch(url, { method: 'PUT', headers, body: JSON.stringify({ rules }) });
      const { result } = await response.json();
      process.stdout.write(result.version + '\\n');
    }
  `;

  test('leaves a state file with every write that was answered', async () => {
    const entry = join(folder, 'child.mjs');
    const bundle = join(folder, 'bundle.mjs');
    await writeFile(entry, source);
    const rolldown = new URL('../../node_modules/.bin/rolldown', import.meta.url).pathname;
    // As in the build: a module has no __filename, by which temporary files are named.
    const define = ['--transform.define', '__filename:import.meta.filename'];
    const options = ['--file', bundle, '--no-codeSplitting', '--platform', 'node', ...define];
    await promisify(execFile)(rolldown, [entry, ...options], {
      cwd: new URL('../..', import.meta.url).pathname,
    });
    for (let round = 0; round < 5; round += 1) {
      const answered = await runAndKill(bundle, 3 + round * 4);
      const bench = await startBench({ stateFile });
      const ruleset = await bench.ok('GET', entryPoint(api, CUSTOM));
      expect(Number(ruleset.version)).toBeGreaterThanOrEqual(answered);
      expect(Number(ruleset.version)).toBeLessThanOrEqual(answered + 1);
      const texts = new Set(ruleset.rules?.map((rule) => rule.description));
      expect(ruleset.rules).toHaveLength(20);
      expect(texts.size).toBe(1);
    }
  });

  /** Kills the child once it has printed as many versions as `answers` says; resolves to the last one printed. */
  function runAndKill(bundle: string, answers: number): Promise<number> {
    return new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [bundle, stateFile, entryPoint(api, CUSTOM)]);
      let told = '';
      let failure = '';
      child.stdout.on('data', (chunk: Buffer) => {
        told += chunk.toString();
        if (told.split('\n').length > answers) {
          child.kill('SIGKILL');
        }
      });
      child.stderr.on('data', (chunk: Buffer) => {
        failure += chunk.toString();
      });
      child.on('error', reject);
      child.on('close', () => {
        // Whatever follows the last line break was cut off by the kill.
        const last = told.split('\n').at(-2);
        if (last === undefined) {
          reject(new Error(failure));
        } else {
          resolve(Number(last));
        }
      });
    });
  }
});
