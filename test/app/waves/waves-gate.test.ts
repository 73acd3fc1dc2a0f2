import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { Fault, FaultProxy } from '../../apply/campaign/fault-proxy.ts';
import { openFaultProxy } from '../../apply/campaign/fault-proxy.ts';
import type { Setting } from '../../cli/in-process.ts';
import type { WavesProject } from './waves-project.ts';
import { openWavesProject, zoneFile } from './waves-project.ts';

// Ways in which a wave could begin although the one before it is not known to be well.

const MINUTES = 60_000;
const SOAK_MS = 10 * MINUTES;
const WAVES = '  waves: [{ scopes: [a.example] }, { scopes: [b.example] }, { share: 100% }]\n  soak: 10m\n';
const PROBED = `${WAVES}  health: { probes: [{ url: '{probe}' }] }\n`;

let project: WavesProject;
let proxy: FaultProxy | undefined;
afterEach(async () => {
  await proxy?.close();
  proxy = undefined;
  await project.close();
});

function argv(...more: readonly string[]): readonly string[] {
  return ['apply', '--yes', '--allow-probe-host', project.probe.host, ...more];
}

/** A clock on which something happens after a soak; the first one is number 1. */
function afterSoak(number: number, act: () => unknown): NonNullable<Setting['clock']> {
  let soaks = 0;
  return {
    now: () => project.clock.now(),
    sleep: async (ms, signal) => {
      await project.clock.sleep(ms, signal);
      if (ms === SOAK_MS && (soaks += 1) === number) {
        await act();
      }
    },
  };
}

/** Interrupts a run when it begins to wait for the time of a wave to work. */
function interruptedInSoak(number = 1): Setting {
  const control = new AbortController();
  let soaks = 0;
  return {
    signal: control.signal,
    clock: {
      now: () => project.clock.now(),
      sleep: (ms, signal) => {
        if (ms === SOAK_MS && (soaks += 1) === number) {
          control.abort(new Error('interrupted'));
        }
        return project.clock.sleep(ms, signal);
      },
    },
  };
}

const journalFile = (): string => join(project.folder, '.rulewright/journal.jsonl');

function slept(): number {
  return project.clock.slept.filter((ms) => ms === SOAK_MS).length;
}

describe('somebody changes a zone of an earlier wave', () => {
  test.each([
    ['in the time of its own wave', 1, 'a edited, b -, c -'],
    ['in the time of a later wave', 2, 'a edited, b ssl, c -'],
  ])('%s: no other wave begins', async (_when, soak, live) => {
    project = await openWavesProject(WAVES);
    const clock = afterSoak(soak, () => project.edit('a.example', 'edited'));
    const { code, stdout } = await project.run(['apply', '--yes'], { clock });
    expect([code, await project.live()]).toEqual([4, live]);
    expect(stdout.replaceAll(/\s+/gu, ' ')).toContain(
      'Wave 1: a.example done, and changed by somebody since',
    );
    // An apply would undo the edit at once.
    expect(stdout).toContain('To go on: rulewright plan');
    // The next run sees it as drift of its first wave.
    const again = await project.run(['apply', '--yes']);
    expect([again.code, await project.live()]).toEqual([0, 'a ssl, b ssl, c ssl']);
  });

  test('in the time of a wave that an earlier run wrote', async () => {
    project = await openWavesProject(WAVES);
    expect((await project.run(['apply', '--yes'], interruptedInSoak())).code).toBe(4);
    const clock = afterSoak(1, () => project.edit('a.example', 'edited'));
    const { code } = await project.run(['apply', '--yes'], { clock });
    expect([code, await project.live()]).toEqual([4, 'a edited, b -, c -']);
  });

  test('before a saved plan is carried out further', async () => {
    project = await openWavesProject(WAVES);
    await project.rules('ssl', ['a.example']);
    expect((await project.run(['apply', '--yes'])).code).toBe(0);
    await project.rules('not ssl', ['b.example']);
    await project.run(['plan', '--out', 'plan.json']);
    await project.edit('a.example', 'edited');
    const { code, stdout } = await project.run(['apply', 'plan.json', '--yes', '--wave', '2']);
    expect([code, await project.live()]).toEqual([3, 'a edited, b ssl, c ssl']);
    expect(stdout).toContain('zone:a.example was changed');
  });
});

