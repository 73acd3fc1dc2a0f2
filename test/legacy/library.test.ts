import { join } from 'node:path';
import { expect, test } from 'vitest';
import { plan as planWithout } from '../../src/app/index.ts';
import { startEmulator } from '../../src/emulator/index.ts';
import { NO_SECRETS, apply, explainLive, plan, runBudget, runTime } from '../../src/index.ts';
import { inFolder, PROJECT } from '../config/project-folder.ts';

const ZONE = `zone: old.example
entrypoints:
  http_request_firewall_managed:
    rules:
      - ref: managed-ruleset
        action: execute
        expression: 'true'
        action_parameters: { id: managed:cloudflare-managed-ruleset }
`;

test('the library asks about the old WAF before it plans, applies and explains, as the commands do', async () => {
  await using emulator = await startedWithOldWaf();
  const time = runTime();
  const service = {
    service: {
      kind: 'service',
      baseUrl: emulator.baseUrl,
      credentials: { kind: 'token', token: emulator.token },
    },
    env: {},
    secrets: NO_SECRETS,
    concurrency: 1,
    budget: runBudget({ clock: time.clock, share: 1 }),
    ...time,
  } as const;
  await inFolder({ 'rulewright.yaml': PROJECT, 'zones/old.example.yaml': ZONE }, async (cwd) => {
    const selection = { cwd, paths: [], targets: [] };
    const planned = await plan(selection, service, () => undefined);
    expect(planned).toMatchObject({ plan: { scopes: [{ findings: [{ kind: 'migration' }] }] } });
    const before = await planWithout(selection, service, () => undefined);
    if (before.kind !== 'planned') {
      throw new Error('the files are invalid');
    }
    // As if the migration had begun after the plan was made.
    const applying = {
      plan: before.plan,
      service,
      writes: 'auto',
      dryRun: false,
      allow: ['all'],
      journal: join(cwd, 'journal.jsonl'),
      cwd,
    } as const;
    expect(await apply(applying, () => undefined)).toMatchObject({
      outcomes: [{ kind: 'refused', code: 'apply/waf-migration' }],
    });
    const explained = await explainLive(
      selection,
      { request: { url: 'https://old.example/' }, fields: new Map(), lists: {} },
      { service, report: () => undefined },
    );
    expect(explained).toMatchObject({
      way: { notSimulated: [{ kind: 'old-rules', old: 'waf', state: 'in-force' }] },
    });
  });
});

async function startedWithOldWaf() {
  const emulator = await startEmulator({
    seed: {
      version: 1,
      accounts: [{ name: 'Mine', plan: 'enterprise' }],
      zones: [{ name: 'old.example', plan: 'enterprise', waf_migration: { state: 'start' } }],
    },
  });
  return { ...emulator, [Symbol.asyncDispose]: () => emulator.close() };
}
