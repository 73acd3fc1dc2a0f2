import { assertNever, canonicalJson, isJsonObject, groupBy } from '../../data/index.ts';
import type {
  RuleChange,
  CreateStep,
  DeleteStep,
  OutcomeCounts,
  Plan,
  Step,
  UpdateStep,
} from '../../model/index.ts';
import {
  REPLAY_OUTCOMES,
  changeKey,
  entryKey,
  orderAfter,
  orderBefore,
  othersOf,
  ruleCounts,
  stayingOf,
  scopeLabel,
  shapeProblems,
  plannedScopes,
  allSteps,
} from '../../model/index.ts';
import { validatePlan } from '../generated/validate-plan.mjs';
import { factsOf, integrityOf, wholeOf } from './make-plan.ts';

/** The result of checking a plan. */
export type CheckedPlan =
  | { readonly kind: 'valid'; readonly plan: Plan }
  /** A plan in the format of another version of Rulewright. */
  | { readonly kind: 'other-format'; readonly problem: string }
  | { readonly kind: 'invalid'; readonly problems: readonly string[] };

/** The format that is written, and the only one that can be read. */
const FORMAT: Plan['formatVersion'] = 3;

/** The most problems that are shown; a file that is no plan at all would have hundreds. */
const MOST_PROBLEMS = 10;

/**
 * Checks a plan that comes from outside: that it fits the schema, that the places in each step form one order, that its digests are those of
 * its content, and that its summary counts what is there. So a plan edited by hand does not pass for the reviewed one.
 */
export function checkPlan(value: unknown): CheckedPlan {
  const format = formatOf(value);
  if (format !== undefined && format !== FORMAT) {
    const problem = `made by another version of rulewright (format ${format}; this one reads ${FORMAT})`;
    return { kind: 'other-format', problem };
  }
  if (!validatePlan(value)) {
    const problems = shapeProblems(validatePlan.errors ?? []).map(
      (problem) => `it is damaged, or not a plan: ${problem}`,
    );
    return { kind: 'invalid', problems: problems.slice(0, MOST_PROBLEMS) };
  }
  const facts = value.scopes.map((scope) => factsOf(scope));
  const { summary, digest } = wholeOf(facts);
  const problems = [
    ...(namesScopeTwice(value.scopes)
      ? ['a scope is in it twice']
      : sharedLabels(value.scopes).map((label) => `two scopes are called ${label}`)),
    ...allSteps(value.scopes).flatMap((step) => inconsistencies(step)),
    ...(canonicalJson(summary) === canonicalJson(value.summary)
      ? []
      : ['the summary does not count what the steps change']),
    ...(digest === value.digest ? [] : ['the digest is not that of the effect']),
    ...replayProblems(value),
    ...waveProblems(value),
    ...(integrityOf(value, facts) === value.integrity ? [] : ['it was changed after it was made']),
  ];
  return problems.length === 0
    ? { kind: 'valid', plan: value }
    : { kind: 'invalid', problems: problems.slice(0, MOST_PROBLEMS) };
}

/** Lists what is wrong with the replay in a plan: it is that of another plan, or does not add up. */
function replayProblems({ digest, replay }: Plan): readonly string[] {
  if (replay === undefined) {
    return [];
  }
  const { plan, records, outcomes, zones } = replay;
  const sum = (counts: OutcomeCounts): number =>
    REPLAY_OUTCOMES.reduce((all, outcome) => all + counts[outcome], 0);
  const adds =
    sum(outcomes) === records &&
    zones.every((zone) => sum(zone.outcomes) === zone.records) &&
    zones.reduce((all, zone) => all + zone.records, 0) === records;
  return [
    ...(plan === digest ? [] : ['the recorded requests in it were sent through another plan']),
    ...(adds ? [] : ['the counts of recorded requests in it do not add up']),
  ];
}

/** Lists what is wrong with the waves of a plan: a scope that changes is in one, an account in one before its zones and one after them. */
function waveProblems({ rollout, scopes }: Plan): readonly string[] {
  if (rollout === undefined) {
    return [];
  }
  const waves = groupBy(
    rollout.waves.flatMap((wave) => wave.scopes.map((label) => ({ label, kind: wave.kind }))),
    ({ label }) => label,
  );
  return scopes.flatMap(({ scope }) => {
    const label = scopeLabel(scope);
    const kinds = (waves.get(label) ?? []).map(({ kind }) => kind);
    const isRight =
      scope.kind === 'account'
        ? kinds.join(' ') === 'accounts-before accounts-after'
        : kinds.length === 1 && (kinds[0] === 'zones' || kinds[0] === 'rest');
    return isRight ? [] : [`${label} is not in the waves as it has to be`];
  });
}

