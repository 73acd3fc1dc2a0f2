import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { Setting } from '../../cli/in-process.ts';
import type { WavesProject } from './waves-project.ts';
import { openWavesProject, zoneFile } from './waves-project.ts';

const WAVES = '  waves: [{ scopes: [a.example] }, { scopes: [b.example] }, { share: 100% }]\n';
const SOAK = `${WAVES}  soak: 10m\n`;
const MINUTES = 60_000;

let project: WavesProject;
afterEach(() => project.close());

/** A clock that interrupts the run when it begins to wait for a time. */
function interruptedAt(ms: number): Setting {
  const control = new AbortController();
  return {
    signal: control.signal,
    clock: {
      now: () => project.clock.now(),
      sleep: (wait, signal) => {
        if (wait === ms) {
          control.abort(new Error('interrupted'));
        }
        return project.clock.sleep(wait, signal);
      },
    },
  };
}

describe('apply in waves', () => {
  test('writes one wave after the other, with the time to work in between', async () => {
    project = await openWavesProject(SOAK);
    const { code, stdout, stderr } = await project.run(['apply', '--yes']);
    expect(code).toBe(0);
    expect(project.clock.slept.filter((ms) => ms === 10 * MINUTES)).toHaveLength(2);
    expect(stderr).toContain('wave 1 (a.example): writing 1 scope');
    expect(stderr).toContain('wave 1 is written: waiting 10 minutes');
    expect(stdout).toContain('Wave 3: 100% of the zones');
    expect(await project.live()).toBe('a ssl, b ssl, c ssl');
    expect(await project.journal()).toEqual(
      [1, 2, 3].flatMap((wave) => ['begun', 'written', 'passed'].map((state) => `${wave} ${state}`)),
    );
    expect((await project.run(['plan', '--exit-code'])).code).toBe(0);
  });

  test('goes on with the wave in whose time it was interrupted', async () => {
    project = await openWavesProject(SOAK);
    const ended = await project.run(['apply', '--yes'], interruptedAt(10 * MINUTES));
    expect(ended.code).toBe(4);
    expect(ended.stdout).toContain('Wave 1 is not judged yet');
    expect(await project.live()).toBe('a ssl, b -, c -');
    project.clock.advance(4 * MINUTES);
    const again = await project.run(['apply', '--yes']);
    expect(again.code).toBe(0);
    expect(again.stderr).toContain('wave 1 was written by an earlier run');
    expect(project.clock.slept).toContain(6 * MINUTES);
    expect(await project.live()).toBe('a ssl, b ssl, c ssl');
  });

  test('judges the last wave too, although nothing is left to write', async () => {
    project = await openWavesProject(`${SOAK}  health: { probes: [{ url: '{probe}' }] }\n`);
    const host = ['--allow-probe-host', project.probe.host];
    await project.run(['apply', '--yes', '--until-wave', '2', ...host]);
    expect((await project.run(['apply', '--yes', ...host], interruptedAt(10 * MINUTES))).code).toBe(4);
    expect(await project.live()).toBe('a ssl, b ssl, c ssl');
    project.probe.status = 500;
    const failing = await project.run(['apply', '--yes', ...host]);
    expect([failing.code, failing.stdout]).toEqual([
      4,
      expect.stringContaining('not well, written by an earlier run'),
    ]);
    project.probe.status = 200;
    expect((await project.run(['apply', '--yes', ...host])).code).toBe(0);
    expect((await project.run(['apply', '--yes', ...host])).stdout).toContain('No changes');
  });

  test('stops when a wave is not well, and says what was seen', async () => {
    project = await openWavesProject(`${SOAK}  health: { probes: [{ url: '{probe}' }] }\n`);
    project.probe.status = 502;
    const argv = ['apply', '--yes', '--allow-probe-host', project.probe.host];
    const { code, stdout } = await project.run(argv);
    expect(code).toBe(4);
    expect(stdout).toContain('status 502');
    expect(stdout).toContain('wave 1 is not well');
    expect(await project.live()).toBe('a ssl, b -, c -');
    // What was not well is judged anew before anything else is written.
    expect((await project.run(argv)).code).toBe(4);
    expect(await project.live()).toBe('a ssl, b -, c -');
    project.probe.status = 200;
    expect((await project.run(argv)).code).toBe(0);
    expect(await project.live()).toBe('a ssl, b ssl, c ssl');
  });

  test('puts back all that it wrote, the newest first, and leaves what others changed since', async () => {
    project = await openWavesProject(
      `${SOAK}  health: { probes: [{ url: '{probe}' }] }\n  on_failure: rollback\n`,
    );
    const argv = ['apply', '--yes', '--allow-probe-host', project.probe.host];
    expect((await project.run(argv)).code).toBe(0);
    await project.rules('not ssl');
    let waits = 0;
    const failing = await project.run(argv, {
      clock: {
        now: () => project.clock.now(),
        sleep: async (ms, signal) => {
          await project.clock.sleep(ms, signal);
          if (ms === 10 * MINUTES && (waits += 1) === 2) {
            project.probe.status = 500;
          }
        },
      },
    });
    expect(failing.code).toBe(4);
    expect(failing.stderr.match(/1 ruleset to put back/gu)).toHaveLength(2);
    expect(failing.stdout).toContain('Wave 1: a.example  done, and put back');
    expect(await project.live()).toBe('a ssl, b ssl, c ssl');
    expect((await project.journal()).slice(-2)).toEqual(['1 undone', '2 undone']);
    const json = await project.run([...argv, '--format', 'json']);
    expect(JSON.parse(json.stdout)).toMatchObject({
      result: 'partial',
      waves: [
        { state: 'unhealthy', health: { verdict: 'fails' } },
        { state: 'not-begun' },
        { state: 'not-begun' },
      ],
      rollback: { result: 'as-before' },
    });
  });

  test('asks nothing of a dry run, and does not wait', async () => {
    project = await openWavesProject(`${SOAK}  health: { probes: [{ url: '{probe}' }] }\n`);
    const { code } = await project.run(['apply', '--dry-run']);
    expect([code, await project.live()]).toEqual([0, 'a -, b -, c -']);
    expect(project.clock.slept).not.toContain(10 * MINUTES);
  });
});

