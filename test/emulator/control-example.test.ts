import { expect, test } from 'vitest';

import { startEmulator } from '../../src/emulator/index.ts';

test('my tool leaves the rules of others alone', async () => {
  const emulator = await startEmulator({
    seed: {
      version: 1,
      accounts: [{ name: 'Mine', plan: 'enterprise' }],
      zones: [
        {
          name: 'shop.example',
          plan: 'pro',
          rulesets: [
            {
              kind: 'zone',
              phase: 'http_request_firewall_custom',
              rules: [{ ref: 'theirs', action: 'block', expression: 'http.host eq "old.shop.example"' }],
            },
          ],
        },
      ],
    },
    // The answer to the second write is lost on its way.
    faults: { method: ['POST', 'PUT', 'PATCH'], nth: 2, effect: { kind: 'cut', moment: 'after' } },
  });
  try {
    const ask = async <T>(url: string): Promise<T> => {
      const answer = await fetch(url, { headers: { authorization: `Bearer ${emulator.token}` } });
      return answer.json() as Promise<T>;
    };
    const zones = await ask<{ result: { id: string }[] }>(`${emulator.baseUrl}/zones?name=shop.example`);
    // Here your tool runs, with emulator.baseUrl and emulator.token.
    const phase = `/zones/${zones.result[0]?.id}/rulesets/phases/http_request_firewall_custom/entrypoint`;
    const live = await ask<{ result: { rules: unknown[] } }>(emulator.baseUrl + phase);
    expect(live.result.rules).toMatchObject([{ ref: 'theirs' }]);
    const asked = await ask<{ wrote: boolean }[]>(`${emulator.controlUrl}/requests`);
    expect(asked.filter(({ wrote }) => wrote)).toEqual([]);
  } finally {
    await emulator.close();
  }
});
