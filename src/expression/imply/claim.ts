import type { Condition } from '../language/ast.ts';
import { constantOf } from '../language/constant.ts';
import type { Sense } from '../equal/numbering.ts';
import { DUAL, OPPOSITE } from '../equal/numbering.ts';
import { ungroup } from '../language/ungroup.ts';

/** A condition, asserted as it stands or negated. */
export interface Claim {
  readonly condition: Condition;
  readonly sense: Sense;
}

/** Strips parentheses and `not` from a claim. */
export function unfold({ condition, sense }: Claim): Claim {
  const inner = ungroup(condition);
  return inner.kind === 'not'
    ? unfold({ condition: inner.item, sense: OPPOSITE[sense] })
    : { condition: inner, sense };
}

/** Returns the operands of a claim that is an `and` or `or`, for a negated claim by De Morgan; undefined for any other claim. */
export function partsOf({ condition, sense }: Claim, kind: 'and' | 'or'): readonly Claim[] | undefined {
  const written = sense === 'as is' ? kind : DUAL[kind];
  return condition.kind === written ? condition.items.map((item) => ({ condition: item, sense })) : undefined;
}

/** Whether a claim is the constant `true` or `false`. */
export function isConstant({ condition, sense }: Claim, value: boolean): boolean {
  return constantOf(condition) === (sense === 'as is' ? value : !value);
}
