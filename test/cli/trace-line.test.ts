import { expect, test } from 'vitest';

import { traceLine, waitLine } from '../../src/cli/trace-line.ts';

test('waitLine calls the waiting request of a preflight a check', () => {
  const waiting = {
    kind: 'waiting',
    reason: 'pause',
    id: 310,
    method: 'DELETE',
    path: '/zones/a/rulesets/b/rules/c?dry_run=invalid',
    attempt: 1,
    ms: 273_000,
  } as const;
  expect(waitLine(waiting)).toBe(
    '#310 DELETE /zones/a/rulesets/b/rules/c?dry_run=invalid (a check, it cannot take effect) waits 273.0 s: the service asked for a pause',
  );
  expect(traceLine({ ...waiting, path: '/zones/a' })).toContain('#310 DELETE /zones/a waits');
});

test('waitLine reports a rate limit for the request that waits, and not for each refused request', () => {
  const request = { id: 7, method: 'GET', path: '/zones', attempt: 1, ms: 30_000 } as const;
  expect(waitLine({ ...request, kind: 'retrying', reason: '429' })).toBeNull();
  expect(waitLine({ ...request, kind: 'retrying', reason: '503' })).toBe(
    '#7 GET /zones again in 30.0 s after attempt 1: 503',
  );
  expect(waitLine({ ...request, kind: 'waiting', reason: 'slowed' })).toBe(
    '#7 GET /zones waits 30.0 s: the service refused requests (429), so the run sends fewer',
  );
  expect(traceLine({ ...request, kind: 'retrying', reason: '429' })).toContain('429');
});

test('waitLine reports a deprecated route, except the old routes that the commands for migrating use', () => {
  const call = { kind: 'deprecated', id: 7, method: 'GET', path: '/zones/a/x', attempt: 1 } as const;
  const route = '/zones/{zone_id}/firewall/rules';
  for (const deprecation of ['firewall-rules', 'old-rate-limits', 'old-waf']) {
    const event = { ...call, route, deprecation };
    expect([deprecation, waitLine(event), traceLine(event)]).toEqual([
      deprecation,
      null,
      expect.stringMatching(`^GET /zones/{zone_id}/firewall/rules is deprecated: ${deprecation}, `),
    ]);
  }
  expect(waitLine({ ...call, route: '/zones/{zone_id}/pagerules', deprecation: 'page-rules' })).toContain(
    'GET /zones/{zone_id}/pagerules is deprecated',
  );
});