describe('apply of one wave', () => {
  test('begins it only when those before it are done and were found well', async () => {
    project = await openWavesProject(SOAK);
    const third = await project.run(['apply', '--yes', '--wave', '3']);
    expect([third.code, third.stdout]).toEqual([3, expect.stringContaining('wave 1 is not done')]);
    expect(await project.live()).toBe('a -, b -, c -');
    expect((await project.run(['apply', '--yes', '--wave', '1'], interruptedAt(10 * MINUTES))).code).toBe(4);
    const second = await project.run(['apply', '--yes', '--wave', '2']);
    expect([second.code, second.stdout]).toEqual([3, expect.stringContaining('not found well yet')]);
    expect((await project.run(['apply', '--yes', '--wave', '1'])).code).toBe(0);
    expect((await project.run(['apply', '--yes', '--wave', '2'])).code).toBe(0);
    expect(await project.live()).toBe('a ssl, b ssl, c -');
    // Drift in an earlier wave.
    await project.rules('not ssl', ['a.example']);
    const drifted = await project.run(['apply', '--yes', '--wave', '3']);
    expect([drifted.code, drifted.stdout]).toEqual([3, expect.stringContaining('wave 1 is not done')]);
    expect((await project.run(['apply', '--yes'])).code).toBe(0);
    expect(await project.live()).toBe('a not ssl, b ssl, c ssl');
  });

  test('of chosen zones asks only the waves of these', async () => {
    project = await openWavesProject(SOAK);
    expect((await project.run(['apply', '--yes', '--target', 'zone:c.example'])).code).toBe(0);
    expect(await project.live()).toBe('a -, b -, c ssl');
    const argv = ['apply', '--yes', '--target', 'zone:b.example', '--target', 'zone:c.example'];
    expect((await project.run([...argv, '--wave', '3'])).code).toBe(3);
    expect((await project.run([...argv, '--until-wave', '2'])).code).toBe(0);
    expect(await project.live()).toBe('a -, b ssl, c ssl');
  });

  test('of a shard is not followed by the next one', async () => {
    project = await openWavesProject(SOAK);
    const shard = ['apply', '--yes', '--shard', '1/1'];
    const all = await project.run(shard);
    expect([all.code, all.stderr]).toEqual([64, expect.stringContaining('name the wave with --wave')]);
    expect((await project.run([...shard, '--wave', '1'])).code).toBe(0);
    expect(await project.live()).toBe('a ssl, b -, c -');
  });

  test('needs a wave that there is', async () => {
    project = await openWavesProject(SOAK);
    const { code, stderr } = await project.run(['apply', '--yes', '--wave', '4']);
    expect([code, stderr]).toEqual([64, expect.stringContaining('there is no wave 4: the waves are 1 to 3')]);
  });

  test('goes by what the files want now: a new zone of an earlier wave is to be written first', async () => {
    project = await openWavesProject('  waves: [{ labels: [first] }, { share: 100% }]\n  soak: 1m\n');
    await project.write('zones/a.example.yaml', zoneFile('a.example', 'ssl', 'labels: { first: "yes" }\n'));
    expect((await project.run(['apply', '--yes', '--wave', '1'])).code).toBe(0);
    await project.write('zones/b.example.yaml', zoneFile('b.example', 'ssl', 'labels: { first: "yes" }\n'));
    const second = await project.run(['apply', '--yes', '--wave', '2']);
    expect([second.code, second.stdout]).toEqual([3, expect.stringContaining('wave 1 is not done')]);
    expect((await project.run(['apply', '--yes'])).code).toBe(0);
    expect(await project.live()).toBe('a ssl, b ssl, c ssl');
  });
});

