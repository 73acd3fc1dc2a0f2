import { afterEach, describe, expect, test } from 'vitest';
import { scopeId } from '../../../src/emulator/index.ts';
import type { Fault, FaultProxy } from '../../apply/campaign/fault-proxy.ts';
import { openFaultProxy } from '../../apply/campaign/fault-proxy.ts';
import type { Setting } from '../../cli/in-process.ts';
import type { WavesProject } from './waves-project.ts';
import { openWavesProject } from './waves-project.ts';

const SOAK_MS = 600_000;
const ROLLOUT = `  waves: [{ scopes: [a.example] }, { scopes: [b.example] }, { share: 100% }]
  soak: 10m
  health: { probes: [{ url: '{probe}' }] }
  on_failure: rollback
`;

let project: WavesProject;
let proxy: FaultProxy | undefined;
afterEach(async () => {
  await proxy?.close();
  proxy = undefined;
  await project.close();
});

/** The clock of the project, on which something happens after the second soak, before the wave is judged. */
function afterSecondSoak(act: () => Promise<unknown>): NonNullable<Setting['clock']> {
  let soaks = 0;
  return {
    now: () => project.clock.now(),
    sleep: async (ms, signal) => {
      await project.clock.sleep(ms, signal);
      if (ms === SOAK_MS && (soaks += 1) === 2) {
        await act();
      }
    },
  };
}

async function begun(): Promise<readonly string[]> {
  project = await openWavesProject(ROLLOUT);
  const argv = ['apply', '--yes', '--allow-probe-host', project.probe.host];
  expect((await project.run(argv)).code).toBe(0);
  await project.rules('not ssl');
  return argv;
}

/** Somebody adds a rule of his own. */
async function editBeside(zone: string): Promise<void> {
  const { baseUrl, token } = project.emulator;
  const path = `zones/${scopeId('zone', zone)}/rulesets/phases/http_request_firewall_custom/entrypoint`;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const read = (await (await fetch(`${baseUrl}/${path}`, { headers })).json()) as {
    readonly result: { readonly id: string };
  };
  const answer = await fetch(`${baseUrl}/zones/${scopeId('zone', zone)}/rulesets/${read.result.id}/rules`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ ref: 'theirs', expression: 'http.host eq "x"', action: 'log' }),
  });
  expect(answer.status).toBe(200);
}

describe('what goes back when a later wave is not well', () => {
  test('leaves what somebody else has changed since, and tells it', async () => {
    const argv = await begun();
    const clock = afterSecondSoak(async () => {
      project.probe.status = 500;
      await editBeside('a.example');
    });
    const { code, stdout } = await project.run(argv, { clock });
    expect(code).toBe(4);
    expect(stdout).toContain('somebody else has written to it since');
    expect(stdout).toContain('Wave 1: a.example  done, and only partly put back');
    expect((await project.journal()).slice(-2)).toEqual(['1 failed', '2 undone']);
    expect(await project.live()).toBe('a not ssl, b ssl, c ssl');
    // The first wave is still to be judged.
    const second = await project.run([
      'apply',
      '--yes',
      '--wave',
      '2',
      '--allow-probe-host',
      project.probe.host,
    ]);
    expect(second.code).toBe(3);
    expect(second.stdout.replaceAll(/\s+/gu, ' ')).toMatch(
      /wave 1 .*To go on: rulewright apply .*--wave 1 --allow-probe-host/u,
    );
  });

  test('stops at what cannot be put back, and says what did not go back', async () => {
    const argv = await begun();
    let isBroken = false;
    proxy = await openFaultProxy(project.emulator.baseUrl, ({ method, path }): Fault =>
      isBroken && method !== 'GET' && !path.includes('dry_run')
        ? {
            kind: 'answer',
            status: 400,
            body: JSON.stringify({
              success: false,
              result: null,
              messages: [],
              errors: [{ code: 1, message: 'no' }],
            }),
          }
        : { kind: 'pass' },
    );
    const clock = afterSecondSoak(() => {
      project.probe.status = 500;
      isBroken = true;
      return Promise.resolve();
    });
    const env = { CLOUDFLARE_BASE_URL: proxy.baseUrl, CLOUDFLARE_API_TOKEN: project.emulator.token };
    const { code, stdout } = await project.run(argv, { clock, env });
    expect(code).toBe(4);
    expect(stdout.replaceAll(/\s+/gu, ' ')).toContain(
      'this run wrote it and did not put it back, since zone:b.example/http_request_firewall_custom could not be put back',
    );
    expect(await project.live()).toBe('a not ssl, b not ssl, c ssl');
  });

  test('says that an earlier run wrote the wave that is not well, where only another one goes back', async () => {
    const argv = await begun();
    const stopped = afterSecondSoak(() => {
      project.probe.status = 500;
      return Promise.resolve();
    });
    expect((await project.run([...argv, '--on-failure', 'stop'], { clock: stopped })).code).toBe(4);
    await project.edit('a.example', 'edited');
    project.probe.status = 200;
    const clock = afterSecondSoak(() => {
      project.probe.status = 500;
      return Promise.resolve();
    });
    const { code, stdout } = await project.run(argv, { clock });
    expect([code, await project.live()]).toEqual([4, 'a edited, b not ssl, c ssl']);
    expect(stdout).toContain('What an earlier run wrote stays');
  });
});
