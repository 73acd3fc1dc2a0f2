// Wall time of whole commands above that of an empty Node process, interleaved so that all meet the same machine.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, printTable, round } from './table.ts';

const RUNS = 25;
const SIZES = [1, 10, 100];
const RULES = 10;
const cli = join(process.cwd(), 'dist', 'cli', 'main.js');

/** The command line as a package holds it: without compiled code, which is kept in the cache of the user. */
function writePackage(folder: string): string {
  const path = join(folder, 'package', 'dist', 'cli');
  cpSync(join(process.cwd(), 'package.json'), join(folder, 'package', 'package.json'));
  cpSync(join(process.cwd(), 'dist', 'cli'), path, {
    recursive: true,
    filter: (file) => !file.includes('compiled'),
  });
  return join(path, 'main.js');
}

/** A project of some zones, one a file. */
function writeProject(folder: string, files: number): string {
  mkdirSync(join(folder, 'zones'), { recursive: true });
  writeFileSync(join(folder, 'rulewright.yaml'), 'version: 1\nfiles: [zones/*.yaml]\n');
  for (let zone = 1; zone <= files; zone += 1) {
    const rules = Array.from(
      { length: RULES },
      (_, index) => `      - ref: rule-${index}
        description: What this rule is good for, number ${index}
        expression: http.host eq "host-${index}.zone-${zone}.example" and starts_with(http.request.uri.path, "/path/${index}")
        action: block
`,
    );
    writeFileSync(
      join(folder, 'zones', `${zone}.yaml`),
      `zone: zone-${zone}.example\nentrypoints:\n  http_request_firewall_custom:\n    rules:\n${rules.join('')}`,
    );
  }
  return folder;
}

interface Command {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Whether every run is to be the first one. */
  readonly isFirst?: boolean;
}

const folder = mkdtempSync(join(tmpdir(), 'rulewright-bench-'));
try {
  const empty = join(folder, 'empty.mjs');
  writeFileSync(empty, '');
  const emptyCommonJs = join(folder, 'empty.cjs');
  writeFileSync(emptyCommonJs, '');
  const packed = writePackage(folder);
  const cache = join(folder, 'cache');
  const inPackage = [packed, 'validate', writeProject(join(folder, 'smallest'), 1)];
  const commands = new Map<string, Command>([
    ['empty Node process', { args: [empty] }],
    ['empty file of CommonJS', { args: [emptyCommonJs] }],
    ['--help', { args: [cli, '--help'] }],
    ['--help, in a package', { args: [packed, '--help'] }],
    ['validate, 1 file, in a package', { args: inPackage }],
    [
      'the same, the first run',
      { args: inPackage, env: { XDG_CACHE_HOME: join(folder, 'first') }, isFirst: true },
    ],
    ['the same, nothing kept', { args: inPackage, env: { NODE_DISABLE_COMPILE_CACHE: '1' } }],
    ...SIZES.map((files): [string, Command] => [
      `validate, ${files} files of ${RULES} rules`,
      { args: [cli, 'validate', writeProject(join(folder, String(files)), files)] },
    ]),
  ]);
  const times = new Map([...commands.keys()].map((name) => [name, [] as number[]]));
  // An extra first run fills the compile cache, so that the measured ones are later runs.
  for (let run = -1; run < RUNS; run += 1) {
    for (const [name, { args, env, isFirst = false }] of commands) {
      if (isFirst) {
        rmSync(join(folder, 'first'), { recursive: true, force: true });
      }
      const start = performance.now();
      const { status, stderr } = spawnSync(process.execPath, [...args], {
        encoding: 'utf8',
        env: { ...process.env, NODE_EXTRA_CA_CERTS: '', XDG_CACHE_HOME: cache, ...env },
      });
      const time = performance.now() - start;
      if (status !== 0) {
        throw new Error(`${name} ended with ${status}: ${stderr}`);
      }
      if (run >= 0) {
        times.get(name)?.push(time);
      }
    }
  }
  const [base = []] = times.values();
  printTable(
    `Start-up, ${RUNS} runs; the least is what the machine can do when nothing disturbs it`,
    [...times].map(([command, list]) => ({
      command,
      'median ms': round(median(list)),
      'above empty': round(median(list) - median(base)),
      'least ms': round(Math.min(...list)),
      'least above empty': round(Math.min(...list) - Math.min(...base)),
    })),
  );
} finally {
  rmSync(folder, { recursive: true });
}
