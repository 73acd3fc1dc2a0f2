import { canonicalJson, groupBy } from '../../data/index.ts';
import type {
  PlanDifference,
  Plan,
  PlannedScope,
  PlanRollout,
  RulesetTarget,
  GuardFinding,
  Scope,
  ScopeRef,
} from '../../model/index.ts';
import {
  allStepIds,
  allSteps,
  changesAnything,
  changesScope,
  changingScopes,
  objectSteps,
  plannedScopes,
  scopeLabel,
} from '../../model/index.ts';
import { comparePlans, findingsOf, isObjectPartOf, isPartOf } from '../../plan/index.ts';

/** How a fresh plan compares with the reviewed one. */
export type ReviewComparison =
  /** The same effect: the run may go on, and guard findings that the review showed do not stop it again. */
  | { readonly kind: 'same'; readonly reviewed: readonly GuardFinding[] }
  /** The fresh plan changes nothing: live equals the files. */
  | {
      readonly kind: 'nothing-left';
      /** Steps of the reviewed plan that were not done: live is unchanged there, so the files no longer ask for them. */
      readonly untouched: readonly string[];
      /** Steps of the reviewed plan in rulesets that this run has not read. */
      readonly unread: readonly string[];
    }
  /**
   * The same effect without changes that are no longer needed: an interrupted run or another plan has made them, or they are no
   * longer wanted.
   */
  | {
      readonly kind: 'part';
      readonly reviewed: readonly GuardFinding[];
      /** Steps of the reviewed plan that the fresh one lacks. */
      readonly lacks: ReadonlySet<string>;
      /** Steps of both plans of which the fresh one lacks changes. */
      readonly smaller: ReadonlySet<string>;
      readonly differences: readonly PlanDifference[];
    }
  /** The fresh plan would do something that was not reviewed. */
  | { readonly kind: 'other'; readonly differences: readonly PlanDifference[] };

/** Compares the effect of a fresh plan with the reviewed one's. */
export function expectPlan(reviewed: Plan, fresh: Plan): ReviewComparison {
  const others = otherScopes(reviewed, fresh);
  const elsewhere = [...otherService(reviewed, fresh), ...otherWaves(reviewed, fresh), ...others];
  const complete = fresh.scopes.every((scope) => scope.kind === 'planned');
  if (elsewhere.length === 0 && complete && changesAnything(reviewed) && !changesAnything(fresh)) {
    return { kind: 'nothing-left', ...undone(reviewed, fresh) };
  }
  const told = new Set(others.map(({ place }) => place));
  const untold = ({ scopes }: Plan): Pick<Plan, 'scopes'> => ({
    scopes: scopes.filter(({ scope }) => !told.has(scopeLabel(scope))),
  });
  const differences = [...elsewhere, ...comparePlans(untold(reviewed), untold(fresh))];
  if (differences.length === 0) {
    return { kind: 'same', reviewed: findingsOf(reviewed) };
  }
  const left = new Map(allSteps(fresh.scopes).map((step) => [step.id, step]));
  const steps = allSteps(reviewed.scopes);
  const lists = new Map(objectSteps(fresh.scopes).map((step) => [step.id, step]));
  const lacks = new Set(
    allStepIds(reviewed.scopes).flatMap((id) => (left.has(id) || lists.has(id) ? [] : [id])),
  );
  const smaller = new Set([
    ...steps.flatMap((step) => {
      const now = left.get(step.id);
      return now !== undefined && isPartOf(now, step) ? [step.id] : [];
    }),
    ...objectSteps(reviewed.scopes).flatMap((step) => {
      const now = lists.get(step.id);
      return now !== undefined && isObjectPartOf(now, step) ? [step.id] : [];
    }),
  ]);
  const rest = comparePlans(without(reviewed, new Set([...lacks, ...smaller])), without(fresh, smaller));
  return elsewhere.length === 0 && complete && rest.length === 0
    ? { kind: 'part', reviewed: findingsOf(reviewed), lacks, smaller, differences }
    : { kind: 'other', differences };
}

function otherService(reviewed: Plan, fresh: Plan): readonly PlanDifference[] {
  const message = `the plan was reviewed for ${reviewed.baseUrl}, this run talks to ${fresh.baseUrl}`;
  return reviewed.baseUrl === fresh.baseUrl ? [] : [{ kind: 'different', place: 'the service', message }];
}

