import { refuse } from '../protocol/refusal.ts';
import type { Refusal } from '../protocol/refusal.ts';
import { invalidValue } from '../protocol/templates.ts';
import type { RulesetKind } from '../records/ruleset.ts';

// Refusals that several parts of the Rulesets interface share, with the codes and texts of api.md 1.6. A refusal
// without a code is one whose code is not public.

/** A second entry point, or more custom rulesets than the plan allows. */
export function tooManyRulesets(kind: RulesetKind, phase: string): Refusal {
  const reason = `exceeded maximum number of ${kind} rulesets for phase ${phase}`;
  return invalidValue(kind, '/kind', reason, 20217);
}

/** A feature that the plan does not include (code not public). */
export function notEntitled(what: string, need: string): Refusal {
  return refuse(400, `not entitled: the use of ${what} is not allowed, ${need} is required`);
}

/** A ref that two rules of one ruleset would have (code of a third-party fake: assumed); `pointer` points to the rule. */
export function refTaken(ref: string, pointer: string): Refusal {
  return alreadyUsed(ref, `${pointer}/ref`, 20021);
}

/** An id or ref that another entry already has (text assumed). */
export function alreadyUsed(value: string, pointer: string, code?: number): Refusal {
  return invalidValue(value, pointer, 'it is already used', code);
}

/** A position that does not exist in the list (text assumed). */
export function badPosition(reason: string, pointer: string): Refusal {
  return refuse(400, `invalid position: ${reason}`, { pointer });
}
