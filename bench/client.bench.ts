// Reads per second of our client and of the official SDK, each in a process of its own, against a bare server in another,
// which answers fixed bytes. "undici alone" sends the same request, and parses the answer as JSON: nothing can do less.
import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { createServer } from 'node:net';
import Cloudflare from 'cloudflare';
import { Pool } from 'undici';
import { createBudget } from '../src/api/budget.ts';
import { openReadClient } from '../src/api/client.ts';
import { systemClock } from '../src/network/clock.ts';
import { getRuleset, listRulesets } from '../src/api/rulesets.ts';
import { median, printTable, round } from './table.ts';

const ROUNDS = 7;
const CONCURRENCY = 8;
const MAX_REQUESTS = 3000;
const ROUND_BYTES = 30_000_000;
const ZONE = 'a'.repeat(32);
const PREFIX = '/client/v4';

const id = (number: number): string => number.toString(16).padStart(32, '0');

const head = (number: number): Record<string, unknown> => ({
  id: id(number),
  name: 'default',
  description: '',
  kind: 'zone',
  phase: 'http_request_firewall_custom',
  version: '7',
  last_updated: '2026-01-01T00:00:00.123456Z',
});

function ruleset(rules: number): Record<string, unknown> {
  return {
    ...head(rules),
    rules: Array.from({ length: rules }, (_, index) => ({
      id: id(index + 1),
      version: '3',
      action: 'block',
      expression: `(http.host eq "shop.example" and starts_with(http.request.uri.path, "/path/${index}"))`,
      description: `What this rule is good for, number ${index}`,
      last_updated: '2026-01-01T00:00:00.123456Z',
      ref: `rule-number-${index}`,
      enabled: true,
    })),
  };
}

/** The answers by the last segment of their paths. */
const ANSWERS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['rulesets', Array.from({ length: 20 }, (_, index) => head(index + 1))],
  ...[10, 100, 1000].map((rules): [string, unknown] => [id(rules), ruleset(rules)]),
]);

const body = (result: unknown): string => JSON.stringify({ result, success: true, errors: [], messages: [] });
const requestsOf = (name: string): number =>
  Math.min(MAX_REQUESTS, Math.ceil(ROUND_BYTES / body(ANSWERS.get(name)).length));

/** Whole answers, made beforehand, with as many headers as the service sends. */
function serve(): void {
  const answers = new Map(
    [...ANSWERS].map(([name, result]) => {
      const content = body(result);
      const lines = [
        'HTTP/1.1 200 OK',
        'Date: Thu, 01 Jan 2026 00:00:00 GMT',
        'Content-Type: application/json; charset=UTF-8',
        `Content-Length: ${Buffer.byteLength(content)}`,
        'Connection: keep-alive',
        'CF-Ray: 9a1b2c3d4e5f6071-FRA',
        'CF-Cache-Status: DYNAMIC',
        'Cache-Control: no-store, no-cache, must-revalidate, post-check=0, pre-check=0',
        'Expires: Sun, 25 Jan 1981 05:00:00 GMT',
        'Pragma: no-cache',
        'Server: cloudflare',
        'Strict-Transport-Security: max-age=31536000',
        'X-Content-Type-Options: nosniff',
        'Vary: Accept-Encoding',
      ];
      return [name, Buffer.from(`${lines.join('\r\n')}\r\n\r\n${content}`)];
    }),
  );
  const server = createServer({ noDelay: true }, (socket) => {
    let text = '';
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      for (let end = text.indexOf('\r\n\r\n'); end !== -1; end = text.indexOf('\r\n\r\n')) {
        const name = /^GET \S*\/([^/?\s]+)[?\s]/.exec(text)?.[1] ?? '';
        text = text.slice(end + 4);
        socket.write(answers.get(name) ?? 'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n');
      }
    });
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    process.send?.(typeof address === 'object' && address !== null ? address.port : 0);
  });
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.(user + system);
  });
}

/** How a process reads: takes the name of an answer and gives the number of its items, which shows that all of it came. */
type Read = (name: string) => Promise<number>;

const WAYS: Readonly<Record<string, (origin: string) => Read>> = {
  'undici alone': (origin) => {
    const pool = new Pool(origin, { connections: CONCURRENCY });
    const headers = { authorization: 'Bearer bench-token', accept: 'application/json' };
    return async (name) => {
      const path = `${PREFIX}/zones/${ZONE}/rulesets${name === 'rulesets' ? '' : `/${name}`}`;
      const answer = await pool.request({ method: 'GET', path, headers });
      const { result } = JSON.parse(await answer.body.text()) as {
        result: { rules?: readonly unknown[]; length?: number };
      };
      return result.rules?.length ?? result.length ?? 0;
    };
  },
  'our client': (origin) => {
    const client = openReadClient({
      baseUrl: `${origin}${PREFIX}`,
      credentials: { kind: 'token', token: 'bench-token' },
      budget: createBudget({ clock: systemClock, limit: Infinity, limitPerSecond: Infinity }),
      concurrency: CONCURRENCY,
    });
    const scope = { kind: 'zone', id: ZONE } as const;
    return async (name) =>
      name === 'rulesets'
        ? (await listRulesets(client, scope)).length
        : (await getRuleset(client, scope, name)).rules.length;
  },
  'official SDK': (origin) => {
    const sdk = new Cloudflare({ apiToken: 'bench-token', baseURL: `${origin}${PREFIX}` });
    return async (name) =>
      name === 'rulesets'
        ? (await sdk.rulesets.list({ zone_id: ZONE })).result.length
        : (await sdk.rulesets.get(name, { zone_id: ZONE })).rules.length;
  },
};

