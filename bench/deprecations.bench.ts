// `deprecations scan` of logs of requests, against reading the same files line by line, alone and with `JSON.parse` of each line.
import { createReadStream, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { scanDeprecations } from '../src/legacy/deprecations/scan-deprecations.ts';
import { leastCpu, printTable, round } from './table.ts';

const SIZES = [1000, 10_000, 100_000];
const ZONE = '0123456789abcdef0123456789abcdef';

/** Of a hundred requests one asks for what is retired, nine for other things of the service, the rest for things of others. */
function pathOf(number: number): string {
  if (number % 100 === 0) {
    return `/client/v4/zones/${ZONE}/firewall/rules?page=${number}`;
  }
  return number % 10 === 0
    ? `/client/v4/zones/${ZONE}/rulesets/phases/http_ratelimit/entrypoint?n=${number}`
    : `/shop/catalog/product-${number}?size=large&colour=${number % 7}`;
}

function line(number: number): string {
  return JSON.stringify({
    time: new Date(1_700_000_000_000 + number * 1000).toISOString(),
    method: number % 3 === 0 ? 'GET' : 'POST',
    host: number % 10 === 0 ? 'api.cloudflare.com' : 'shop.example',
    path: pathOf(number),
    status: 200,
    agent: 'Mozilla/5.0 (X11; Linux x86_64)',
    client: { address: `192.0.2.${number % 256}`, country: 'CH' },
  });
}

async function readLines(path: string, each: (text: string) => unknown): Promise<number> {
  let count = 0;
  for await (const text of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    each(text);
    count += 1;
  }
  return count;
}

const folder = mkdtempSync(join(tmpdir(), 'rulewright-bench-'));
try {
  const rows: Record<string, string | number>[] = [];
  for (const lines of SIZES) {
    const path = join(folder, `${lines}.log`);
    writeFileSync(path, Array.from({ length: lines }, (_, number) => `${line(number)}\n`).join(''));
    const scan = (): ReturnType<typeof scanDeprecations> =>
      scanDeprecations({ cwd: folder, paths: [path], report: () => undefined });
    const { uses, more } = await scan();
    if (uses.length + more !== lines / 100) {
      throw new Error(`found ${uses.length + more} uses in ${lines} lines`);
    }
    const least = await leastCpu(5, {
      lines: () => readLines(path, () => undefined),
      parsed: () => readLines(path, (text) => JSON.parse(text) as unknown),
      scan,
    });
    const megabytes = statSync(path).size / 1_000_000;
    rows.push({
      lines,
      MB: round(megabytes),
      'lines alone, ms': round(least.lines),
      'with JSON.parse, of it': round(least.parsed / least.lines),
      'scan, of it': round(least.scan / least.lines),
      'scan, MB/s': round((megabytes / least.scan) * 1000),
    });
  }
  printTable(
    'Logs of requests, one in a hundred of what is retired; user CPU, the least of 5 by turns',
    rows,
  );
} finally {
  rmSync(folder, { recursive: true });
}
