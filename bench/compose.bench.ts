// Loading, composing and validating one hundred zones of a hundred rules: from plain files, and from a pack with variables.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { loadProject } from '../src/config/load-project.ts';
import { medianTime, printTable, round } from './table.ts';

const ZONES = 100;
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

function zones(body: (zone: number) => string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Array.from({ length: ZONES }, (_, zone) => [
      `zones/${zone}.yaml`,
      `zone: zone-${zone}.example\nvars: { domain: zone-${zone}.example }\nentrypoints:\n  ${PHASE}:\n    rules:\n${body(zone)}`,
    ]),
  );
}

const PROJECT = 'version: 1\nfiles: [zones/*.yaml]\n';
const plain = zones((zone) => rules((number) => `"host-${number}.zone-${zone}.example"`, '      '));

const projects: readonly (readonly [name: string, files: Readonly<Record<string, string>>])[] = [
  ['plain files', { ...plain, 'rulewright.yaml': PROJECT }],
  [
    'plain files with a variable a rule',
    {
      ...zones(() => rules((number) => `"host-${number}.\${domain}"`, '      ')),
      'rulewright.yaml': PROJECT,
    },
  ],
  [
    'a pack of 100 rules in each zone',
    {
      ...zones(() => '      - use: base\n        with: { site: "${domain}" }\n'),
      'packs/base.yaml': `pack: base\nparams: { site: { type: string } }\nrules:\n${rules((number) => `"host-${number}.\${site}"`, '  ')}`,
      'rulewright.yaml': `${PROJECT}packs: [packs/*.yaml]\n`,
    },
  ],
];

const texts = Object.values(plain);
const parsing = await medianTime(3, () => texts.map((text) => parse(text) as unknown));
const rows: Record<string, string | number>[] = [];
for (const [name, files] of projects) {
  const folder = mkdtempSync(join(tmpdir(), 'rulewright-bench-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const loaded = await loadProject({ cwd: folder });
    const count =
      loaded.kind === 'loaded'
        ? loaded.project.scopes.flatMap(({ rulesets }) => rulesets.flatMap((one) => one.rules)).length
        : 0;
    if (count !== ZONES * RULES) {
      throw new Error(JSON.stringify(loaded.diagnostics.slice(0, 3)));
    }
    const unchecked = await medianTime(3, () => loadProject({ cwd: folder, checkExpression: () => [] }));
    const whole = await medianTime(3, () => loadProject({ cwd: folder }));
    rows.push({
      project: name,
      'without expressions, ms': round(unchecked),
      'load, compose, validate, ms': round(whole),
      'of parsing plain YAML': round(whole / parsing),
      'without expressions, of it': round(unchecked / parsing),
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
printTable(
  `${ZONES} zones of ${RULES} rules; parsing the plain files with the YAML library alone: ${round(parsing)} ms`,
  rows,
);