/** Finds scopes that change and are in another wave than was reviewed, and what was reviewed of the time between waves and is otherwise now. */
function otherWaves(reviewed: Plan, fresh: Plan): readonly PlanDifference[] {
  const [was, is] = [reviewed.rollout, fresh.rollout];
  const moved = new Set(changingScopes(fresh.scopes).map(({ scope }) => scopeLabel(scope)));
  const [before, now] = [wavesByScope(was), wavesByScope(is)];
  const between = (rollout: PlanRollout | undefined): string =>
    canonicalJson(rollout === undefined ? null : { ...rollout, waves: null });
  return [
    ...[...moved].flatMap((place): readonly PlanDifference[] =>
      before.get(place) === now.get(place)
        ? []
        : [
            {
              kind: 'different',
              place,
              message: `it was reviewed in ${before.get(place) ?? 'no wave'}, and is in ${now.get(place) ?? 'no wave'} now`,
            },
          ],
    ),
    ...(between(was) === between(is) || moved.size === 0
      ? []
      : [
          {
            kind: 'different' as const,
            place: 'the waves',
            message:
              'the time between waves, their health, or what follows a failure is not what was reviewed',
          },
        ]),
  ];
}

/** Returns in which waves each scope is, in words. */
function wavesByScope(rollout: PlanRollout | undefined): ReadonlyMap<string, string> {
  const waves = groupBy(
    (rollout?.waves ?? []).flatMap(({ number, scopes }) => scopes.map((scope) => ({ scope, number }))),
    ({ scope }) => scope,
  );
  return new Map(
    [...waves].map(([scope, own]) => [scope, `wave ${own.map(({ number }) => number).join(' and ')}`]),
  );
}

/** Finds zones and accounts with the name of a reviewed one but another id: nobody has reviewed what is to happen in them. */
function otherScopes(reviewed: Plan, fresh: Plan): readonly PlanDifference[] {
  const known = new Map(plannedScopes(reviewed.scopes).map((plan) => [scopeLabel(plan.scope), plan]));
  return plannedScopes(fresh.scopes).flatMap((plan): readonly PlanDifference[] => {
    const { scope } = plan;
    const place = scopeLabel(scope);
    const was = known.get(place);
    if (was === undefined || was.scope.id === scope.id || !(changesScope(was) || changesScope(plan))) {
      return [];
    }
    const message = `it is another ${scope.kind} of the same name: the plan was reviewed for ${bearer(was.scope)}, this run is about ${bearer(scope)}`;
    return [{ kind: 'different', place, message }];
  });
}

function bearer({ kind, id, accountId }: Scope): string {
  return kind === 'zone' ? `${id} (account ${accountId})` : id;
}

/** Finds the steps of a reviewed plan that live does not show as done, by comparing the bases that the two plans have read. */
function undone(
  reviewed: Plan,
  fresh: Plan,
): { readonly untouched: readonly string[]; readonly unread: readonly string[] } {
  const bases = basesByPlace(fresh);
  const steps = plannedScopes(reviewed.scopes).flatMap(({ scope, steps }) =>
    steps.map(({ id, target, base }) => ({
      id,
      was: canonicalJson(base),
      is: bases.get(placeOf(scope, target)),
    })),
  );
  return {
    untouched: steps.flatMap(({ id, was, is }) => (is === was ? [id] : [])),
    unread: steps.flatMap(({ id, is }) => (is === undefined ? [id] : [])),
  };
}

/** Returns the bases that a plan was made from, as canonical JSON by `placeOf`. */
export function basesByPlace({ scopes }: Plan): ReadonlyMap<string, string> {
  return new Map(
    plannedScopes(scopes).flatMap(({ scope, bases }) =>
      bases.map(({ target, base }) => [placeOf(scope, target), canonicalJson(base)] as const),
    ),
  );
}

/** Returns the key of a ruleset's place. An entry point is the only ruleset of its phase, so its name does not count. */
export function placeOf(scope: ScopeRef, { level, phase, name }: RulesetTarget): string {
  return canonicalJson([scopeLabel(scope), level, phase, level === 'custom' ? name : '']);
}

function without({ scopes }: Plan, steps: ReadonlySet<string>): Pick<Plan, 'scopes'> {
  return {
    scopes: scopes.map((scope) => (scope.kind === 'planned' ? withoutSteps(scope, steps) : scope)),
  };
}

function withoutSteps(plan: PlannedScope, gone: ReadonlySet<string>): PlannedScope {
  const { objects = [], ...rest } = plan;
  const left = objects.filter(({ id }) => !gone.has(id));
  const steps = plan.steps.filter(({ id }) => !gone.has(id));
  return { ...rest, steps, ...(left.length === 0 ? {} : { objects: left }) };
}