describe('a saved plan in waves', () => {
  test('is carried out as it was reviewed, wave by wave', async () => {
    project = await openWavesProject(SOAK);
    await project.run(['plan', '--out', 'plan.json']);
    // What the files say now is not what was reviewed.
    await project.write('rulewright.yaml', 'version: 1\nfiles: [zones/*.yaml]\n');
    const argv = ['apply', 'plan.json', '--yes', '--wave'];
    expect((await project.run([...argv, '2'])).code).toBe(3);
    expect((await project.run([...argv, '1'])).code).toBe(0);
    expect(await project.live()).toBe('a ssl, b -, c -');
    expect((await project.run([...argv, '2'])).code).toBe(0);
    expect((await project.run(['apply', 'plan.json', '--yes'])).code).toBe(0);
    expect(await project.live()).toBe('a ssl, b ssl, c ssl');
  });

  test('is not what a fresh plan in other waves does', async () => {
    project = await openWavesProject(SOAK);
    await project.run(['plan', '--out', 'plan.json']);
    await project.write(
      'rulewright.yaml',
      'version: 1\nfiles: [zones/*.yaml]\nrollout: { waves: [{ share: 100% }] }\n',
    );
    const { code, stdout } = await project.run(['apply', '--yes', '--expect', 'plan.json']);
    expect([code, stdout]).toEqual([
      3,
      expect.stringContaining('it was reviewed in wave 2, and is in wave 1 now'),
    ]);
    expect(await project.live()).toBe('a -, b -, c -');
  });

  test('is refused when its waves were edited', async () => {
    project = await openWavesProject(SOAK);
    await project.run(['plan', '--out', 'plan.json']);
    const file = join(project.folder, 'plan.json');
    await writeFile(file, (await readFile(file, 'utf8')).replace('"soak": 600', '"soak": 0'));
    const { code, stderr } = await project.run(['apply', 'plan.json', '--yes']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('it was changed after it was made')]);
  });
});
