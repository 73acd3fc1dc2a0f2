import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { countedService } from './counted-service.ts';

const CUSTOM = `rulesets:
  - name: login
    phase: http_request_firewall_custom
    rules:
      - { ref: block-bots, action: block, expression: cf.client.bot }
`;

const entry = (executed: string, blocked: string): string => `zone: shop.example
entrypoints:
  http_request_firewall_custom:
    rules:
      - { ref: login, action: execute, expression: ${executed}, action_parameters: { id: "custom:login" } }
      - { ref: block-old, action: block, expression: ${blocked} }
`;

test('plan reads a custom ruleset that no file declares only if a rule that executes it changes', async () => {
  const { root, run } = await countedService();
  const declare = (text: string): Promise<void> => writeFile(join(root, 'zones/shop.yaml'), text);
  const reads = async (): Promise<number> =>
    (await run('plan --no-cache')).filter(({ path }) => /\/zones\/\w+\/rulesets/.test(path)).length;
  await mkdir(join(root, 'zones'));
  await writeFile(join(root, 'rulewright.yaml'), 'version: 1\nfiles: [zones/*.yaml]\n');
  await declare(entry('ssl', 'cf.client.bot') + CUSTOM);
  await run('apply --yes --allow all');
  await declare(entry('ssl', 'cf.client.bot'));
  const unchanged = await reads();
  await declare(entry('ssl', '"true"'));
  expect(await reads()).toBe(unchanged);
  await declare(entry('"true"', 'cf.client.bot'));
  expect(await reads()).toBe(unchanged + 1);
});
