import { expect, test } from 'vitest';
import { createManagedRulesets } from '../../src/live/read-managed-rulesets.ts';
import { startEmulated } from './emulated.ts';
import { IDS, SEED } from './seed.ts';

const MANAGED = 'efb7b8c949ac4650a09736fc376e9aee';
const zone = (id: string) => ({ kind: 'zone', id, name: id, accountId: IDS.account }) as const;

test('reads a managed ruleset, with the tags of its rules, once in a run', async () => {
  const { client, takeRequests } = await startEmulated(SEED);
  const managed = createManagedRulesets();
  const reading = await managed(client, zone(IDS.zone), MANAGED);
  expect(
    reading.kind === 'found' && reading.ruleset.rules.some((rule) => rule.categories !== undefined),
  ).toBe(true);
  await Promise.all([managed(client, zone(IDS.other), MANAGED), managed(client, zone(IDS.zone), MANAGED)]);
  expect(await takeRequests()).toEqual([`GET /client/v4/zones/${IDS.zone}/rulesets/${MANAGED}`]);
});

test('returns the error of a managed ruleset that cannot be read, and tries again only with another client', async () => {
  const { client, clientWith, takeRequests } = await startEmulated(SEED);
  const managed = createManagedRulesets();
  const stranger = clientWith('unknown-token-of-nobody');
  const refused = await managed(stranger, zone(IDS.zone), MANAGED);
  expect(refused).toMatchObject({ kind: 'failed', message: expect.stringContaining(MANAGED) });
  expect(await managed(stranger, zone(IDS.other), MANAGED)).toEqual(refused);
  expect((await managed(client, zone(IDS.zone), MANAGED)).kind).toBe('found');
  expect(await takeRequests()).toHaveLength(2);
});