interface Measured {
  readonly perSecond: number;
  /** CPU time of the process for one request, in microseconds. */
  readonly cpu: number;
}

/** Reads an answer, with some requests at a time, whenever its name comes as a message, and sends back what was measured. */
function read(open: (origin: string) => Read, origin: string): void {
  const one = open(origin);
  process.on('message', (name: string) => {
    void measured(one, name).then((result) => process.send?.(result));
  });
  process.send?.('ready');
}

async function measured(one: Read, name: string): Promise<Measured> {
  const answer = ANSWERS.get(name);
  const wanted = Array.isArray(answer) ? answer.length : Number.parseInt(name, 16);
  const requests = requestsOf(name);
  let left = requests;
  const before = process.cpuUsage();
  const start = performance.now();
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      while (left > 0) {
        left -= 1;
        if ((await one(name)) !== wanted) {
          throw new Error(`${name} did not come whole`);
        }
      }
    }),
  );
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(before);
  return { perSecond: requests / seconds, cpu: (user + system) / requests };
}

const [, script = '', role, origin = ''] = process.argv;
const way = WAYS[role ?? ''];
if (role === 'serve') {
  serve();
} else if (way !== undefined) {
  read(way, origin);
} else {
  await compare();
}

function start(...args: readonly string[]): ChildProcess {
  return fork(script, [...args], { execArgv: [] });
}

/** The next message of a process, after sending it one if there is one to send. */
function told<Message>(child: ChildProcess, message?: string): Promise<Message> {
  return new Promise((resolve, reject) => {
    const ended = (): void => reject(new Error('a process ended early'));
    child.once('exit', ended);
    child.once('message', (answer) => {
      child.off('exit', ended);
      resolve(answer as Message);
    });
    if (message !== undefined) {
      child.send(message);
    }
  });
}

async function compare(): Promise<void> {
  const server = start('serve');
  const children: ChildProcess[] = [server];
  try {
    const port = await told<number>(server);
    const readers = new Map<string, ChildProcess>();
    for (const name of Object.keys(WAYS)) {
      const child = start(name, `http://127.0.0.1:${port}`);
      children.push(child);
      await told(child);
      readers.set(name, child);
    }
    for (const name of ANSWERS.keys()) {
      await compareOn(name, readers, server);
    }
  } finally {
    children.forEach((child) => child.kill());
  }
}

/** Compares the ways on one answer, in turns, so that all run under the same conditions. */
async function compareOn(
  name: string,
  readers: ReadonlyMap<string, ChildProcess>,
  server: ChildProcess,
): Promise<void> {
  const rounds = new Map(
    [...readers.keys()].map((reader) => [reader, [] as (Measured & { busy: number })[]]),
  );
  for (let turn = 0; turn <= ROUNDS; turn += 1) {
    for (const [reader, child] of readers) {
      const before = await told<number>(server, 'cpu');
      const result = await told<Measured>(child, name);
      const used = (await told<number>(server, 'cpu')) - before;
      // The first round warms up.
      if (turn > 0) {
        const busy = (used / 1e6) * (result.perSecond / requestsOf(name));
        rounds.get(reader)?.push({ ...result, busy });
      }
    }
  }
  const middle = (reader: string, of: keyof Measured | 'busy'): number =>
    median((rounds.get(reader) ?? []).map((result) => result[of]));
  const kilobytes = round(body(ANSWERS.get(name)).length / 1024);
  const what = name === 'rulesets' ? 'list of 20 rulesets' : `ruleset of ${Number.parseInt(name, 16)} rules`;
  printTable(
    `GET of a ${what} (${kilobytes} KB), ${CONCURRENCY} at a time, ${requestsOf(name)} requests, median of ${ROUNDS} rounds`,
    [...readers.keys()].map((reader) => ({
      way: reader,
      'requests/s': Math.round(middle(reader, 'perSecond')),
      'to the SDK': round(middle(reader, 'perSecond') / middle('official SDK', 'perSecond')),
      'CPU µs': Math.round(middle(reader, 'cpu')),
      'CPU to the SDK': round(middle(reader, 'cpu') / middle('official SDK', 'cpu')),
      'server busy': `${Math.round(middle(reader, 'busy') * 100)} %`,
    })),
  );
}
