import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { switchValues, defaultSwitches } from '../../src/emulator/environment/switches.ts';
import { startEmulator } from '../../src/emulator/index.ts';
import { ownIdentity } from '../../src/files/lock-file.ts';
import { account, api, blockRule, entryPoint, shop, startBench } from './bench.ts';

const CUSTOM = 'http_request_firewall_custom';

describe('snapshots', () => {
  test('keep a state under a name, which can be restored any number of times', async () => {
    const bench = await startBench();
    const path = entryPoint(api, CUSTOM);
    expect((await bench.control('POST', '/snapshot', { name: 'before' })).status).toBe(200);
    const before = await bench.ok('GET', path);
    await bench.ok('PUT', path, { rules: [blockRule()] });
    await bench.control('POST', '/snapshot', { name: 'after' });
    const after = await bench.ok('GET', path);
    for (const [name, expected] of [
      ['before', before],
      ['after', after],
      ['before', before],
    ] as const) {
      expect((await bench.control('POST', '/restore', { name })).status).toBe(200);
      expect(await bench.ok('GET', path)).toEqual(expected);
    }
    expect(await (await bench.control('GET', '/snapshots')).json()).toEqual(['before', 'after']);
    expect((await bench.ok('PUT', path, { rules: [] })).version).toBe('10');
  });

  test('an unknown or missing name is refused, and the state stays', async () => {
    const bench = await startBench();
    const before = bench.service.store.content();
    expect((await bench.control('POST', '/restore', { name: 'nobody' })).status).toBe(404);
    for (const body of [undefined, {}, { name: '' }, { name: 1 }, []]) {
      expect((await bench.control('POST', '/restore', body)).status).toBe(400);
      expect((await bench.control('POST', '/snapshot', body)).status).toBe(400);
    }
    expect(bench.service.store.content()).toEqual(before);
  });
});

describe('switches', () => {
  test('are shown and changed while the service runs, and a reset restores the initial ones', async () => {
    const bench = await startBench({ switches: { emptyRules: 'list' } });
    expect(await (await bench.control('GET', '/switches')).json()).toEqual({
      ...defaultSwitches,
      emptyRules: 'list',
    });
    const path = entryPoint(api, 'http_request_transform');
    expect((await bench.ok('GET', path)).rules).toEqual([]);
    const changed = await bench.control('PUT', '/switches', { emptyRules: 'absent' });
    expect(await changed.json()).toMatchObject({ emptyRules: 'absent' });
    expect(await bench.ok('GET', path)).not.toHaveProperty('rules');
    await bench.control('POST', '/reset');
    expect((await bench.ok('GET', path)).rules).toEqual([]);
  });

  test('a changed switch applies to rulesets that were rendered before', async () => {
    const bench = await startBench();
    const path = entryPoint(shop, 'http_request_firewall_managed');
    expect((await bench.ok('GET', path)).rules?.[0]?.action_parameters).not.toHaveProperty('version');
    await bench.control('PUT', '/switches', { executeVersion: 'latest' });
    expect((await bench.ok('GET', path)).rules?.[0]?.action_parameters).toMatchObject({ version: 'latest' });
  });

  test.each([
    [{ dryRun: 'sometimes' }, 'dryRun must be one of honoured, ignored'],
    [{ colour: 'red' }, 'no switch is called colour'],
    [[], 'expected an object'],
    [undefined, 'expected an object'],
  ])('%j is refused and changes no switch', async (wish, says) => {
    const bench = await startBench();
    const response = await bench.control('PUT', '/switches', wish);
    expect(response.status).toBe(400);
    expect(((await response.json()) as { error: string }).error).toContain(says);
    expect(bench.service.switches).toEqual(defaultSwitches);
  });

  test('of no known name or value do not start', async () => {
    const switches = JSON.parse('{"dryRun":"sometimes"}') as object;
    await expect(startBench({ switches })).rejects.toThrow('dryRun must be one of honoured, ignored');
  });

  test('each have a table of values that includes the default', () => {
    const defaults: Readonly<Record<string, string>> = { ...defaultSwitches };
    const values: Readonly<Record<string, readonly string[]>> = switchValues;
    expect(Object.keys(values).sort()).toEqual(Object.keys(defaults).sort());
    for (const [name, value] of Object.entries(defaults)) {
      expect(values[name]).toContain(value);
    }
  });
});

describe('a state file', () => {
  async function stateFile(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'emulator-lock-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    return join(folder, 'state.json');
  }

  test('is held by one emulator at a time, and free again when that one is closed', async () => {
    const file = await stateFile();
    const first = await startEmulator({ stateFile: file });
    await expect(startEmulator({ stateFile: file })).rejects.toThrow(
      `the state file ${file} is in use by the emulator with the process id ${process.pid}`,
    );
    await first.close();
    expect(await readdir(join(file, '..'))).toEqual(['state.json']);
    const second = await startEmulator({ stateFile: file });
    await second.close();
  });

  test('is free after a kill, even for a new process with the same process id, as in a container', async () => {
    const file = await stateFile();
    await writeFile(`${file}.lock`, JSON.stringify({ ...(await ownIdentity()), begun: '1', since: 1 }));
    await (await startEmulator({ stateFile: file })).close();
    expect(await readdir(join(file, '..'))).toEqual(['state.json']);
  });

  test('is not opened while another emulator is writing its lock', async () => {
    const file = await stateFile();
    await writeFile(`${file}.lock`, '{"pi');
    await expect(startEmulator({ stateFile: file })).rejects.toThrow(
      `the state file ${file} is in use by another emulator`,
    );
  });

  test('is not opened when its lock file cannot be created', async () => {
    const file = await stateFile();
    await mkdir(`${file}.lock`);
    await expect(startEmulator({ stateFile: file })).rejects.toThrow(
      `the state file ${file} cannot be held by one emulator: EISDIR`,
    );
  });

  test('is unlocked when the emulator cannot start', async () => {
    const file = await stateFile();
    await expect(startEmulator({ stateFile: file, seed: {} })).rejects.toThrow(/seed/u);
    expect(await readdir(join(file, '..'))).toEqual([]);
  });

  test('keeps lists and their pending operations', async () => {
    const file = await stateFile();
    const first = await startBench({ stateFile: file });
    const lists = `${account}/rules/lists`;
    const { id } = await first.ok<{ id: string }>('POST', lists, { name: 'mine', kind: 'ip' });
    const { operation_id } = await first.ok<{ operation_id: string }>('POST', `${lists}/${id}/items`, [
      { ip: '192.0.2.1' },
    ]);
    const second = await startBench({ stateFile: file });
    second.clock.advance(1000);
    expect(await second.ok('GET', `${lists}/bulk_operations/${operation_id}`)).toMatchObject({
      status: 'completed',
    });
    expect(await second.ok('GET', `${lists}/${id}/items`)).toMatchObject([{ ip: '192.0.2.1' }]);
  });
});
