// Requests that an import of zones with eight phases makes, counted by the embedded service, against one GET a phase and, with
// the ids known beforehand, one GET a ruleset. Deterministic: the figures are the same on every machine.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importScopes } from '../src/app/import.ts';
import { NO_SECRETS } from '../src/app/project/project-secrets.ts';
import { runTime } from '../src/app/run/time.ts';
import { runBudget } from '../src/app/service/run-budget.ts';
import { startEmulator } from '../src/emulator/index.ts';
import { printTable, round } from './table.ts';

const PHASES = 8;
/** The phases that have an entry point, each with two rules. */
const RULES: Readonly<Record<string, object>> = {
  http_request_firewall_custom: { action: 'log' },
  http_ratelimit: {
    action: 'block',
    ratelimit: {
      characteristics: ['ip.src', 'cf.colo.id'],
      period: 60,
      requests_per_period: 5,
      mitigation_timeout: 600,
    },
  },
  http_request_transform: { action: 'rewrite', action_parameters: { uri: { path: { value: '/' } } } },
  http_request_late_transform: {
    action: 'rewrite',
    action_parameters: { headers: { 'x-from': { operation: 'set', value: 'edge' } } },
  },
  http_request_cache_settings: { action: 'set_cache_settings', action_parameters: { cache: false } },
  http_request_origin: { action: 'route', action_parameters: { host_header: 'origin.example' } },
};
const PRESENT = Object.keys(RULES).length;

for (const count of [1, 10, 100]) {
  const account = 'Shop';
  const zones = Array.from({ length: count }, (_, index) => ({
    name: `shop-${index}.example`,
    account,
    plan: 'enterprise',
    rulesets: Object.entries(RULES).map(([phase, rule]) => ({
      kind: 'zone',
      phase,
      name: 'default',
      rules: ['one', 'two'].map((ref) => ({ ref, expression: `http.host eq "${ref}.example"`, ...rule })),
    })),
  }));
  const emulator = await startEmulator({
    budget: 'off',
    seed: { version: 1, accounts: [{ name: account, plan: 'enterprise' }], zones },
  });
  const folder = mkdtempSync(join(tmpdir(), 'rulewright-bench-'));
  try {
    const { baseUrl, token } = emulator;
    const result = await importScopes(
      {
        cwd: folder,
        zones: zones.map(({ name }) => name),
        accounts: [],
        allZones: false,
        nameRules: false,
        withSettings: false,
        unmanaged: false,
        discard: false,
        dryRun: false,
      },
      {
        service: { kind: 'service', baseUrl, credentials: { kind: 'token', token } },
        env: {},
        secrets: NO_SECRETS,
        concurrency: 4,
        ...runTime(),
        budget: runBudget(),
      },
      () => undefined,
    );
    if (result.kind !== 'imported') {
      throw new Error(JSON.stringify(result));
    }
    const sent = (await (await fetch(`${emulator.controlUrl}/requests`)).json()) as readonly unknown[];
    const rows = [
      { way: 'rulewright import', requests: sent.length },
      { way: 'one GET a phase', requests: count * PHASES },
      { way: 'one GET a ruleset, ids known', requests: count * PRESENT },
    ].map((row) => ({ ...row, 'a zone': round(row.requests / count) }));
    printTable(`${count} zones, ${PHASES} phases each, ${PRESENT} with a ruleset`, rows);
  } finally {
    await emulator.close();
    rmSync(folder, { recursive: true });
  }
}
