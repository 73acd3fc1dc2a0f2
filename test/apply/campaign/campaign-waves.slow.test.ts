import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { scopeId, startEmulator } from '../../../src/emulator/index.ts';
import type { Emulator } from '../../../src/emulator/index.ts';
import { rulewright } from '../../cli/in-process.ts';
import { createFakeClock } from '../../fake-clock.ts';
import { propertyRuns } from '../../property-runs.ts';
import type { Fault, FaultProxy } from './fault-proxy.ts';
import { openFaultProxy } from './fault-proxy.ts';

// Kills a real process at each request of an apply in waves, to the service and of its probes, and runs it again. Whatever the moment: no zone of a
// wave is written before the wave before it was found well after its last write, and the next run does the rest. The same holds when a request meets
// another fault, or somebody edits a wave that is written. Runs some of the cases, and all of them from 10,000 of RULEWRIGHT_PROPERTY_RUNS on.

const WAVES = [['a.example'], ['b.example', 'c.example'], ['d.example']] as const;
const ZONES = WAVES.flat();

const MAIN = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));

type Moment = 'before' | 'after';

/** What reached the service or the host of the probes, in order; a number is that of the wave of a zone that was written. */
type Timeline = ('probe' | number)[];

let folder: string;
let host: Server;
/** Called with each probe, before it is answered. */
let probed: () => Promise<unknown>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rulewright-waves-kill-'));
  host = createServer((_request, response) => {
    void probed().then(() => response.end());
  });
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  host.closeAllConnections();
  await new Promise((resolve) => host.close(resolve));
  await rm(folder, { recursive: true, force: true });
});

