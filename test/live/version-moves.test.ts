import { expect, test } from 'vitest';
import { listRulesets, getRuleset } from '../../src/api/rulesets.ts';
import { addRule, deleteRule, updateEntrypoint, updateRule, updateRuleset } from '../api/ruleset-writes.ts';
import type { WriteClient } from '../../src/api/client.ts';
import { openWriter } from '../api/open.ts';
import { startEmulated } from './emulated.ts';
import { IDS, SEED } from './seed.ts';

const SCOPE = { kind: 'zone', id: IDS.zone } as const;
const RULE = { action: 'log', expression: 'false' } as const;

async function ruleIds(client: WriteClient): Promise<readonly string[]> {
  const { rules } = await getRuleset(client, SCOPE, IDS.entrypoint);
  return rules.map(({ id }) => id);
}

async function firstRule(client: WriteClient): Promise<string> {
  return (await ruleIds(client))[0] ?? '';
}

/** Every way to change a ruleset. The cache relies on each of them changing the version in the list. */
const CHANGES: Readonly<Record<string, (client: WriteClient) => Promise<unknown>>> = {
  'a rule added': (client) => addRule(client, { scope: SCOPE, rulesetId: IDS.entrypoint }, RULE),
  'a rule changed': async (client) =>
    updateRule(
      client,
      { scope: SCOPE, rulesetId: IDS.entrypoint, ruleId: await firstRule(client) },
      { ...RULE, ref: 'one' },
    ),
  'a rule moved': async (client) =>
    updateRule(client, { scope: SCOPE, rulesetId: IDS.entrypoint, ruleId: await firstRule(client) }, null, {
      after: '',
    }),
  'a rule deleted': async (client) =>
    deleteRule(client, { scope: SCOPE, rulesetId: IDS.entrypoint, ruleId: await firstRule(client) }),
  'all rules put': (client) => updateRuleset(client, SCOPE, IDS.entrypoint, { rules: [RULE] }),
  'the order put': async (client) =>
    updateRuleset(client, SCOPE, IDS.entrypoint, {
      rules: [...(await ruleIds(client))].reverse().map((id) => ({ id })),
    }),
  'the phase put': (client) => updateEntrypoint(client, SCOPE, 'http_request_firewall_custom', { rules: [] }),
  'the description put': (client) => updateRuleset(client, SCOPE, IDS.entrypoint, { description: 'other' }),
};

test.each(Object.entries(CHANGES))('increases the version in the list with %s', async (_name, change) => {
  const emulated = await startEmulated(SEED);
  const { client } = openWriter(emulated.client.baseUrl, {
    credentials: { kind: 'token', token: 'all-permissions' },
  });
  const version = async (): Promise<number> => {
    const heads = await listRulesets(client, SCOPE);
    return Number(heads.find(({ id }) => id === IDS.entrypoint)?.version);
  };
  const before = await version();
  await change(client);
  expect(await version()).toBeGreaterThan(before);
});