describe('a wave with nothing to write, of which no record says that it was well', () => {
  test('is judged before the next one begins', async () => {
    project = await openWavesProject(PROBED);
    expect((await project.run(argv(), interruptedInSoak())).code).toBe(4);
    await rm(journalFile());
    project.probe.status = 500;
    expect((await project.run(argv('--wave', '2'))).code).toBe(3);
    expect((await project.run(argv('--wave', '1'))).code).toBe(4);
    expect((await project.run(argv('--wave', '2'))).code).toBe(3);
    await rm(journalFile());
    expect((await project.run(argv())).code).toBe(4);
    expect(await project.live()).toBe('a ssl, b -, c -');
    project.probe.status = 200;
    expect((await project.run(argv('--wave', '1'))).code).toBe(0);
    expect((await project.run(argv('--wave', '2'))).code).toBe(0);
    expect(await project.live()).toBe('a ssl, b ssl, c -');
  });

  test('has had its time if its last change is long ago', async () => {
    project = await openWavesProject(PROBED);
    expect((await project.run(argv(), interruptedInSoak())).code).toBe(4);
    await rm(journalFile());
    project.clock.advance(SOAK_MS);
    const before = slept();
    const { code, stderr } = await project.run(argv('--until-wave', '1'));
    expect([code, slept() - before]).toEqual([0, 0]);
    expect(stderr).toContain('no record that it was well');
  });

  test('is not passed by a run of other zones', async () => {
    project = await openWavesProject(PROBED);
    project.probe.status = 500;
    expect((await project.run(argv())).code).toBe(4);
    project.probe.status = 200;
    expect((await project.run(argv('--target', 'zone:c.example'))).code).toBe(0);
    project.probe.status = 500;
    expect((await project.run(argv())).code).toBe(4);
    expect(await project.live()).toBe('a ssl, b -, c ssl');
  });

  test('is judged too where it was found well by a gate that asked less', async () => {
    project = await openWavesProject(WAVES);
    expect((await project.run(argv('--until-wave', '1'))).code).toBe(0);
    project.probe.status = 500;
    const files = 'version: 1\nfiles: ["{accounts,zones}/*.yaml"]\nrollout:\n';
    await project.write('rulewright.yaml', files + PROBED.replace('{probe}', project.probe.url));
    expect((await project.run(argv())).code).toBe(4);
    expect(await project.live()).toBe('a ssl, b -, c -');
  });

  test('of a saved plan whose steps are done', async () => {
    project = await openWavesProject(PROBED);
    await project.run(['plan', '--out', 'plan.json']);
    expect((await project.run(argv('plan.json'), interruptedInSoak())).code).toBe(4);
    await rm(journalFile());
    project.probe.status = 500;
    expect((await project.run(argv('plan.json'))).code).toBe(4);
    expect(await project.live()).toBe('a ssl, b -, c -');
  });
});

