import { expect, test } from 'vitest';

import { traceLine, waitLine } from '../../src/cli/trace-line.ts';

test('a check is told from a write where its request waits', () => {
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
