// Validating and planning 10,000 rules: one hundred zones with a hundred rules each, a tenth of them changed.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { loadProject } from '../src/config/load-project.ts';
import type { LiveRule } from '../src/model/rule.ts';
import type { DesiredScope, LiveScope } from '../src/model/state.ts';
import { makePlan } from '../src/plan/document/make-plan.ts';
import { planScope } from '../src/plan/plan-scope.ts';
import { medianTime, printTable, round } from './table.ts';

const RULES = 100;
const PHASE = 'http_request_firewall_custom';

function zoneFile(zone: number): string {
  const rules = Array.from(
    { length: RULES },
    (_, rule) => `      - ref: rule-${rule}
        description: Rule ${rule}
        expression: http.host eq "host-${rule}.example" and ip.src in {192.0.2.0/24 198.51.100.${rule}}
        action: ${rule % 3 === 0 ? 'block' : 'managed_challenge'}
`,
  );
  return `zone: zone-${zone}.example\nentrypoints:\n  ${PHASE}:\n    rules:\n${rules.join('')}`;
}

function id(number: number): string {
  return number.toString(16).padStart(32, '0');
}

/** Live state as the files declare it, except for every tenth rule. */
function liveOf(desired: DesiredScope, number: number): LiveScope {
  const rules = (desired.rulesets[0]?.rules ?? []).map((rule, index): LiveRule => ({
    id: id(index + 1),
    ref: rule.ref ?? '',
    content: index % 10 === 0 ? { ...rule.content, action: 'log' } : rule.content,
  }));
  return {
    scope: { kind: 'zone', id: id(number), name: desired.scope.name, accountId: id(1) },
    catalogue: [],
    entries: [
      {
        address: { kind: 'entrypoint', phase: PHASE },
        slot: {
          kind: 'present',
          ruleset: {
            id: id(9),
            name: 'default',
            description: '',
            kind: 'zone',
            phase: PHASE,
            version: '1',
            lastUpdated: '',
            rules,
          },
        },
      },
    ],
  };
}

const rows: Record<string, string | number>[] = [];
for (const zones of [1, 10, 100]) {
  const folder = mkdtempSync(join(tmpdir(), 'rulewright-bench-'));
  try {
    mkdirSync(join(folder, 'zones'));
    writeFileSync(join(folder, 'rulewright.yaml'), 'version: 1\nfiles: [zones/*.yaml]\n');
    const texts = Array.from({ length: zones }, (_, zone) => zoneFile(zone));
    texts.forEach((text, zone) => writeFileSync(join(folder, 'zones', `${zone}.yaml`), text));
    const loaded = await loadProject({ cwd: folder });
    if (loaded.kind === 'invalid') {
      throw new Error(JSON.stringify(loaded.diagnostics.slice(0, 3)));
    }
    const { scopes } = loaded.project;
    const live = scopes.map((scope, index) => liveOf(scope, index + 1));
    const bodies = JSON.stringify(live);
    const runs = zones === 100 ? 3 : 5;
    const parsing = await medianTime(runs, () => texts.map((text) => parse(text) as unknown));
    const loading = await medianTime(runs, () => loadProject({ cwd: folder }));
    const json = await medianTime(runs, () => JSON.parse(bodies) as unknown);
    const planning = await medianTime(runs, () =>
      makePlan(
        'bench',
        scopes.map((scope, index) => planScope(scope, live[index] ?? liveOf(scope, index))),
      ),
    );
    rows.push({
      rules: zones * RULES,
      'yaml ms': round(parsing),
      'validate ms': round(loading),
      'validate/yaml': round(loading / parsing),
      'JSON.parse ms': round(json),
      'plan ms': round(planning),
      'plan/JSON.parse': round(planning / json),
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
printTable('Validate and plan', rows);
