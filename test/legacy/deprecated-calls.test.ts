import { expect, test } from 'vitest';
import { checkWafMigration } from '../../src/legacy/waf/waf-requests.ts';
import { wafOverrides } from '../../src/legacy/legacy-objects.ts';
import { startOldZone } from './waf/waf-zone.ts';

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
