import { expect, test } from 'vitest';

import { checkWafMigration } from '../../src/api/waf-migration.ts';
import { wafOverrides } from '../../src/api/old-families.ts';
import { startOldZone } from './waf-zone.ts';

test('the first call of each deprecated route is reported, calls of others are not', async () => {
  const overrides = [{ urls: ['x'], rules: { 100015: 'block' } }];
  const { client, zoneId, events } = await startOldZone({ waf: { overrides } });
  await checkWafMigration(client, zoneId);
  for (const { id } of await wafOverrides.list(client, zoneId)) {
    await wafOverrides.remove(client, zoneId, id);
  }
  await wafOverrides.list(client, zoneId);
  const told = events.flatMap((event) =>
    event.kind === 'deprecated' ? [`${event.method} ${event.route} ${event.deprecation}`] : [],
  );
  expect(told).toEqual([
    'GET /zones/{zone_id}/firewall/waf/overrides old-waf',
    'DELETE /zones/{zone_id}/firewall/waf/overrides/{override_id} old-waf',
  ]);
});
