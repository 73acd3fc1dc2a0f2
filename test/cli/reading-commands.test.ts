import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { buildCommandLine, loadCommands } from '../../src/start/application.ts';
import { shopSeed, startEmulator } from '../../src/emulator/index.ts';
import { isJsonArray } from '../../src/data/json.ts';
import { createFakeClock } from '../fake-clock.ts';
import { commandLines } from './command-lines.ts';
import { rulewright } from './in-process.ts';

/** A token that nothing else in the seed contains, so that each occurrence is a leak. */
const TOKEN = 'canary-token-canary-token-canary-token-1';

/** Commands that read from the service and write nothing there, with their exit codes, in an order in which each has something to do. */
const READING: readonly (readonly [string, number])[] = [
  ['plan --verbose --preflight --out plan.json', 0],
  ['plan --format json --output again.json', 0],
  ['plan --no-cache --report html=plan.html --report markdown=plan.md', 0],
  ['drift --verbose --unmanaged --metrics drift.prom', 2],
  ['apply --verbose --dry-run --journal dry.jsonl', 0],
  ['apply plan.json --dry-run', 0],
  // Refused because there is no terminal to confirm on.
  ['apply --journal refused.jsonl', 3],
  ['rollback shop.example http_request_firewall_custom --to 4', 3],
  ['import --verbose --zone shop.example --out imported', 0],
  ['init --zone blog.example', 0],
  ['doctor --verbose', 0],
  ['catalog --lock', 0],
  ['versions shop.example http_request_firewall_custom --verbose', 0],
  ['explain https://shop.example/admin --live', 0],
  ['replay --log requests.jsonl', 0],
  // No analytics are kept for the time at which the run's clock stands.
  ['usage --verbose', 1],
  ['firewall list blog.example', 0],
  ['firewall convert blog.example --order list --out converted.yaml', 0],
  ['ratelimits list blog.example', 0],
  ['ratelimits convert blog.example --out limits.yaml', 0],
  ['pagerules list blog.example', 0],
  ['pagerules convert blog.example', 0],
  ['waf check api.example', 2],
  ['waf config blog.example --output waf.yaml', 0],
  ['waf status', 0],
];

/** Commands that write to the service. */
const WRITING = [
  'apply',
  'rollback',
  'versions',
  'firewall retire',
  'ratelimits retire',
  'pagerules retire',
  'waf remove-overrides',
  'waf validate',
  'waf finish',
  // With --apply.
  'watch',
];

/** Commands that send no request to the service. */
const APART = [
  'validate',
  'fmt',
  'merge',
  'test',
  'explain',
  'expression parse',
  'expression eval',
  'deprecations list',
  'deprecations scan',
  'github plan-comment',
  'github drift-issue',
  'github summary',
  'gitlab plan-note',
  'gitlab drift-issue',
  'cache prune',
  'emulator',
  'lsp',
  'schema',
  'completion',
  'version',
];

const LINES = commandLines(buildCommandLine('1.2.3', await loadCommands('all')).root).map((words) =>
  words.join(' '),
);
const COMMANDS = LINES.filter((line) => !LINES.some((other) => other.startsWith(`${line} `)));

/** A zone file with a rule for the given path. */
const fileWith = (path: string): string => `zone: shop.example
entrypoints:
  http_request_firewall_custom:
    ownership: { rules: [team-*] }
    rules:
      - { ref: team-a, expression: 'http.request.uri.path eq "${path}"', action: block }
`;

/** Whether a request changed something, or is neither a read nor a dry run. */
function isWrite(request: unknown): boolean {
  const { method, path, wrote } = Object(request);
  // Analytics are asked by POST.
  const isQuestion = String(path).includes('dry_run=') || path === '/client/v4/graphql';
  return wrote === true || (method !== 'GET' && !isQuestion);
}

/** A project with its own service. */
async function setUp() {
  const folder = await mkdtemp(join(tmpdir(), 'rulewright-reading-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const emulator = await startEmulator({ seed: { ...Object(shopSeed), token: TOKEN }, budget: 'off' });
  onTestFinished(() => emulator.close());
  await mkdir(join(folder, 'begun'));
  await writeFile(join(folder, 'rulewright.yaml'), 'version: 1\nfiles: [shop.yaml]\n');
  await writeFile(join(folder, 'shop.yaml'), fileWith('/a'));
  await writeFile(join(folder, 'requests.jsonl'), '{"url":"https://shop.example/a"}\n');
  const env = { CLOUDFLARE_BASE_URL: emulator.baseUrl, CLOUDFLARE_API_TOKEN: TOKEN };
  return {
    folder,
    run: (line: string) => {
      const cwd = line.startsWith('init') ? join(folder, 'begun') : folder;
      return rulewright(line.split(' '), { cwd, env, clock: createFakeClock() });
    },
    /** The writes that the service got since the last call. */
    writes: async (): Promise<readonly unknown[]> => {
      const url = `${emulator.controlUrl}/requests`;
      const sent: unknown = await (await fetch(url)).json();
      await fetch(url, { method: 'DELETE' });
      return isJsonArray(sent) ? sent.filter((request) => isWrite(request)) : [sent];
    },
  };
}

describe('the commands that only read', () => {
  it('are all commands that this file does not list as writing or offline', () => {
    const told = [
      ...READING.map(([line]) => COMMANDS.find((one) => line.startsWith(one)) ?? line),
      ...WRITING,
      ...APART,
    ];
    expect([...new Set(told)].sort()).toEqual([...COMMANDS].sort());
  });

  it('send no write to the service, and leave the token in no output and no file', async () => {
    const { folder, run, writes } = await setUp();
    expect(await run('apply --yes --journal first.jsonl')).toMatchObject({ code: 0 });
    expect(await writes()).not.toEqual([]);
    await writeFile(join(folder, 'shop.yaml'), fileWith('/other'));
    for (const [line, code] of READING) {
      const ended = await run(line);
      const said = ended.stdout + ended.stderr;
      expect([line, ended.code, await writes(), said]).toEqual([
        line,
        code,
        [],
        expect.not.stringContaining(TOKEN),
      ]);
    }
    const names = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = names.filter((entry) => entry.isFile());
    const texts = await Promise.all(
      files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1')),
    );
    expect(files.filter((_file, index) => texts[index]?.includes(TOKEN)).map(({ name }) => name)).toEqual([]);
    expect(files.length).toBeGreaterThan(10);
  });
});
