import { expect, test } from 'vitest';
import {
  changedSinceLine,
  estimateLine,
  preflightLines,
  timeLeftText,
} from '../../src/cli/progress-lines.ts';

const ESTIMATE = {
  requests: 2,
  uncached: 2,
  leastWaitMs: 0,
  limit: 1200,
} as const;

test.each([
  [{}, 'plan: about 2 requests'],
  [{ requests: 1, uncached: 1 }, 'plan: about 1 request'],
  [{ requests: 1020, uncached: 9020 }, 'plan: about 1,020 requests with what is cached, 9,020 without'],
  [
    { requests: 1300, uncached: 1300, leastWaitMs: 300_000 },
    'plan: about 1,300 requests; with at most 1,200 in 5 minutes they take at least 5 minutes',
  ],
  [
    { requests: 1300, uncached: 1300, leastWaitMs: 300_250 },
    'plan: about 1,300 requests; with at most 1,200 in 5 minutes they take at least 5 minutes',
  ],
  [
    { leastWaitMs: 20_000 },
    'plan: about 2 requests; with at most 1,200 in 5 minutes they take at least 20 seconds',
  ],
])('estimateLine tells the number of requests and the least time that they take: %j', (over, text) => {
  expect(estimateLine('plan', { ...ESTIMATE, ...over })).toBe(text);
});

test.each([
  [0, ''],
  [9999, ''],
  [10_000, ', about 10 s left'],
  [61_000, ', about 70 s left'],
  [95_000, ', about 2 min left'],
  [1_500_000, ', about 25 min left'],
])('timeLeftText for %i ms is «%s»', (ms, text) => {
  expect(timeLeftText(ms)).toBe(text);
});

test('changedSinceLine names the first ten of many changed or no longer managed scopes, and counts the others', () => {
  const names = Array.from({ length: 12 }, (_, index) => `zone:${index + 1}.example`);
  const line = changedSinceLine({
    kind: 'changed-since',
    revision: 'main',
    changed: names.map((scope) => ({ scope, rulesets: [] })),
    gone: names,
    total: 20,
  });
  const named = `${names.slice(0, 10).join(', ')} and 2 more`;
  expect(line).toBe(`12 of 20 scopes changed since main: ${named}; no longer managed: ${named}`);
});

test('preflightLines name a permission that several zones lack once', () => {
  const steps = ['a', 'b'].map((zone) => ({
    kind: 'not-checked' as const,
    step: `zone:${zone}.example/http_ratelimit`,
    code: 'forbidden' as const,
    reason: `POST /zones/${zone}/rulesets: 403`,
    hint: 'the token needs the permission "Zone WAF" Write for this zone',
  }));
  expect(preflightLines({ kind: 'done', steps })).toEqual([
    'Preflight of 2 steps: 2 not checked.',
    'not checked: the token needs the permission "Zone WAF" Write for this zone',
  ]);
});

test('preflightLines say which rules of a step were not checked, and do not count it as passed', () => {
  const unchecked = [{ rule: 'run-geo', reason: 'it names custom:geo, which this plan makes first' }];
  const steps = [
    { kind: 'passed' as const, step: 'account:Shop/custom', unchecked: [] },
    { kind: 'passed' as const, step: 'account:Shop/http_request_firewall_custom', unchecked },
  ];
  expect(preflightLines({ kind: 'done', steps })).toEqual([
    'Preflight of 2 steps: 1 passed, 1 passed in part.',
    'not checked: run-geo: it names custom:geo, which this plan makes first',
  ]);
});
