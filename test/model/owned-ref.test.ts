import { describe, expect, it } from 'vitest';
import { isOwnedRef } from '../../src/model/owned-ref.ts';

describe('isOwnedRef', () => {
  const id = 'ab'.repeat(16);

  it.each<[patterns: readonly string[], ref: string, owned: boolean]>([
    [['shop-*'], 'shop-1', true],
    [['shop-*'], 'team-1', false],
    [['*'], 'anything', true],
    // What nobody named, and has its old id as a name since it was brought back.
    [['*'], id, false],
    [['shop-*', 'ab*'], id, false],
    [['shop-*', id], id, true],
    [['ab*'], `${id}0`, true],
  ])('of the patterns %j and the ref %s', (patterns, ref, owned) => {
    expect(isOwnedRef(patterns, ref)).toBe(owned);
  });
});
