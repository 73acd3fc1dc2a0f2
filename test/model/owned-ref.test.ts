import { describe, expect, it } from 'vitest';
import { isOwnedRef } from '../../src/model/ignored.ts';

describe('isOwnedRef', () => {
  const id = 'ab'.repeat(16);

  it.each<[patterns: readonly string[], ref: string, owned: boolean]>([
    [['shop-*'], 'shop-1', true],
    [['shop-*'], 'team-1', false],
    [['*'], 'anything', true],
    // An id as the ref: nobody named the rule, and it was recreated under a new id.
    [['*'], id, false],
    [['shop-*', 'ab*'], id, false],
    [['shop-*', id], id, true],
    [['ab*'], `${id}0`, true],
  ])('decides whether the patterns %j own the ref %s', (patterns, ref, owned) => {
    expect(isOwnedRef(patterns, ref)).toBe(owned);
  });
});
