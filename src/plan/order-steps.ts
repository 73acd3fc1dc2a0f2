import { isJsonArray, isJsonObject } from '../model/json.ts';
import { phaseOrder } from '../model/phase.ts';
import type { Step } from '../model/plan.ts';
import type { RuleContent } from '../model/rule.ts';
import { slug } from '../model/slug.ts';

/**
 * Puts the steps of a scope in an order in which each can be done: custom rulesets are made or changed
 * before the entry points that execute or skip them, and deleted after the last rule that named them is
 * gone, also where that goes with its entry point. Within a tier: order of execution of the phases, then name.
 */
export function orderSteps(steps: readonly Step[]): readonly Step[] {
  const sorted = [...steps].sort(
    (a, b) =>
      tier(a) - tier(b) ||
      phaseOrder(a.target.phase) - phaseOrder(b.target.phase) ||
      (a.id < b.id ? -1 : a.id > b.id ? 1 : 0),
  );
  return sorted.map((step) => ({ ...step, after: dependencies(step, sorted) }));
}

function tier(step: Step): number {
  if (step.operation === 'delete') {
    return step.target.level === 'custom' ? 3 : 2;
  }
  return step.target.level === 'custom' ? 0 : 1;
}

function dependencies(step: Step, all: readonly Step[]): readonly string[] {
  const needs =
    step.operation === 'delete'
      ? (other: Step): boolean => step.base.kind === 'version' && drops(other, step.base.id)
      : (other: Step): boolean => isNeededBy(other, step);
  return all.filter((other) => other.id !== step.id && needs(other)).map((other) => other.id);
}

/** Whether a step takes away a reference to a ruleset. */
function drops(step: Step, rulesetId: string): boolean {
  return step.changes.some(
    (change) =>
      (change.kind === 'delete' || change.kind === 'patch') &&
      rulesetReferences(change.before).includes(rulesetId),
  );
}

/** Whether `step` makes or changes a custom ruleset that a rule written by `user` names. */
function isNeededBy(step: Step, user: Step): boolean {
  if (step.target.level !== 'custom' || step.operation === 'delete') {
    return false;
  }
  const names = new Set([
    `custom:${slug(step.target.name)}`,
    ...(step.base.kind === 'version' ? [step.base.id] : []),
  ]);
  return user.changes.some(
    (change) =>
      (change.kind === 'add' || change.kind === 'patch') &&
      rulesetReferences(change.content).some((reference) => names.has(reference)),
  );
}

/** Rulesets that a rule names: ids, or `custom:<slug>` where not made yet. */
export function rulesetReferences(content: RuleContent): readonly string[] {
  const parameters = content.action_parameters ?? {};
  const { id, rulesets, rules } = parameters;
  if (content.action === 'execute') {
    return typeof id === 'string' ? [id] : [];
  }
  if (content.action !== 'skip') {
    return [];
  }
  return [
    ...(isJsonArray(rulesets) ? rulesets.filter((entry) => typeof entry === 'string') : []),
    ...(isJsonObject(rules) ? Object.keys(rules) : []),
  ];
}
