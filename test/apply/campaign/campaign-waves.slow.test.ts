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
// wave is written before the wave before it was found well after its last write, and the next run does the rest. Runs every fifth case, and all of
// them from 10,000 of RULEWRIGHT_PROPERTY_RUNS on.

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
async function goOn({ timeline, emulator, proxy, root, argv }: Killed): Promise<number> {
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
    const chosen = propertyRuns() >= 10_000 ? cases : cases.filter((_case, index) => index % 5 === 0);
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
