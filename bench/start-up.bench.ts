// Wall time of whole commands above that of an empty Node process, interleaved so that all meet the same machine.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { median, printTable, round } from './table.ts';

const RUNS = 25;
const SIZES = [1, 10, 100];
const RULES = 10;
const cli = join(process.cwd(), 'dist', 'cli', 'main.js');

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

/** Writes a program that only parses the zone files of a project, as anybody has the YAML library. */
function writeBareParse(project: string): string {
  const yaml = pathToFileURL(join(process.cwd(), 'node_modules', 'yaml', 'dist', 'index.js')).href;
  const zones = JSON.stringify(join(project, 'zones'));
  const program = join(project, 'bare.mjs');
  writeFileSync(
    program,
    `import { readdirSync, readFileSync } from 'node:fs';
import yaml from '${yaml}';
for (const file of readdirSync(${zones})) yaml.parse(readFileSync(${zones} + '/' + file, 'utf8'));
`,
  );
  return program;
}

const folder = mkdtempSync(join(tmpdir(), 'rulewright-bench-'));
try {
  const empty = join(folder, 'empty.mjs');
  writeFileSync(empty, '');
  const emptyCommonJs = join(folder, 'empty.cjs');
  writeFileSync(emptyCommonJs, '');
  const commands = new Map<string, readonly string[]>([
    ['empty Node process', [empty]],
    ['empty file of CommonJS', [emptyCommonJs]],
    ['--help', [cli, '--help']],
    ...SIZES.flatMap((files): [string, readonly string[]][] => {
      const project = writeProject(join(folder, String(files)), files);
      return [
        [`bare parse, ${files} files of ${RULES} rules`, [writeBareParse(project)]],
        [`validate, ${files} files of ${RULES} rules`, [cli, 'validate', project]],
      ];
    }),
  ]);
  const times = new Map([...commands.keys()].map((name) => [name, [] as number[]]));
  // An extra first run fills the caches of the machine, and Node's own, so that the measured ones are later runs.
  for (let run = -1; run < RUNS; run += 1) {
    for (const [name, args] of commands) {
      const start = performance.now();
      const { status, stderr } = spawnSync(process.execPath, args, {
        encoding: 'utf8',
        env: { ...process.env, NODE_EXTRA_CA_CERTS: '' },
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