async function writeProject(root: string): Promise<string> {
  const address = host.address();
  const at = `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  const waves = WAVES.map((zones) => `{ scopes: [${zones.join(', ')}] }`).join(', ');
  await mkdir(join(root, 'zones'), { recursive: true });
  await writeFile(
    join(root, 'rulewright.yaml'),
    `version: 1\nfiles: [zones/*.yaml]\nrollout:\n  waves: [${waves}]\n  health: { probes: [{ url: 'http://${at}/' }] }\n`,
  );
  for (const name of ZONES) {
    await writeFile(
      join(root, 'zones', `${name}.yaml`),
      `zone: ${name}\nentrypoints:\n  http_request_firewall_custom:\n    rules:\n      - { ref: guard, expression: ssl, action: block }\n  http_request_transform:\n    rules:\n      - { ref: other, expression: ssl, action: rewrite, action_parameters: { uri: { path: { value: / } } } }\n`,
    );
  }
  return at;
}

function waveOf(path: string): number {
  return WAVES.findIndex((zones) => zones.some((name) => path.includes(scopeId('zone', name)))) + 1;
}

interface Killed {
  readonly requests: number;
  readonly signal: NodeJS.Signals | null;
  readonly timeline: Timeline;
  readonly emulator: Emulator;
  /** Between both runs and the service, which goes by its address. */
  readonly proxy: FaultProxy;
  readonly root: string;
  readonly argv: readonly string[];
}

/** Runs an apply in a process of its own that is killed at its `at`-th request; not at all if `at` is 0. */
async function applyAndKill(at: number, moment: Moment): Promise<Killed> {
  const emulator = await startEmulator({
    budget: 'off',
    scopes: ZONES.map((name) => ({ kind: 'zone', name })),
  });
  const root = join(folder, `${at}-${moment}`);
  const probeHost = await writeProject(root);
  const timeline: Timeline = [];
  let requests = 0;
  let kill: () => Promise<unknown> = () => Promise.resolve();
  const killNow = (): Promise<unknown> => kill();
  probed = async () => {
    requests += 1;
    if (requests === at && moment === 'before') {
      await killNow();
      return;
    }
    timeline.push('probe');
    if (requests === at) {
      await killNow();
    }
  };
  const proxy = await openFaultProxy(emulator.baseUrl, ({ method, path }): Fault => {
    requests += 1;
    const isKilled = requests === at;
    if (method !== 'GET' && !path.includes('dry_run') && !(isKilled && moment === 'before')) {
      timeline.push(waveOf(path));
    }
    return isKilled
      ? { kind: moment === 'before' ? 'kill-before' : 'kill-after', kill: killNow }
      : { kind: 'pass' };
  });
  const argv = ['apply', '--yes', '--quiet', '--allow-probe-host', probeHost];
  const child = spawn(process.execPath, [MAIN, ...argv], {
    cwd: root,
    env: {
      PATH: process.env['PATH'],
      CLOUDFLARE_BASE_URL: proxy.baseUrl,
      CLOUDFLARE_API_TOKEN: emulator.token,
    },
    stdio: 'ignore',
  });
  const closed = once(child, 'close');
  kill = () => {
    child.kill('SIGKILL');
    return closed;
  };
  await closed;
  return { requests, signal: child.signalCode, timeline, emulator, proxy, root, argv };
}

/** Runs it again to the end. */
async function goOn({
  timeline,
  emulator,
  proxy,
  root,
  argv,
}: Omit<Killed, 'requests' | 'signal'>): Promise<number> {
  probed = () => Promise.resolve(timeline.push('probe'));
  const setting = {
    cwd: root,
    env: { CLOUDFLARE_BASE_URL: proxy.baseUrl, CLOUDFLARE_API_TOKEN: emulator.token },
    clock: createFakeClock(Date.now()),
  };
  const { code } = await rulewright(argv, setting);
  const left = await rulewright(['plan', '--quiet', '--exit-code'], setting);
  await proxy.close();
  await emulator.close();
  return code === 0 ? left.code : code;
}

/** Returns the waves that were begun although the one before was not found well after its last write, or was not begun at all. */
function tooEarly(timeline: Timeline): readonly number[] {
  return timeline.flatMap((event, index) => {
    if (event === 'probe' || event === 1) {
      return [];
    }
    const before = timeline.slice(0, index);
    const last = before.lastIndexOf(event - 1);
    return last !== -1 && before.includes('probe', last) ? [] : [event];
  });
}

// `npm test` builds the program first.
it.skipIf(!existsSync(MAIN))(
  'an apply in waves that is killed at any of its requests begins no wave too early, and the next run does the rest',
  async () => {
    const whole = await applyAndKill(0, 'before');
    expect(whole.timeline.filter((event) => event === 'probe')).toHaveLength(WAVES.length);
    expect([await goOn(whole), tooEarly(whole.timeline)]).toEqual([0, []]);
    expect(whole.requests).toBeGreaterThan(ZONES.length * 2);
    const cases = Array.from({ length: whole.requests }, (_, index) => index + 1).flatMap((at) => [
      [at, 'before'] as const,
      [at, 'after'] as const,
    ]);
    const chosen = someOf(cases, 5);
    for (const [at, moment] of chosen) {
      const told = `killed ${moment} request ${at} of ${whole.requests}`;
      const killed = await applyAndKill(at, moment);
      expect([told, killed.signal]).toEqual([told, 'SIGKILL']);
      expect([told, await goOn(killed), tooEarly(killed.timeline)]).toEqual([told, 0, []]);
      // The last wave is judged too, after its last write.
      expect([told, killed.timeline.at(-1)]).toEqual([told, 'probe']);
    }
    process.stdout.write(`kill campaign of waves: ${chosen.length} of ${cases.length} cases\n`);
  },
  3_600_000,
);

/** What happens to one request; it does not matter to which kind of request. */
const FAULTS: Readonly<Record<string, Fault>> = {
  'a lost answer': { kind: 'cut-after' },
  'a broken connection': { kind: 'cut-before' },
  'status 503': { kind: 'answer', status: 503, body: 'no', type: 'text/plain' },
  'status 429': { kind: 'answer', status: 429, body: '{}', headers: { 'retry-after': '3' } },
  'a late 504': { kind: 'late' },
};

/** Somebody changes the rule of a zone of the first wave, if it is there already; returns whether it was. */
async function edit({ baseUrl, token }: Emulator): Promise<boolean> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const zone = `${baseUrl}/zones/${scopeId('zone', WAVES[0][0])}/rulesets`;
  const read = await fetch(`${zone}/phases/http_request_firewall_custom/entrypoint`, { headers });
  const text = await read.text();
  const [, id] = /"result":\{[^[]*?"id":"([0-9a-f]{32})"/u.exec(text) ?? [];
  const [, rule] = /"rules":\[\{[^[]*?"id":"([0-9a-f]{32})"/u.exec(text) ?? [];
  if (id === undefined || rule === undefined) {
    return false;
  }
  const body = JSON.stringify({ expression: 'not ssl', action: 'block' });
  const answer = await fetch(`${zone}/${id}/rules/${rule}`, { method: 'PATCH', headers, body });
  return answer.ok;
}

interface Disturbed {
  readonly requests: number;
  /** How many probes and writes there were before somebody's edit; null when there was none. */
  readonly editedAt: number | null;
  readonly code: number;
  readonly timeline: Timeline;
  readonly again: number;
}

/** Runs an apply of which one request meets a fault, or somebody's edit just before it, and runs it again to the end. */
async function disturbAt(at: number, fault: Fault | 'edit'): Promise<Disturbed> {
  const emulator = await startEmulator({
    budget: 'off',
    scopes: ZONES.map((name) => ({ kind: 'zone', name })),
  });
  const root = await mkdtemp(join(folder, 'fault-'));
  const probeHost = await writeProject(root);
  const timeline: Timeline = [];
  probed = () => Promise.resolve(timeline.push('probe'));
  let requests = 0;
  let editedAt: number | null = null;
  const proxy = await openFaultProxy(emulator.baseUrl, ({ method, path }): Fault => {
    requests += 1;
    const now = requests === at ? fault : ({ kind: 'pass' } as const);
    const reaches = now === 'edit' || (now.kind !== 'cut-before' && now.kind !== 'answer');
    if (method !== 'GET' && !path.includes('dry_run') && reaches) {
      timeline.push(waveOf(path));
    }
    return now === 'edit'
      ? {
          kind: 'meanwhile',
          act: async () => {
            const before = timeline.length;
            editedAt = (await edit(emulator)) ? before : null;
          },
        }
      : now;
  });
  const setting = {
    cwd: root,
    env: { CLOUDFLARE_BASE_URL: proxy.baseUrl, CLOUDFLARE_API_TOKEN: emulator.token },
    clock: createFakeClock(Date.now()),
  };
  const argv = ['apply', '--yes', '--quiet', '--allow-probe-host', probeHost];
  const { code } = await rulewright(argv, setting);
  const first = [...timeline];
  const asked = requests;
  const again = await goOn({ timeline, emulator, proxy, root, argv });
  return { requests: asked, editedAt, code, timeline: first, again };
}

/** Returns every case, or of many those that a run of ordinary length has time for. */
function someOf<Case>(cases: readonly Case[], every: number): readonly Case[] {
  return propertyRuns() >= 10_000 ? cases : cases.filter((_case, index) => index % every === 0);
}

it('an apply in waves of which any request meets a fault begins no wave too early, and the next run does the rest', async () => {
  const { requests } = await disturbAt(0, { kind: 'pass' });
  const cases = Array.from({ length: requests }, (_, index) => index + 1).flatMap((at) =>
    Object.entries(FAULTS).map(([name, fault]) => [at, name, fault] as const),
  );
  const chosen = someOf(cases, 7);
  for (const [at, name, fault] of chosen) {
    const told = `${name} at request ${at} of ${requests}`;
    const { timeline, again } = await disturbAt(at, fault);
    expect([told, again, tooEarly(timeline)]).toEqual([told, 0, []]);
  }
  process.stdout.write(`fault campaign of waves: ${chosen.length} of ${cases.length} cases\n`);
}, 3_600_000);

it('an edit of the first wave, at any moment, lets no wave begin that was to be looked at after it', async () => {
  const { requests } = await disturbAt(0, { kind: 'pass' });
  const moments = someOf(
    Array.from({ length: requests }, (_, index) => index + 1),
    3,
  );
  for (const at of moments) {
    const told = `an edit before request ${at} of ${requests}`;
    const { editedAt, code, timeline, again } = await disturbAt(at, 'edit');
    expect([told, again, tooEarly(timeline)]).toEqual([told, 0, []]);
    // All requests between two probes are those of one wave and of the look before it. So a wave that begins after a later probe saw the edit.
    const probe = editedAt === null ? -1 : timeline.indexOf('probe', editedAt);
    const begun = probe === -1 ? [] : timeline.slice(probe).filter((event) => event !== 'probe');
    expect([told, begun]).toEqual([told, []]);
    expect([told, code]).toEqual([told, timeline.includes(WAVES.length) ? 0 : 4]);
  }
}, 3_600_000);
