import { canonicalJson } from '../../model/json.ts';
import type { Step } from '../../model/plan.ts';
import { othersOf } from '../../model/rule-order.ts';
import type { LiveRuleset } from '../../model/ruleset.ts';
import { changeEffect } from '../document/digest.ts';
import type { Expectation } from '../requests/expect.ts';
import { deviations, expectAfter } from '../requests/expect.ts';
import { writesOf } from '../requests/writes.ts';

/** Whether the changes of a step are a proper subset of a reviewed step's changes to the same ruleset. */
export function isPartOf(step: Step, reviewed: Step): boolean {
  if (step.operation !== 'update' || reviewed.operation === 'delete') {
    return false;
  }
  const seen = new Set(reviewed.changes.map((change) => canonicalJson(changeEffect(change))));
  return (
    step.changes.length < reviewed.changes.length &&
    step.changes.every((change) => seen.has(canonicalJson(changeEffect(change))))
  );
}

/** A step, and the ruleset that it was planned on; null when there was none. */
export interface PlannedOn {
  readonly step: Step;
  readonly on: LiveRuleset | null;
}

/**
 * Whether both steps lead to the same rules. If so, what the fresh plan no longer does has already been done live. Rules of others are left
 * out; those that decide about the same requests are part of what `isPartOf` compares.
 */
export function endAlike(reviewed: PlannedOn, fresh: PlannedOn): boolean {
  const [wanted, comes] = [endOf(reviewed), endOf(fresh)];
  return wanted !== null && comes !== null && deviations(wanted, comes).length === 0;
}

function endOf({ step, on }: PlannedOn): Expectation | null {
  const [whole] = writesOf(step, 'ruleset');
  const end = whole === undefined ? null : expectAfter(on, whole);
  const others = new Set<string | null>(othersOf(step));
  return end === null ? null : { ...end, rules: end.rules.filter(({ id }) => !others.has(id)) };
}
