import { describe, expect, it } from 'vitest';
import type { UnfinishedStep } from '../../../src/model/outcome.ts';
import { unfinishedText } from '../printed.ts';
import type { Look } from '../../../src/report/layout.ts';

const LOOK: Look = { width: 80, colour: false };

function textOf(steps: readonly UnfinishedStep[], look = LOOK): string {
  const text = unfinishedText({ at: 0, purpose: 'apply', plan: 'p', steps }, look);
  return text.split('\n').slice(2, -2).join('\n');
}

function step(index: number, state: UnfinishedStep['state'], writes = 1): UnfinishedStep {
  return { step: `zone:z${index}.example/http_ratelimit`, state, landed: 0, writes };
}

describe('unfinishedText', () => {
  it('lists each step if there are few', () => {
    expect(textOf([step(1, 'done'), step(2, 'partly', 3), step(3, 'not-begun')])).toBe(
      `  done         zone:z1.example/http_ratelimit
  partly done  zone:z2.example/http_ratelimit  0 of 3 writes
  not begun    zone:z3.example/http_ratelimit`,
    );
  });

  it('groups more than twenty steps that are done, but lists steps in an unknown state one by one', () => {
    const steps = [
      ...Array.from({ length: 21 }, (_, index) => step(index, 'done')),
      ...Array.from({ length: 21 }, (_, index) => step(index + 30, 'unknown')),
      ...Array.from({ length: 20 }, (_, index) => step(index + 60, 'not-begun')),
    ];
    const shown = textOf(steps);
    expect(shown.split('\n').slice(0, 5).join('\n')).toBe(
      `  done         21 rulesets: zone:z0.example/http_ratelimit,
               zone:z1.example/http_ratelimit, zone:z2.example/http_ratelimit,
               zone:z3.example/http_ratelimit, zone:z4.example/http_ratelimit
               and 16 more
  not known    zone:z30.example/http_ratelimit`,
    );
    expect(shown.match(/^ {2}(?:not known|not begun) /gmu)).toHaveLength(41);
    expect(textOf(steps, { ...LOOK, detail: 'each' }).match(/^ {2}done /gmu)).toHaveLength(21);
  });
});
