// The embedded service: requests per second for a ruleset of 20 KB, and start-up to the first answer. client.bench.ts compares our client with the
// official SDK, against a server that costs nothing.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Pool } from 'undici';
import { createBudget } from '../src/api/budget.ts';
import { openWriteClient } from '../src/api/client.ts';
import { systemClock } from '../src/network/clock.ts';
import { getEntrypoint } from '../src/api/rulesets.ts';
import { updateEntrypoint } from '../test/api/ruleset-writes.ts';
import { median, printTable, round } from './table.ts';

const PHASE = 'http_request_firewall_custom';
const REQUESTS = 2000;
const ROUNDS = 5;
const CONCURRENCY = 8;

const folder = mkdtempSync(join(tmpdir(), 'rulewright-bench-'));
const library = join(process.cwd(), 'dist', 'emulator.js');

interface Served {
  readonly baseUrl: string;
  readonly token: string;
  readonly zone: string;
}

/** The service in a process of its own, so that the CPU of this one is the client's alone. */
async function serve(): Promise<Served & { readonly close: () => void }> {
  const file = join(folder, 'serve.mjs');
  writeFileSync(
    file,
    `import { scopeId, startEmulator } from ${JSON.stringify(pathToFileURL(library).href)};
const { baseUrl, token } = await startEmulator({ budget: 'off' });
console.log(JSON.stringify({ baseUrl, token, zone: scopeId('zone', 'shop.example') }));
`,
  );
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString()));
    child.once('exit', () => reject(new Error('the service did not start')));
  });
  return { ...(JSON.parse(line) as Served), close: () => child.kill() };
}

/** Rules whose answer has about 20 KB. */
function rules(): { action: string; expression: string; ref: string; description: string }[] {
  return Array.from({ length: 60 }, (_, index) => ({
    action: 'block',
    expression: `(http.host eq "shop.example" and starts_with(http.request.uri.path, "/path/${index}"))`,
    ref: `rule-number-${index}`,
    description: `What this rule is good for is told here in some words, number ${index}`,
  }));
}

interface Measured {
  readonly perSecond: number;
  readonly cpuMicroseconds: number;
}

/** Sends requests, some at a time, and measures wall time and the CPU time of this process. */
async function measure(send: () => Promise<unknown>): Promise<Measured> {
  let left = REQUESTS;
  const cpu = process.cpuUsage();
  const start = performance.now();
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      while (left > 0) {
        left -= 1;
        await send();
      }
    }),
  );
  const seconds = (performance.now() - start) / 1000;
  const used = process.cpuUsage(cpu);
  return {
    perSecond: REQUESTS / seconds,
    cpuMicroseconds: (used.user + used.system) / REQUESTS,
  };
}

/** The medians of several rounds for each way, one after the other in each round. */
async function compare(
  ways: Readonly<Record<string, () => Promise<unknown>>>,
): Promise<ReadonlyMap<string, Measured>> {
  const rounds = new Map(Object.keys(ways).map((name) => [name, [] as Measured[]]));
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [name, send] of Object.entries(ways)) {
      const measured = await measure(send);
      // The first round warms up.
      if (round > 0) {
        rounds.get(name)?.push(measured);
      }
    }
  }
  return new Map(
    [...rounds].map(([name, all]) => [
      name,
      {
        perSecond: median(all.map(({ perSecond }) => perSecond)),
        cpuMicroseconds: median(all.map(({ cpuMicroseconds }) => cpuMicroseconds)),
      },
    ]),
  );
}

function table(title: string, measured: ReadonlyMap<string, Measured>): void {
  const [first] = measured.values();
  printTable(
    title,
    [...measured].map(([way, { perSecond, cpuMicroseconds }]) => ({
      way,
      'requests/s': Math.round(perSecond),
      ratio: round(perSecond / (first?.perSecond ?? 1)),
      'client CPU µs': Math.round(cpuMicroseconds),
      'CPU ratio': round(cpuMicroseconds / (first?.cpuMicroseconds ?? 1)),
    })),
  );
}

/** Wall time of a process that starts the service and has its first answer, against one that does nothing. */
function startUp(): void {
  const file = join(folder, 'start.mjs');
  writeFileSync(
    file,
    `import { startEmulator } from ${JSON.stringify(pathToFileURL(library).href)};
const before = performance.now();
const emulator = await startEmulator();
const answer = await fetch(emulator.baseUrl + '/zones', { headers: { authorization: 'Bearer ' + emulator.token } });
await answer.text();
console.log(performance.now() - before);
await emulator.close();
`,
  );
  const empty = join(folder, 'empty.mjs');
  writeFileSync(empty, '');
  const runs = { nothing: [] as number[], whole: [] as number[], inside: [] as number[] };
  for (let run = 0; run < 15; run += 1) {
    for (const [name, script] of [
      ['nothing', empty],
      ['whole', file],
    ] as const) {
      const start = performance.now();
      const { stdout, stderr, status } = spawnSync(process.execPath, [script], { encoding: 'utf8' });
      if (status !== 0) {
        throw new Error(stderr);
      }
      runs[name].push(performance.now() - start);
      if (name === 'whole') {
        runs.inside.push(Number(stdout));
      }
    }
  }
  const base = median(runs.nothing);
  printTable('The embedded service, start-up, median of 15 runs', [
    { what: 'empty Node process', ms: round(base), ratio: 1 },
    {
      what: 'process with import, start and first answer',
      ms: round(median(runs.whole)),
      ratio: round(median(runs.whole) / base),
    },
    {
      what: 'of this: startEmulator() to the first answer',
      ms: round(median(runs.inside)),
      ratio: round(median(runs.inside) / base),
    },
  ]);
}

const service = await serve();
const scope = { kind: 'zone', id: service.zone } as const;
const ours = openWriteClient({
  baseUrl: service.baseUrl,
  credentials: { kind: 'token', token: service.token },
  budget: createBudget({ clock: systemClock, limit: Infinity, limitPerSecond: Infinity }),
});
const raw = new Pool(new URL(service.baseUrl).origin, { connections: CONCURRENCY });

try {
  await updateEntrypoint(ours, scope, PHASE, { rules: rules() });
  const path = `${new URL(service.baseUrl).pathname}/zones/${service.zone}/rulesets/phases/${PHASE}/entrypoint`;
  const headers = { authorization: `Bearer ${service.token}` };
  const get = async (): Promise<number> => {
    const { body } = await raw.request({ method: 'GET', path, headers });
    return (await body.text()).length;
  };
  const kilobytes = round((await get()) / 1024);
  const reads = await compare({
    'undici alone': get,
    'our client': () => getEntrypoint(ours, scope, PHASE),
  });
  table(
    `The embedded service, GET of a ruleset of ${kilobytes} KB, ${CONCURRENCY} at a time, ${REQUESTS} requests, median of ${ROUNDS}`,
    reads,
  );
  startUp();
} finally {
  await Promise.all([ours.close(), raw.close()]);
  service.close();
  rmSync(folder, { recursive: true });
}
