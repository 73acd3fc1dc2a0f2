import type { Call, Scope, ScopedCall } from '../call.ts';
import { permissionProblem } from '../call.ts';
import { isRefusal, type Refusal } from '../protocol/refusal.ts';
import type { Store } from '../store/store.ts';
import { entryPointNotFound, managedNotWritable, rulesetNotFound } from './errors.ts';
import { phaseNames, phaseRow } from './phases.ts';
import { planOf } from './place.ts';
import { isEntryPoint, type StoredRuleset } from './ruleset.ts';

/** The owner of managed rulesets. */
export const VENDOR = 'vendor';

/** Whether the plan of a scope has a managed ruleset, and the level its phase. */
export function isEntitledTo(scope: Scope, managed: StoredRuleset): boolean {
  const row = phaseRow(managed.phase);
  const level = scope.kind === 'zone' ? row?.zone : row?.root;
  return level !== undefined && (managed.plans === undefined || managed.plans.includes(planOf(scope)));
}

/**
 * The rulesets that a list shows: the vendor's first, then the account's, then the zone's own. A zone's list holds the
 * account's rulesets too (api.md 0.3 number 21).
 */
export function visibleRulesets(store: Store, scope: Scope): readonly StoredRuleset[] {
  const managed = store.rulesets.group(VENDOR).filter((ruleset) => isEntitledTo(scope, ruleset));
  const account = store.rulesets.group(`accounts/${scope.account.id}`);
  return scope.kind === 'zone'
    ? [...managed, ...account, ...store.rulesets.group(scope.owner)]
    : [...managed, ...account];
}

/** The ruleset of an id as this scope may read it; an account's ruleset is read at its account only (api.md 2.1). */
export function findRuleset(call: ScopedCall, id: string): StoredRuleset | Refusal {
  const ruleset = call.service.store.rulesets.get(id);
  if (ruleset === undefined) {
    return rulesetNotFound(id);
  }
  const readable =
    ruleset.kind === 'managed' ? isEntitledTo(call.scope, ruleset) : ruleset.owner === call.scope.owner;
  if (!readable) {
    return rulesetNotFound(id);
  }
  return ruleset.kind === 'managed'
    ? (permissionProblem(call, anyGroup('Read')) ?? ruleset)
    : (phasePermissionProblem(call, ruleset.phase, 'Read') ?? ruleset);
}

/** The ruleset of an id, to be written. */
export function findWritable(call: ScopedCall, id: string): StoredRuleset | Refusal {
  const ruleset = findRuleset(call, id);
  if (isRefusal(ruleset)) {
    return ruleset;
  }
  return ruleset.kind === 'managed'
    ? managedNotWritable()
    : (phasePermissionProblem(call, ruleset.phase, 'Write') ?? ruleset);
}

/** The entry point of a phase in a scope. */
export function entryPointOf(store: Store, owner: string, phase: string): StoredRuleset | undefined {
  return store.rulesets.group(owner).find((ruleset) => ruleset.phase === phase && isEntryPoint(ruleset));
}

/** The entry point that a call names, after its permission. */
export function findEntryPoint(call: ScopedCall, phase: string): StoredRuleset | Refusal {
  return (
    phasePermissionProblem(call, phase, 'Read') ??
    entryPointOf(call.service.store, call.scope.owner, phase) ??
    entryPointNotFound(phase)
  );
}

/** The refusal of a credential that may not read or write a phase (api.md 11.2). */
export function phasePermissionProblem(
  call: ScopedCall,
  phase: string,
  access: 'Read' | 'Write',
): Refusal | undefined {
  const row = phaseRow(phase);
  const names =
    call.scope.kind === 'zone'
      ? [row?.zonePermission]
      : [row?.accountPermission, row?.waf === true ? 'Account Rulesets' : undefined];
  return permissionProblem(
    call,
    names.flatMap((name) => (name === undefined ? [] : groupsOf(name, access))),
  );
}

/** All permission groups that open the Rulesets interface in some way: enough for lists and managed rulesets. */
export function anyGroup(access: 'Read' | 'Write'): readonly string[] {
  return phaseNames
    .flatMap((phase) => [phaseRow(phase)?.zonePermission, phaseRow(phase)?.accountPermission])
    .concat('Account Rulesets')
    .flatMap((name) => (name === undefined ? [] : groupsOf(name, access)));
}

function groupsOf(name: string, access: 'Read' | 'Write'): readonly string[] {
  return access === 'Read' ? [`${name} Read`, `${name} Write`] : [`${name} Write`];
}

/** The variable part of a path; routes guarantee that it is there. */
export function param(call: Call, name: string): string {
  return call.params[name] ?? '';
}
