import { expect, test } from 'vitest';
import { judgeShares, windowCounts } from '../../src/health/judge-shares.ts';
import type { ZoneWindows } from '../../src/health/judge-shares.ts';
import type { HealthLimit } from '../../src/model/index.ts';

/** A zone with so many requests, and how many of them went wrong, after the wave and, where it is asked for, before it. */
function zone(
  name: string,
  after: readonly [requests: number, counted: number],
  before?: readonly [requests: number, counted: number],
): ZoneWindows {
  const window = (at: string, [requests, counted]: readonly [number, number]) =>
    windowCounts({ from: at, to: at }, { requests, counted });
  const windows = {
    before: before === undefined ? null : window('2026-01-01T00:00:00Z', before),
    after: window('2026-01-01T01:00:00Z', after),
  };
  return { kind: 'known', zone: name, windows };
}

const LOST: ZoneWindows = {
  kind: 'unknown',
  zone: 'lost.example',
  why: 'the service said no',
  passes: false,
};

const OTHERS = [zone('x', [1000, 5]), zone('y', [1000, 5])];

function judge(
  limit: Omit<HealthLimit, 'window'>,
  wave: readonly ZoneWindows[],
  others: readonly ZoneWindows[] = [],
) {
  return judgeShares({
    measure: 'errors',
    limit: { ...limit, window: 600 },
    minRequests: 100,
    wave,
    others,
    allOthers: others.length,
  });
}

const MAX = { max: 1 };
const RISE = { aboveBefore: 1 };
const ABOVE = { aboveOthers: 1 };

test.each<
  [string, Omit<HealthLimit, 'window'>, readonly ZoneWindows[], readonly ZoneWindows[], string, RegExp | null]
>([
  ['as many as there may be', MAX, [zone('a', [1000, 10])], [], 'holds', null],
  ['more than there may be', MAX, [zone('a', [1000, 16])], [], 'fails', /is 1\.6%, and may be 1% at most/],
  [
    'too few requests',
    MAX,
    [zone('a', [99, 90])],
    [],
    'no_data',
    /99 requests in the window after the wave, and 100/,
  ],
  ['no request', MAX, [zone('a', [0, 0])], [], 'no_data', /0 requests/],
  ['no zone', MAX, [], [], 'no_data', /no zone/],
  ['it rose as far as it may', RISE, [zone('a', [1000, 15], [1000, 5])], [], 'holds', null],
  ['it rose further', RISE, [zone('a', [1000, 16], [1000, 5])], [], 'fails', /is 1\.6%, it was 0\.5% before/],
  ['it fell', RISE, [zone('a', [1000, 5], [1000, 500])], [], 'holds', null],
  [
    'too few before',
    RISE,
    [zone('a', [1000, 900], [9, 0])],
    [],
    'no_data',
    /9 requests in the window before/,
  ],
  ['as elsewhere', ABOVE, [zone('a', [1000, 15])], OTHERS, 'holds', null],
  ['more than elsewhere', ABOVE, [zone('a', [1000, 16])], OTHERS, 'fails', /without the change 0\.5%/],
  [
    'nothing to compare with',
    ABOVE,
    [zone('a', [1000, 0])],
    [],
    'no_data',
    /no zone without the change is left/,
  ],
  [
    'nothing to compare with, and another limit',
    { ...ABOVE, ...MAX },
    [zone('a', [1000, 0])],
    [],
    'holds',
    null,
  ],
  [
    'nobody elsewhere',
    ABOVE,
    [zone('a', [1000, 0])],
    [zone('x', [9, 0])],
    'no_data',
    /1 of 1 zone .* 9 requests/,
  ],
  ['others that cannot be asked', ABOVE, [zone('a', [1000, 0])], [LOST], 'no_data', /could be asked/],
  [
    'a zone that could not be asked',
    MAX,
    [zone('a', [1000, 0]), LOST],
    [],
    'no_data',
    /lost\.example \(the service said no/,
  ],
  ['a failure, which counts more than that', MAX, [LOST, zone('a', [1000, 90])], [], 'fails', /^a: /],
  [
    'a small zone is not hidden by a large one',
    MAX,
    [zone('a', [100_000, 0]), zone('b', [200, 200])],
    [],
    'fails',
    /^b: /,
  ],
  [
    'zones with few requests count together',
    MAX,
    [zone('a', [60, 9]), zone('b', [60, 9])],
    [],
    'fails',
    /^the share/,
  ],
  ['alone they decide nothing', MAX, [zone('a', [1000, 0]), zone('b', [9, 9])], [], 'holds', null],
  ['one of two limits', { ...MAX, ...RISE }, [zone('a', [1000, 16], [1000, 15])], [], 'fails', /1% at most/],
])('%s', (_, limit, wave, others, verdict, why) => {
  const judged = judge(limit, wave, others);
  expect(judged.verdict).toBe(verdict);
  expect(judged.why ?? '').toMatch(why ?? /^$/u);
});

test('all numbers are told, also those that decide nothing', () => {
  const wave = [zone('a', [1000, 6], [1000, 5]), zone('b', [9, 9], [9, 0])];
  expect(judge({ ...RISE, ...ABOVE }, wave, [LOST, zone('x', [200, 1])])).toMatchObject({
    limit: { max: null, above_before: 1, above_others: 1, window_seconds: 600, min_requests: 100 },
    wave: {
      before: { requests: 1009, counted: 5, percent: 0.4955 },
      after: { requests: 1009, counted: 15, percent: 1.4866 },
    },
    others: { requests: 200, counted: 1, percent: 0.5 },
    others_note: '1 of 2 zones without the change',
    zones: [
      { zone: 'a', verdict: 'holds', windows: { after: { percent: 0.6 } } },
      { zone: 'b', verdict: 'no_data', why: '9 requests in the window before the wave, and 100 are needed' },
    ],
  });
});
