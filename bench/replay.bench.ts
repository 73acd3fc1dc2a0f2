// A million records of Logpush (or REPLAY_RECORDS) through a hundred rules, live and wanted: without and with a rate limit, which has to count in the
// order of time. The records come from a seed; how long reading them as JSON alone takes stands beside it.
import { createWriteStream } from 'node:fs';
import { copyFile, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { fileLog, replay } from '../src/traffic/index.ts';
import { logpushRecords } from './logpush-records.ts';
import { hundredRules } from './replay-zone.ts';
import { printTable, round } from './table.ts';

const RECORDS = Number(process.env['REPLAY_RECORDS'] ?? '1000000');
const file = join(tmpdir(), `rulewright-replay-bench-${process.pid}.ndjson`);

async function writeRecords(): Promise<void> {
  const make = logpushRecords({ host: 'shop.example', seed: 7 });
  const out = createWriteStream(file);
  for (let index = 0; index < RECORDS; index += 500) {
    const lines = Array.from({ length: Math.min(500, RECORDS - index) }, (_, more) => make(index + more));
    if (!out.write(`${lines.join('\n')}\n`)) {
      await once(out, 'drain');
    }
  }
  out.end();
  await once(out, 'close');
}

interface Measured {
  readonly seconds: number;
  readonly cpu: number;
}

async function measure(work: () => Promise<unknown>): Promise<Measured> {
  const before = process.cpuUsage();
  const start = performance.now();
  await work();
  const { user, system } = process.cpuUsage(before);
  return { seconds: (performance.now() - start) / 1000, cpu: (user + system) / 1e6 };
}

async function parseAll(): Promise<void> {
  const handle = await open(file);
  for await (const line of handle.readLines()) {
    JSON.parse(line);
  }
}

function replayAll(limits: boolean): Promise<unknown> {
  return replay(
    { logs: [fileLog(file, file)], format: null, plan: '' },
    { zones: [hundredRules({ limits })], hostless: null, networks: {}, showAddresses: false, sampled: false },
  );
}

try {
  // Threads run a file that stands beside this one, as it does in the program.
  await copyFile('dist/cli/replay-thread.cjs', new URL('replay-thread.cjs', import.meta.url));
  await writeRecords();
  const cases: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['replay', () => replayAll(false)],
    ['replay with a rate limit', () => replayAll(true)],
    ['JSON alone, line by line', parseAll],
  ];
  const rows: Record<string, string | number>[] = [];
  for (const [what, work] of cases) {
    const { seconds, cpu } = await measure(work);
    rows.push({
      [`${RECORDS} records`]: what,
      'wall s': round(seconds),
      'CPU s': round(cpu),
      'µs each': round((cpu * 1e6) / RECORDS),
      'peak MB': round(process.resourceUsage().maxRSS / 1024),
    });
  }
  printTable('Replay: records of Logpush through a hundred rules, live and wanted', rows);
} finally {
  await rm(file, { force: true });
}
