import { type Refusal, refuse, serviceError } from '../protocol/refusal.ts';
import type { RulesetKind } from './ruleset.ts';

// The refusals of the Rulesets interface with the codes, pointers and texts of api.md 1.6. A refusal without a code
// is one whose code is not public.

/** No such ruleset in this scope (text assumed). */
export function rulesetNotFound(id: string): Refusal {
  return refuse(404, serviceError(`could not find ruleset with ID ${id}`, 10001));
}

/** The phase has no entry point here. */
export function entryPointNotFound(phase: string): Refusal {
  return refuse(404, serviceError(`could not find entrypoint ruleset in the ${phase} phase`, 10003));
}

/** No such version of the ruleset (text assumed). */
export function versionNotFound(version: string): Refusal {
  return refuse(404, serviceError(`could not find ruleset version ${version}`));
}

/** No such rule in the ruleset (text assumed): 404 in a path, 400 in a body. */
export function ruleNotFound(id: string, pointer?: string): Refusal {
  return refuse(
    pointer === undefined ? 404 : 400,
    serviceError(`could not find rule with ID ${id}`, undefined, pointer),
  );
}

/** A second entry point, or more custom rulesets than the plan has. */
export function tooManyRulesets(kind: RulesetKind, phase: string): Refusal {
  const message = `'${kind}' is not a valid value for kind because exceeded maximum number of ${kind} rulesets for phase ${phase}`;
  return refuse(400, serviceError(message, 20217, '/kind'));
}

/** More rules than the plan has in the phase. */
export function tooManyRules(phase: string, count: number, max: number): Refusal {
  const message = `exceeded the maximum number of rules in the phase ${phase}: ${count} out of ${max}`;
  return refuse(400, serviceError(message, 50001));
}

/** The scope has not bought the phase. */
export function phaseNotEntitled(phase: string): Refusal {
  return refuse(400, serviceError(`not entitled to use the phase ${phase}`, 50002));
}

/** A feature that the plan does not have (code not public). */
export function notEntitled(what: string, need: string): Refusal {
  return refuse(400, serviceError(`not entitled: the use of ${what} is not allowed, ${need} is required`));
}

/** Two rules of a zone entry point that execute one managed ruleset. */
export function executedTwice(): Refusal {
  return refuse(400, serviceError('more than one rule is trying to execute the same managed ruleset', 20014));
}

/** An action that the phase and kind do not have. */
export function actionNotPossible(
  action: string,
  place: { readonly phase: string; readonly kind: RulesetKind },
  pointer: string,
): Refusal {
  const message = `'${action}' is not a valid value for action because it is not possible to use the ${action} action in a ruleset with phase ${place.phase} and kind ${place.kind}`;
  return refuse(400, serviceError(message, 20016, pointer));
}

/** The switch of a log on a rule that does not skip (text assumed). */
export function loggingNotPossible(action: string, pointer: string): Refusal {
  const message = `logging is only possible with the skip action, not with ${action}`;
  return refuse(400, serviceError(message, 20018, pointer));
}

/** An action that needs parameters and has none; some actions have a code of their own. */
export function parametersRequired(action: string, code: number | undefined): Refusal {
  return refuse(400, serviceError(`action parameters are required for the ${action} action`, code));
}

/** Parameters without an action. */
export function actionRequired(): Refusal {
  return refuse(400, serviceError('action is required for action parameters'));
}

/** A field that cannot change after creation. */
export function notModifiable(field: string, got: string, want: string): Refusal {
  return refuse(400, serviceError(`the ${field} field cannot be modified: got ${got}, want ${want}`));
}

/** Creating a ruleset of the vendor's kind. */
export function managedNotCreatable(): Refusal {
  return refuse(
    400,
    serviceError(
      "'' is not a valid value for ShareableEntitlementName because required for managed rulesets",
    ),
  );
}

/** Writing to a ruleset of the vendor (text assumed). */
export function managedNotWritable(): Refusal {
  return refuse(
    400,
    serviceError("'managed' is not a valid value for kind because managed rulesets cannot be modified"),
  );
}

/** A ref that two rules of one ruleset would carry (code of a third-party fake: assumed). */
export function refTaken(ref: string, pointer: string): Refusal {
  return refuse(
    400,
    serviceError(`'${ref}' is not a valid value for ref because it is already used`, 20021, pointer),
  );
}

/** Two entries of a list that mean the same rule (text assumed). */
export function ruleTwice(id: string, pointer: string): Refusal {
  return refuse(
    400,
    serviceError(`'${id}' is not a valid value for id because it is already used`, undefined, pointer),
  );
}

/** Deleting what an execute or skip rule still names (text assumed, code not public). */
export function rulesetInUse(id: string, user: string): Refusal {
  return refuse(
    400,
    serviceError(`ruleset ${id} cannot be deleted because it is referenced by a rule of ruleset ${user}`),
  );
}

/** Deleting a version that must stay (text assumed, code not public). */
export function versionNeeded(version: string, reason: string): Refusal {
  return refuse(400, serviceError(`version ${version} cannot be deleted because ${reason}`));
}

/** A position that does not exist in the list (text assumed). */
export function badPosition(reason: string, pointer: string): Refusal {
  return refuse(400, serviceError(`invalid position: ${reason}`, undefined, pointer));
}
