// `rulewright plan` of one list, of which a hundred items come and as many go: what the process takes beyond a plan of an empty list. The embedded
// service runs in a process of its own, so that neither its memory nor its work counts. Cold reads all items; warm finds them in the cache.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parsedJson, objectOf, textOf } from '../src/data/index.ts';
import { median, printTable, round } from './table.ts';

const SIZES = [0, 10_000, 100_000];
const DIFFERENT = 100;
const ROUNDS = 5;
const KINDS = ['ip', 'redirect'] as const;
const cli = join(process.cwd(), 'dist', 'cli', 'main.js');

/** An item of a seed, and its row in a CSV file. */
function item(kind: (typeof KINDS)[number], at: number): { readonly seed: object; readonly row: string } {
  if (kind === 'ip') {
    const ip = `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`;
    return { seed: { ip }, row: ip };
  }
  const [source_url, target_url] = [`shop.example/old/${at}`, `https://shop.example/new/${at}`];
  return {
    seed: { redirect: { source_url, target_url, status_code: 301 } },
    row: `${source_url},${target_url},301`,
  };
}

const HEADER = { ip: 'ip', redirect: 'source_url,target_url,status_code' } as const;
const range = (from: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => from + index);
const different = (size: number): number => (size === 0 ? 0 : DIFFERENT);

const CASES = KINDS.flatMap((kind) => SIZES.map((size) => ({ kind, size, name: `${kind}_${size}` })));

/** Reports what a process took when it ends. */
const REPORT = `data:text/javascript,${encodeURIComponent(
  'process.on("exit", () => { const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage(); console.error("\\n" + JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1e6, peak: maxRSS / 1024 })); });',
)}`;

interface Taken {
  readonly seconds: number;
  readonly cpu: number;
  readonly peak: number;
}

function plan(folder: string, env: NodeJS.ProcessEnv): Taken {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, ['--import', REPORT, cli, 'plan', '--quiet'], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  const seconds = (performance.now() - start) / 1000;
  const { cpu, peak } = objectOf(parsedJson(stderr.trim().split('\n').at(-1) ?? '') ?? null);
  if (status !== 0 || typeof cpu !== 'number' || typeof peak !== 'number') {
    throw new Error(`plan ended with ${status}: ${stderr}`);
  }
  return { seconds, cpu, peak };
}

const root = mkdtempSync(join(tmpdir(), 'rulewright-bench-'));
const lists = CASES.map(({ kind, size, name }) => ({
  name,
  kind,
  items: range(0, size).map((at) => item(kind, at).seed),
}));
const account = { name: 'Shop', plan: 'enterprise', features: ['account_rulesets'], lists };
writeFileSync(join(root, 'seed.json'), JSON.stringify({ version: 1, accounts: [account], zones: [] }));
for (const { kind, size, name } of CASES) {
  const folder = join(root, name);
  mkdirSync(folder);
  writeFileSync(join(folder, 'rulewright.yaml'), 'version: 1\nfiles: [account.yaml]\n');
  writeFileSync(
    join(folder, 'account.yaml'),
    `account: Shop\nlists:\n  - { name: ${name}, kind: ${kind}, items_from: items.csv }\n`,
  );
  const rows = range(different(size), size).map((at) => item(kind, at).row);
  writeFileSync(join(folder, 'items.csv'), `${[HEADER[kind], ...rows].join('\n')}\n`);
}
const service = spawn(
  process.execPath,
  [cli, 'emulator', '--port', '0', '--seed', join(root, 'seed.json'), '--unlimited', '--format', 'json'],
  { stdio: ['ignore', 'pipe', 'ignore'] },
);
try {
  const [line]: readonly unknown[] = await once(createInterface({ input: service.stdout }), 'line');
  const { baseUrl, token } = objectOf(parsedJson(String(line)) ?? null);
  const env = {
    ...process.env,
    CLOUDFLARE_BASE_URL: textOf(baseUrl),
    CLOUDFLARE_API_TOKEN: textOf(token),
  };
  const taken = new Map<string, Taken[]>();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { name } of CASES) {
      const folder = join(root, name);
      rmSync(join(folder, '.rulewright'), { recursive: true, force: true });
      for (const state of ['cold', 'warm']) {
        const key = `${name} ${state}`;
        taken.set(key, [...(taken.get(key) ?? []), plan(folder, env)]);
      }
    }
  }
  const of = (name: string, what: keyof Taken): number =>
    median((taken.get(name) ?? []).map((one) => one[what]));
  printTable(
    `plan of a list, ${DIFFERENT} items come and as many go (median of ${ROUNDS}; "+": beyond an empty list)`,
    CASES.filter(({ size }) => size > 0).flatMap(({ kind, size, name }) =>
      ['cold', 'warm'].map((state) => {
        const [own, empty] = [`${name} ${state}`, `${kind}_0 ${state}`];
        return {
          kind,
          items: size,
          cache: state,
          seconds: round(of(own, 'seconds')),
          'CPU s': round(of(own, 'cpu')),
          '+ CPU s': round(of(own, 'cpu') - of(empty, 'cpu')),
          '+ MB': Math.round(of(own, 'peak') - of(empty, 'peak')),
        };
      }),
    ),
  );
} finally {
  service.kill();
  rmSync(root, { recursive: true });
}
