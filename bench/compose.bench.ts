// Loading, composing and validating zones of a hundred rules: from plain files, and from a pack with variables.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { loadProject } from '../src/config/load-project.ts';
import { parseAsBundled } from './bundled-yaml.ts';
import { leastCpu, printTable, round } from './table.ts';

const SIZES = [10, 100, 1000];
const RULES = 100;
const PHASE = 'http_request_firewall_custom';

/** A rule with an expression of its own in each zone, unless a variable makes the difference. */
function rule(number: number, host: string, indent: string): string {
  return [
    `- ref: rule-${number}`,
    `  description: Rule ${number}`,
    `  expression: http.host eq ${host} and ip.src in {192.0.2.0/24 198.51.100.${number}}`,
    `  action: ${number % 3 === 0 ? 'block' : 'managed_challenge'}`,
  ]
    .map((line) => `${indent}${line}\n`)
    .join('');
}

function rules(host: (number: number) => string, indent: string): string {
  return Array.from({ length: RULES }, (_, number) => rule(number, host(number), indent)).join('');
}

function zones(count: number, body: (zone: number) => string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, zone) => [
      `zones/${zone}.yaml`,
      `zone: zone-${zone}.example\nvars: { domain: zone-${zone}.example }\nentrypoints:\n  ${PHASE}:\n    rules:\n${body(zone)}`,
    ]),
  );
}

const PROJECT = 'version: 1\nfiles: [zones/*.yaml]\n';

type Files = Readonly<Record<string, string>>;

function plain(count: number): Files {
  return zones(count, (zone) => rules((number) => `"host-${number}.zone-${zone}.example"`, '      '));
}

const projects: readonly (readonly [name: string, files: (count: number) => Files])[] = [
  ['plain files', (count) => ({ ...plain(count), 'rulewright.yaml': PROJECT })],
  [
    'plain files, a variable a rule',
    (count) => ({
      ...zones(count, () => rules((number) => `"host-${number}.\${domain}"`, '      ')),
      'rulewright.yaml': PROJECT,
    }),
  ],
  [
    'a pack of 100 rules in each zone',
    (count) => ({
      ...zones(count, () => '      - use: base\n        with: { site: "${domain}" }\n'),
      'packs/base.yaml': `pack: base\nparams: { site: { type: string } }\nrules:\n${rules((number) => `"host-${number}.\${site}"`, '  ')}`,
      'rulewright.yaml': `${PROJECT}packs: [packs/*.yaml]\n`,
    }),
  ],
];

const rows: Record<string, string | number>[] = [];
for (const count of SIZES) {
  const texts = Object.values(plain(count));
  for (const [name, filesOf] of projects) {
    const folder = mkdtempSync(join(tmpdir(), 'rulewright-bench-'));
    try {
      for (const [path, text] of Object.entries(filesOf(count))) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), text);
      }
      const loaded = await loadProject({ cwd: folder });
      const found =
        loaded.kind === 'loaded'
          ? loaded.project.scopes.flatMap(({ rulesets }) => rulesets.flatMap((one) => one.rules)).length
          : 0;
      if (found !== count * RULES) {
        throw new Error(JSON.stringify(loaded.diagnostics.slice(0, 3)));
      }
      const least = await leastCpu(count > 100 ? 1 : 5, {
        parse: () => texts.map((text) => parse(text) as unknown),
        bundled: () => texts.map((text) => parseAsBundled(text) as unknown),
        unchecked: () => loadProject({ cwd: folder, checkExpression: () => [] }),
        whole: () => loadProject({ cwd: folder }),
      });
      rows.push({
        project: name,
        rules: count * RULES,
        'YAML library alone, ms': round(least.parse),
        'as bundled, of it': round(least.bundled / least.parse),
        'all checks, ms': round(least.whole),
        'all but expressions, of it': round(least.unchecked / least.parse),
        'all checks, of it': round(least.whole / least.parse),
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
}
printTable(
  `Zones of ${RULES} rules from YAML to desired; user CPU, the least of some runs by turns, as multiples of what the YAML library takes to parse the plain files`,
  rows,
);