/** Whether a scope appears twice, so that one place would not show all that happens to it. */
function namesScopeTwice(scopes: Plan['scopes']): boolean {
  const ids = plannedScopes(scopes).map(({ scope }) => `${scope.kind} ${scope.id}`);
  return new Set(ids).size < ids.length;
}

/** Returns the labels shared by several scopes, which are ambiguous: steps, findings and outcomes name their scope by its label alone. */
export function sharedLabels(scopes: Plan['scopes']): readonly string[] {
  const labels = groupBy(scopes, ({ scope }) => scopeLabel(scope));
  return [...labels].filter(([, { length }]) => length > 1).map(([label]) => label);
}

/** Returns the format number that a plan states. */
function formatOf(value: unknown): number | undefined {
  const format = isJsonObject(value) && value['kind'] === 'plan' ? value['formatVersion'] : undefined;
  return typeof format === 'number' ? format : undefined;
}

/** Lists the inconsistencies within a step; such a step would do something else than it shows. */
function inconsistencies(step: Step): readonly string[] {
  const wrongBase = step.operation === 'create' ? step.base.kind === 'version' : step.base.kind !== 'version';
  const base = wrongBase ? [`${step.id}: its base fits no ${step.operation}`] : [];
  if (step.operation === 'delete') {
    return [
      ...base,
      ...(step.changes.every((change) => change.kind === 'delete')
        ? []
        : [`${step.id}: a ruleset that is deleted can only lose rules`]),
      ...(namesOthersOnce(step) ? [] : [`${step.id}: it names rules of others that it does not delete`]),
    ];
  }
  return [
    ...base,
    ...(givesOnePlaceEach(step) ? [] : [`${step.id}: the places of its rules do not agree`]),
    ...(leavesOthersAlone(step) ? [] : [`${step.id}: it changes rules that it says are not ours`]),
  ];
}

/** Whether each rule that the step says belongs to others is one that it deletes: guards leave these rules out. */
function namesOthersOnce(step: DeleteStep): boolean {
  const going = new Set(step.changes.flatMap((change) => (change.kind === 'add' ? [] : [change.id])));
  // `delete` also detects an id that is named twice.
  return othersOf(step).every((id) => going.delete(id));
}

/** Whether each rule that the step says belongs to others stays unchanged in place: guards leave these rules out. */
function leavesOthersAlone(step: CreateStep | UpdateStep): boolean {
  const left = new Set(stayingOf(step));
  step.changes.forEach((change) => (change.kind === 'add' ? undefined : left.delete(change.id)));
  // `delete` also detects an id that is named twice.
  return othersOf(step).every((id) => left.delete(id));
}

/** Whether every rule has one place before and one after, and stands where its change says. */
function givesOnePlaceEach(step: CreateStep | UpdateStep): boolean {
  const counts = ruleCounts(step);
  const before = new Set(orderBefore(step));
  const order = orderAfter(step);
  const placeOf = new Map(order.map((entry, index) => [entryKey(entry), index + 1]));
  const isWhole = before.size === counts.before && placeOf.size === counts.after;
  return (
    isWhole &&
    order.length === counts.after &&
    new Set(step.changes.map(changeKey)).size === step.changes.length &&
    step.changes.every((change) => isWhereItSays(change, { before, place: placeOf.get(changeKey(change)) }))
  );
}

interface Whereabouts {
  /** Ids of the rules before the step. */
  readonly before: ReadonlySet<string>;
  /** Number of the rule afterwards, from 1; undefined when it is gone. */
  readonly place: number | undefined;
}

function isWhereItSays(change: RuleChange, { before, place }: Whereabouts): boolean {
  switch (change.kind) {
    case 'add':
      return place === change.place.index;
    case 'patch':
      return before.has(change.id) && place === change.place.index;
    case 'move':
      return before.has(change.id) && place === change.move.to.index;
    case 'delete':
      return before.has(change.id) && place === undefined;
    default:
      return assertNever(change);
  }
}
