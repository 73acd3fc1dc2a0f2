import { expect, it } from 'vitest';
import { isAtBase } from '../../src/model/base.ts';
import { baseOf } from '../../src/model/ruleset.ts';
import { liveRuleset } from '../plan/build.ts';

it('recognises the base of a plan by its id, version and time, or by the absence of a ruleset', () => {
  const live = liveRuleset([], { version: '7', lastUpdated: '2026-01-01T00:00:00Z' });
  expect(isAtBase(live, baseOf(live))).toBe(true);
  expect(isAtBase({ ...live, version: '8' }, baseOf(live))).toBe(false);
  expect(isAtBase({ ...live, lastUpdated: '2026-01-02T00:00:00Z' }, baseOf(live))).toBe(false);
  expect(isAtBase({ ...live, id: '9'.repeat(32) }, baseOf(live))).toBe(false);
  expect(isAtBase(null, baseOf(live))).toBe(false);
  expect(isAtBase(live, baseOf(null))).toBe(false);
  expect(isAtBase(null, baseOf(null))).toBe(true);
});
