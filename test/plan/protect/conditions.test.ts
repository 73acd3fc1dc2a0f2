import { expect, it } from 'vitest';
import { arePlainlyApart, conditionOf, createProofs } from '../../../src/plan/impact/conditions.ts';

it('createProofs allows 10,000 proofs for a ruleset, and calls nothing proven beyond them', () => {
  const proofs = createProofs();
  const one = conditionOf('http.host in {"a" "b"} or http.host eq "c"');
  const other = conditionOf('http.host in {"d" "e"} or http.host eq "f"');
  expect(arePlainlyApart(one, other)).toBe(false);
  let proven = 0;
  while (proofs.areApart(one, other)) {
    proven += 1;
  }
  expect(proven).toBe(10_000);
  expect(proofs.isWithin('ssl', 'ssl')).toBe(false);
  // What needs no proof is still found.
  expect(proofs.areApart(conditionOf('http.host eq "a"'), conditionOf('http.host eq "b"'))).toBe(true);
});