describe('a run that goes on where an earlier one ended', () => {
  test('puts back what that one wrote too', async () => {
    project = await openWavesProject(`${PROBED}  on_failure: rollback\n`);
    expect((await project.run(argv())).code).toBe(0);
    await project.rules('not ssl');
    expect((await project.run(argv(), interruptedInSoak(2))).code).toBe(4);
    expect(await project.live()).toBe('a not ssl, b not ssl, c ssl');
    project.probe.status = 500;
    const { code, stdout } = await project.run(argv());
    expect([code, await project.live()]).toEqual([4, 'a ssl, b ssl, c ssl']);
    expect(stdout).toContain('live is as it was before');
    expect(stdout).not.toContain('What an earlier run wrote stays');
  });

  test('deletes rulesets that only that one created', async () => {
    project = await openWavesProject(`${PROBED}  on_failure: rollback\n`);
    expect((await project.run(argv(), interruptedInSoak(2))).code).toBe(4);
    expect(await project.live()).toBe('a ssl, b ssl, c -');
    project.probe.status = 500;
    expect((await project.run(argv())).code).toBe(4);
    expect(await project.live()).toBe('a -, b -, c -');
  });

  test('puts back lists of accounts, and rules that were deleted', async () => {
    project = await openWavesProject(
      `  waves: [{ scopes: [shop.example] }, { share: 100% }]\n  soak: 10m\n  health: { probes: [{ url: '{probe}' }] }\n  on_failure: rollback\n`,
    );
    const list = 'lists: [{ name: bad, kind: ip, items: [192.0.2.1] }]\n';
    await project.write('accounts/shop.yaml', `account: Example Shop\n${list}`);
    await project.write('zones/shop.example.yaml', zoneFile('shop.example', 'ip.src in $bad'));
    const dry = await project.run(['plan', '--format', 'json', '--exit-code']);
    // The time of wave 0, of the accounts, is the first.
    expect((await project.run(argv('--allow', 'all'), interruptedInSoak(2))).code).toBe(4);
    expect(await project.run(['plan', '--exit-code'])).not.toMatchObject({ stdout: dry.stdout });
    project.probe.status = 500;
    const { code, stdout } = await project.run(argv('--allow', 'all'));
    expect(code).toBe(4);
    // Its rules had been deleted, and have new ids.
    expect(stdout).toContain('live says what it said before, with new ids');
    const names = (text: string): unknown =>
      (JSON.parse(text) as { scopes: { steps?: { id: string }[] }[] }).scopes.map(({ steps = [] }) =>
        steps.map(({ id }) => id),
      );
    const after = await project.run(['plan', '--format', 'json', '--exit-code']);
    expect(names(after.stdout)).toEqual(names(dry.stdout));
  });

  test('leaves it when the files want something else since', async () => {
    project = await openWavesProject(`${PROBED}  on_failure: rollback\n`);
    expect((await project.run(argv())).code).toBe(0);
    await project.rules('not ssl');
    expect((await project.run(argv(), interruptedInSoak())).code).toBe(4);
    await project.rules('ssl or not ssl', ['a.example']);
    project.probe.status = 500;
    const { code } = await project.run(argv());
    expect([code, await project.live()]).toEqual([4, 'a not ssl, b ssl, c ssl']);
  });
});

describe('a run that was killed while it put back what it had written', () => {
  /** Leaves live and journal as a run that is killed just before its first write back does. */
  async function killedWhilePuttingBack(): Promise<Setting> {
    project = await openWavesProject(`${PROBED}  on_failure: rollback\n`);
    await project.run(argv());
    await project.rules('not ssl');
    let isBroken = false;
    let left = '';
    proxy = await openFaultProxy(project.emulator.baseUrl, ({ method, path }): Fault => {
      if (!isBroken || method === 'GET' || path.includes('dry_run')) {
        return { kind: 'pass' };
      }
      left ||= readFileSync(journalFile(), 'utf8');
      const body = { success: false, result: null, messages: [], errors: [{ code: 1, message: 'no' }] };
      return { kind: 'answer', status: 400, body: JSON.stringify(body) };
    });
    const clock = afterSoak(2, () => {
      project.probe.status = 500;
      isBroken = true;
    });
    const env = { CLOUDFLARE_BASE_URL: proxy.baseUrl, CLOUDFLARE_API_TOKEN: project.emulator.token };
    await project.run(argv(), { clock, env });
    expect([await project.live(), left]).toEqual([
      'a not ssl, b not ssl, c ssl',
      expect.stringContaining('going-back'),
    ]);
    await writeFile(journalFile(), left);
    isBroken = false;
    project.probe.status = 200;
    project.clock.advance(2 * MINUTES);
    return { env };
  }

  test('is finished by the next one, which writes nothing else', async () => {
    const setting = await killedWhilePuttingBack();
    const dry = await project.run(['apply', '--dry-run'], setting);
    expect(dry.stderr.replaceAll(/\s+/gu, ' ')).toContain('An apply finishes that before it does anything');
    const { code, stdout, stderr } = await project.run(argv(), setting);
    expect([code, await project.live()]).toEqual([4, 'a ssl, b ssl, c ssl']);
    expect(stderr.replaceAll(/\s+/gu, ' ')).toContain('ended while it put back what it had written');
    expect(stdout).toContain('put back     http_request_firewall_custom');
    // Then it is as after any run that went back.
    expect((await project.run(argv(), setting)).code).toBe(0);
    expect(await project.live()).toBe('a not ssl, b not ssl, c not ssl');
  });

  test('is not finished without consent', async () => {
    const setting = await killedWhilePuttingBack();
    const before = await project.live();
    const [, ...flags] = argv().filter((flag) => flag !== '--yes');
    expect((await project.run(['apply', ...flags], setting)).code).toBe(3);
    expect(await project.live()).toBe(before);
  });
});
