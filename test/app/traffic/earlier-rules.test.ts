import { expect, it, onTestFinished } from 'vitest';
import { createBudget } from '../../../src/api/budget.ts';
import { openReadClient } from '../../../src/api/client.ts';
import { readEarlierRules } from '../../../src/app/traffic/earlier-rules.ts';
import { readBoth } from '../../../src/app/requests/live-scopes.ts';
import { fakeClock, startEmulator } from '../../../src/emulator/index.ts';
import { systemClock } from '../../../src/network/clock.ts';
import { IDS, SEED } from '../../live/seed.ts';

const at = (hour: number): number => Date.UTC(2027, 0, 2, hour);
const CUSTOM = 'http_request_firewall_custom';
const LIMIT = 'http_ratelimit';

it('tells which rules were in force in each span, and leaves out those of which nobody knows it', async () => {
  const clock = fakeClock(at(0));
  const emulator = await startEmulator({ budget: 'off', seed: SEED, clock });
  onTestFinished(() => emulator.close());
  const client = openReadClient({
    baseUrl: emulator.baseUrl,
    credentials: { kind: 'token', token: emulator.token },
    budget: createBudget({ clock: systemClock, limit: Infinity, limitPerSecond: Infinity }),
  });
  onTestFinished(() => client.close());
  const rulesets = `${emulator.baseUrl}/zones/${IDS.zone}/rulesets`;
  const send = async (method: string, path: string, body?: unknown): Promise<void> => {
    const headers = { authorization: `Bearer ${emulator.token}`, 'content-type': 'application/json' };
    const { ok } = await fetch(`${rulesets}/${path}`, { method, headers, body: JSON.stringify(body) });
    expect(ok).toBe(true);
  };
  const put = (phase: string, hour: number, path: string, over: object = {}): Promise<void> => {
    clock.set(at(hour));
    const rule = { action: 'block', expression: `http.request.uri.path eq "${path}"`, ...over };
    return send('PUT', `phases/${phase}/entrypoint`, { rules: [rule] });
  };
  const ratelimit = { characteristics: ['cf.colo.id', 'ip.src'], period: 60, requests_per_period: 9 };
  await put(CUSTOM, 1, '/one');
  await put(CUSTOM, 3, '/two');
  await put(LIMIT, 4, '/limited', { ratelimit });
  await put(CUSTOM, 5, '/three');
  const scope = {
    kind: 'zone' as const,
    id: IDS.zone,
    name: 'a.example',
    accountId: IDS.account,
    plan: 'enterprise',
  };
  const spans = async (from: number) => {
    const { own } = await readBoth(client, scope);
    const earlier = await readEarlierRules([own], {
      client,
      lists: { office: ['192.0.2.1'] },
      listsSince: at(3),
      from,
    });
    return earlier.map(({ from: start, until, rules, lists }) => [
      new Date(start).getUTCHours(),
      new Date(until).getUTCHours(),
      rules.flatMap((one) =>
        one.rulesets.flatMap(({ address, rules: all }) =>
          [CUSTOM, LIMIT].includes(address.phase)
            ? all.flatMap(({ content }) => /"(.*)"/u.exec(content.expression)?.[1] ?? [])
            : [],
        ),
      ),
      Object.keys(lists),
    ]);
  };
  expect(await spans(at(2))).toEqual([
    [2, 3, ['/one'], []],
    [3, 4, ['/two'], ['office']],
    [4, 5, ['/two', '/limited'], ['office']],
  ]);
  expect(await spans(at(6))).toEqual([]);
  const { own } = await readBoth(client, scope);
  const custom = own.rulesets.find(({ phase }) => phase === CUSTOM);
  const second = Number(custom?.version) - 1;
  // The first version may have been in force until the last, or the one that is gone at any time between.
  await send('DELETE', `${custom?.id ?? ''}/versions/${second}`);
  expect(await spans(at(2))).toEqual([]);
});
