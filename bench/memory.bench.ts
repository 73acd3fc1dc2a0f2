// Peak memory of planning zones of twenty rules, two of them changed: a process of its own for each size and each part of
// the work, with the settings that the commands have. The service answers from the measuring process, so that its memory does not count.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBudget } from '../src/api/budget.ts';
import { systemClock } from '../src/network/clock.ts';
import { plan } from '../src/app/plan-project.ts';
import { NO_SECRETS } from '../src/app/project/project-secrets.ts';
import { runTime } from '../src/app/run/time.ts';
import { loadLarge } from '../src/app/project/load.ts';
import { writeOutput } from '../src/app/project/write-output.ts';
import { jsonPieces } from '../src/report/pieces.ts';
import { printTable, round } from './table.ts';

const SIZES = [100, 1000, 10_000];
const RULES = 20;
const PHASE = 'http_request_firewall_custom';
const PAGE = 50;

/** Node's settings for small machines, as in docs/scale.md: old and new objects are collected sooner. */
const SMALL_HEAP = ['--max-old-space-size=512', '--max-semi-space-size=2'];

const id = (number: number): string => number.toString(16).padStart(32, '0');
const expression = (zone: number, index: number): string =>
  `http.host eq "host-${index}.zone-${zone}.example" and ip.src in {192.0.2.0/24 198.51.100.${index}}`;

function zoneFile(zone: number): string {
  const rules = Array.from(
    { length: RULES },
    (_, index) => `      - ref: rule-${index}
        expression: ${expression(zone, index)}
        action: block
`,
  );
  return `zone: zone-${zone}.example\nentrypoints:\n  ${PHASE}:\n    rules:\n${rules.join('')}`;
}

const head = (zone: number): Record<string, unknown> => ({
  id: id(1_000_000 + zone),
  name: 'default',
  kind: 'zone',
  phase: PHASE,
  version: '7',
  last_updated: '2026-01-01T00:00:00Z',
});

function ruleset(zone: number): unknown {
  const rules = Array.from({ length: RULES }, (_, index) => ({
    id: id(zone * 1000 + index),
    ref: `rule-${index}`,
    action: index % 10 === 0 ? 'log' : 'block',
    expression: expression(zone, index),
    description: '',
    enabled: true,
  }));
  return { ...head(zone), rules };
}

function answer(target: string, zones: number): Record<string, unknown> {
  const { pathname, searchParams } = new URL(target, 'http://service.example');
  const [, , zoneId, , rulesetId] = pathname.split('/');
  if (zoneId === undefined) {
    const page = Number(searchParams.get('page'));
    const from = (page - 1) * PAGE;
    const result = Array.from({ length: Math.max(0, Math.min(PAGE, zones - from)) }, (_, index) => ({
      id: id(from + index + 1),
      name: `zone-${from + index + 1}.example`,
      account: { id: id(0xacc), name: 'Example' },
    }));
    const totals = { total_count: zones, total_pages: Math.ceil(zones / PAGE) };
    return { result, result_info: { page, per_page: PAGE, count: result.length, ...totals } };
  }
  const zone = Number.parseInt(zoneId, 16);
  return { result: rulesetId === undefined ? [head(zone)] : ruleset(zone) };
}

/** What a separate process does before it reports its peak. */
type Part = 'nothing' | 'load' | 'plan' | 'save';

async function work(part: Part, folder: string, baseUrl: string): Promise<unknown> {
  if (part === 'nothing') {
    return null;
  }
  if (part === 'load') {
    return loadLarge({ cwd: folder, paths: [], targets: [] });
  }
  const budget = createBudget({ clock: systemClock, limit: Infinity, limitPerSecond: Infinity });
  const planned = await plan(
    { cwd: folder, paths: [], targets: [] },
    {
      service: { kind: 'service', baseUrl, credentials: { kind: 'token', token: 'bench' } },
      env: {},
      secrets: NO_SECRETS,
      concurrency: 8,
      ...runTime(),
      budget,
    },
    () => undefined,
  );
  if (planned.kind === 'invalid' || planned.plan.scopes.some(({ kind }) => kind === 'failed')) {
    throw new Error('the plan failed');
  }
  if (part === 'save') {
    await writeOutput({ cwd: folder, path: 'plan.json' }, jsonPieces(planned.plan));
  }
  return planned;
}

interface Memory {
  readonly peak: number;
  readonly kept: number;
  readonly cpuSeconds: number;
}

const [, script = '', part, folder = '', baseUrl = ''] = process.argv;
if (part === 'nothing' || part === 'load' || part === 'plan' || part === 'save') {
  const result = await work(part, folder, baseUrl);
  globalThis.gc?.();
  const kept = process.memoryUsage().heapUsed;
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const cpuSeconds = (userCPUTime + systemCPUTime) / 1e6;
  const memory: Memory = { peak: maxRSS / 1024, kept: kept / 1024 / 1024, cpuSeconds };
  // Naming the result here keeps it alive until now.
  console.log(JSON.stringify(result === undefined ? null : memory));
} else {
  await measureAll();
}

function measure(
  what: Part,
  at: { readonly folder: string; readonly baseUrl: string },
  ...flags: readonly string[]
): Promise<Memory> {
  const args = ['--expose-gc', ...flags, script, what, at.folder, at.baseUrl];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const chunks: string[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk.toString()));
  return new Promise((resolve, reject) => {
    child.once('close', (code) => {
      if (code === 0) {
        resolve(JSON.parse(chunks.join('')) as Memory);
      } else {
        reject(new Error(`${what} ended with ${code}`));
      }
    });
  });
}

async function measureAll(): Promise<void> {
  const rows: Record<string, string | number>[] = [];
  for (const zones of SIZES) {
    const at = mkdtempSync(join(tmpdir(), 'rulewright-bench-'));
    const server = createServer((request, response) => {
      const body = { success: true, errors: [], messages: [], ...answer(request.url ?? '', zones) };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
    try {
      mkdirSync(join(at, 'zones'));
      writeFileSync(join(at, 'rulewright.yaml'), 'version: 1\nfiles: [zones/*.yaml]\n');
      for (let zone = 1; zone <= zones; zone += 1) {
        writeFileSync(join(at, 'zones', `${zone}.yaml`), zoneFile(zone));
      }
      await new Promise<void>((resolve) => {
        server.listen(0, '127.0.0.1', resolve);
      });
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      const where = { folder: at, baseUrl: `http://127.0.0.1:${port}` };
      const nothing = await measure('nothing', where);
      const load = await measure('load', where);
      const planned = await measure('plan', where);
      const small = await measure('plan', where, ...SMALL_HEAP);
      const saved = await measure('save', where);
      rows.push({
        zones,
        rules: zones * RULES,
        'empty, peak MB': round(nothing.peak),
        'files read, peak': round(load.peak),
        'planned, peak': round(planned.peak),
        'planned in a small heap, peak': round(small.peak),
        'and saved, peak': round(saved.peak),
        'files read, kept MB': round(load.kept),
        'planned, kept': round(planned.kept),
        'planned, CPU s': round(planned.cpuSeconds),
        'in a small heap, CPU s': round(small.cpuSeconds),
      });
    } finally {
      server.closeAllConnections();
      server.close();
      rmSync(at, { recursive: true });
    }
  }
  printTable(`Memory of plan, ${RULES} rules a zone`, rows);
}
