import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { joinReplayShards, replay, replayShard } from '../../src/traffic/index.ts';
import type { Log, ReplayShard } from '../../src/traffic/index.ts';
import { bytesLog, liveRule, newRule, row, zoneWith } from './build.ts';

const CUSTOM = 'http_request_firewall_custom';
const LIMIT = {
  characteristics: ['cf.colo.id', 'ip.src'],
  period: 10,
  requests_per_period: 3,
  mitigation_timeout: 30,
};

const zone = zoneWith(
  { [CUSTOM]: [liveRule('old', 'http.request.uri.path contains "/a"')] },
  {
    [CUSTOM]: [
      newRule('new', 'http.request.uri.path contains "/b"'),
      newRule('bots', 'cf.bot_management.score lt 30', { action: 'managed_challenge' }),
    ],
  },
);
const limited = zoneWith(
  {},
  {
    http_ratelimit: [
      newRule('limit', 'true', { ratelimit: LIMIT }),
      newRule('by-path', 'true', {
        ratelimit: { ...LIMIT, characteristics: ['cf.colo.id', 'ip.src', 'http.request.uri.path'] },
      }),
    ],
  },
);

/** A log of so many lines, some of them broken, of other zones or without a host, out of order, with paths that are often too many to be told. */
function logFrom(seed: number, lines: number): Log {
  let state = seed;
  const below = (most: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % most;
  };
  const text = Array.from({ length: lines }, (_, index) => {
    const kind = below(40);
    const path = `/${'abc'.charAt(below(3))}/page-${below(20_000)}`;
    return kind === 0
      ? `broken ${index}`
      : JSON.stringify(
          row({
            ClientIP: `192.0.${below(3)}.${below(40)}`,
            ClientRequestURI: path,
            ClientRequestUserAgent: `agent/${below(9)}`,
            ClientRequestHost: kind === 1 ? 'elsewhere.example' : kind === 2 ? '' : 'www.shop.example',
            EdgeStartTimestamp: 1_795_766_400_000 + index * 40 - below(60_000),
            EdgeColoCode: kind === 3 ? '' : 'VIE',
            ...(kind < 8 ? { [`Column${below(200)}`]: 1 } : {}),
            ...(kind > 20 ? { BotScore: 1 + below(99) } : {}),
            ...(kind > 30 ? { SecurityAction: 'block', SecurityRuleID: `rule-${below(20)}` } : {}),
          }),
        );
  });
  return bytesLog(Buffer.from(`${text.join('\n')}\n`), 1 << 16);
}

describe('shards of a replay', () => {
  it.each([
    ['by lines', zone, 1, 4500],
    ['by files', zone, 4, 900],
    ['by what rate limits count', limited, 2, 2200],
  ] as const)('add up to what one machine counts, %s', async (_, of, files, lines) => {
    const options = { zones: [of], hostless: null, networks: {}, showAddresses: false, sampled: false };
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 1e9 }),
        fc.integer({ min: 1, max: 4 }),
        async (seed, count) => {
          const given = {
            logs: Array.from({ length: files }, (__, file) => logFrom(seed + file, lines)),
            format: null,
            plan: 'f'.repeat(64),
          };
          const whole = await replay(given, options);
          const shards = await Promise.all(
            Array.from({ length: count }, (__, at) => replayShard(given, options, { index: at + 1, count })),
          );
          const written = shards.map(
            (shard): ReplayShard => JSON.parse(JSON.stringify(shard)) as ReplayShard,
          );
          const joined = joinReplayShards(
            written.toReversed().map((value, at) => ({ file: `${at}.json`, value })),
          );
          expect(joined).toEqual({ kind: 'joined', replay: whole });
          expect(JSON.stringify(joined)).toBe(JSON.stringify({ kind: 'joined', replay: whole }));
          expect(whole.records).toBeGreaterThan(0);
        },
      ),
      { numRuns: 2 },
    );
  });

  it('are refused where one is missing, twice there, altered, or of another run', async () => {
    const options = { zones: [zone], hostless: null, networks: {}, showAddresses: false, sampled: false };
    const given = { logs: [logFrom(1, 50)], format: null, plan: 'f'.repeat(64) };
    const shard = (index: number, over: object = {}) =>
      replayShard(given, { ...options, ...over }, { index, count: 2 });
    const problemsOf = (...values: readonly unknown[]) => {
      const joined = joinReplayShards(values.map((value, at) => ({ file: `${at + 1}.json`, value })));
      return joined.kind === 'refused' ? joined.problems : [];
    };
    const [one, two] = [await shard(1), await shard(2)];
    expect(problemsOf(one)).toEqual(['missing: 2/2']);
    expect(problemsOf(one, one)).toEqual(['2.json and 1.json are both shard 1 of 2', 'missing: 2/2']);
    expect(problemsOf(one, await shard(2, { sampled: true }))).toEqual([
      '2.json and 1.json were made from other rules, logs or settings',
    ]);
    const damaged = '2.json is damaged, or was made by another version of rulewright';
    expect(problemsOf(one, { ...two, counted: two.counted.replace('1', '2') })[0]).toBe(damaged);
    expect(problemsOf(one, { kind: 'replay-shard' })[0]).toBe(damaged);
  });
});
