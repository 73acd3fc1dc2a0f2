// Wall time of whole commands against an empty Node process, interleaved so that all meet the same machine.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, printTable, round } from './table.ts';

const RUNS = 15;
const folder = mkdtempSync(join(tmpdir(), 'rulewright-bench-'));
const empty = join(folder, 'empty.mjs');
writeFileSync(empty, '');
const cli = join(process.cwd(), 'dist', 'cli', 'main.js');
const commands: Readonly<Record<string, readonly string[]>> = {
  'empty Node process': [empty],
  '--help': [cli, '--help'],
  'validate examples/shop': [cli, 'validate', join('examples', 'shop')],
};

try {
  const times = new Map(Object.keys(commands).map((name) => [name, [] as number[]]));
  for (let run = 0; run < RUNS; run += 1) {
    for (const [name, args] of Object.entries(commands)) {
      const start = performance.now();
      const { status, stderr } = spawnSync(process.execPath, [...args], { encoding: 'utf8' });
      times.get(name)?.push(performance.now() - start);
      if (status !== 0) {
        throw new Error(`${name} ended with ${status}: ${stderr}`);
      }
    }
  }
  const base = median(times.get('empty Node process') ?? []);
  printTable(
    `Start-up, median of ${RUNS} runs`,
    [...times].map(([name, list]) => ({
      command: name,
      ms: round(median(list)),
      ratio: round(median(list) / base),
    })),
  );
} finally {
  rmSync(folder, { recursive: true });
}
