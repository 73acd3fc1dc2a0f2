import { checkPermission } from '../call/call.ts';
import type { Access, CallScope, ScopedCall } from '../call/call.ts';
import { decline, refuse, invalidValue } from '../protocol/refusal.ts';
import type { Store } from '../store/store.ts';
import { isEntryPoint } from '../records/ruleset-record.ts';
import type { StoredRuleset, StoredRulesetKind } from '../records/ruleset-record.ts';
import type { Refusal } from '../protocol/refusal.ts';
import type { ZonePlanLevel } from '../records/directory-record.ts';
import { phaseNames, phaseRow, allowedActions } from './parameters/phase-rows.ts';

/** Returns the plan whose limits apply to a scope. */
export function planOf(scope: CallScope): ZonePlanLevel {
  return scope.kind === 'zone' ? scope.zone.plan : scope.account.plan;
}

/** Whether a scope has bought a feature; a zone also has the features of its account. */
export function hasFeature(scope: CallScope, feature: string): boolean {
  return (
    scope.account.features.includes(feature) ||
    (scope.kind === 'zone' && scope.zone.features.includes(feature))
  );
}

/** Why a scope cannot have a ruleset of some kind and phase: the field at fault, and the reason. */
export interface Misplacement {
  readonly field: 'kind' | 'phase';
  readonly reason: string;
}

/**
 * Returns why a ruleset cannot exist: its phase is unknown, or its kind or phase is for the other level (api.md 4.2,
 * 6.3; texts assumed). Undefined when the ruleset can exist.
 */
export function misplacement(
  kind: StoredRulesetKind,
  phase: string,
  level: 'zone' | 'account',
): Misplacement | undefined {
  if (phaseRow(phase) === undefined) {
    return { field: 'phase', reason: 'it is not a known phase' };
  }
  if ((kind === 'root' && level === 'zone') || (kind === 'zone' && level === 'account')) {
    return { field: 'kind', reason: `${level}s have no rulesets of kind ${kind}` };
  }
  return allowedActions(phase, kind, level) === undefined
    ? { field: 'phase', reason: `${level}s have no rulesets of kind ${kind} in this phase` }
    : undefined;
}

/** Makes a ruleset in the call's scope, without any version yet. */
export function newRuleset(
  call: ScopedCall,
  head: { readonly name: string; readonly kind: StoredRulesetKind; readonly phase: string },
): StoredRuleset {
  return { id: call.service.newId(), owner: call.scope.owner, ...head, counter: 0, versions: [] };
}

/** The owner of managed rulesets. */
export const VENDOR = 'vendor';

/** Whether a scope may use a managed ruleset: its plan includes the ruleset, and its level has the phase. */
export function isEntitledTo(scope: CallScope, managed: StoredRuleset): boolean {
  const row = phaseRow(managed.phase);
  const level = scope.kind === 'zone' ? row?.zone : row?.root;
  return level !== undefined && (managed.plans === undefined || managed.plans.includes(planOf(scope)));
}

/**
 * Returns the rulesets that a list shows: first the vendor's, then the account's, then the zone's own. A zone's list
 * includes the account's rulesets (api.md 0.3 number 21).
 */
export function visibleRulesets(store: Store, scope: CallScope): readonly StoredRuleset[] {
  const managed = store.rulesets.group(VENDOR).filter((ruleset) => isEntitledTo(scope, ruleset));
  const account = store.rulesets.group(`accounts/${scope.account.id}`);
  return scope.kind === 'zone'
    ? [...managed, ...account, ...store.rulesets.group(scope.owner)]
    : [...managed, ...account];
}

/** Finds a ruleset by id that the call's scope may read; a zone cannot read its account's rulesets (api.md 2.1). */
export function findRuleset(call: ScopedCall, id: string): StoredRuleset {
  const ruleset = call.service.store.rulesets.get(id);
  const managed = ruleset?.kind === 'managed';
  if (
    ruleset === undefined ||
    !(managed ? isEntitledTo(call.scope, ruleset) : ruleset.owner === call.scope.owner)
  ) {
    throw refuse(404, `could not find ruleset with ID ${id}`, { code: 10001 });
  }
  if (managed) {
    checkPermission(call, 'Read', anyPermission);
  } else {
    checkPhasePermission(call, ruleset.phase, 'Read');
  }
  return ruleset;
}

/** Finds a ruleset by id that the call may write; refuses managed rulesets. */
export function findWritable(call: ScopedCall, id: string): StoredRuleset {
  const ruleset = findRuleset(call, id);
  if (ruleset.kind === 'managed') {
    const reason = 'managed rulesets cannot be modified';
    throw refuse(400, `'managed' is not a valid value for kind because ${reason}`);
  }
  checkWritable(call, ruleset.phase);
  return ruleset;
}

/** Refuses writes in a phase that only another interface writes (api.md 4.2; text assumed), or without permission. */
export function checkWritable(call: ScopedCall, phase: string): void {
  checkPhasePermission(call, phase, 'Write');
  const writer = phaseRow(phase)?.writtenBy;
  if (writer !== undefined) {
    throw refuse(400, `'${phase}' is not a valid value for phase because ${writer} write its rules`);
  }
}

/** Returns the entry point of a phase, if the owner has one. */
export function entryPointOf(store: Store, owner: string, phase: string): StoredRuleset | undefined {
  return store.rulesets.group(owner).find((ruleset) => ruleset.phase === phase && isEntryPoint(ruleset));
}

/** Checks the permission, then finds the entry point of a phase in the call's scope. */
export function findEntryPoint(call: ScopedCall, phase: string): StoredRuleset {
  checkPhasePermission(call, phase, 'Read');
  const ruleset = entryPointOf(call.service.store, call.scope.owner, phase);
  const missing = `could not find entrypoint ruleset in the ${phase} phase`;
  return ruleset ?? decline(refuse(404, missing, { code: 10003 }));
}

/** Refuses a credential without the permission to read or write a phase (api.md 11.2). */
function checkPhasePermission(call: ScopedCall, phase: string, access: Access): void {
  const row = phaseRow(phase);
  const names =
    call.scope.kind === 'zone'
      ? [row?.zonePermission]
      : [row?.accountPermission, row?.waf === true ? 'Account Rulesets' : undefined];
  checkPermission(
    call,
    access,
    names.filter((name) => name !== undefined),
  );
}

/** All permissions for any phase of the Rulesets interface; any of them is enough for lists and managed rulesets. */
export const anyPermission: readonly string[] = phaseNames
  .flatMap((phase) => [phaseRow(phase)?.zonePermission, phaseRow(phase)?.accountPermission])
  .concat('Account Rulesets')
  .filter((name) => name !== undefined);

// Refusals that several parts of the Rulesets interface share, with the codes and texts of api.md 1.6. A refusal
// without a code is one whose code is not public.

/** A second entry point, or more custom rulesets than the plan allows. */
export function tooManyRulesets(kind: StoredRulesetKind, phase: string): Refusal {
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
