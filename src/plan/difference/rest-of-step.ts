import type { PatchRule, RuleChange } from '../../model/change.ts';
import { canonicalJson } from '../../model/json.ts';
import { canonicalContent } from '../../model/normalise.ts';
import type { Step } from '../../model/plan.ts';
import { othersOf } from '../../model/rule-order.ts';
import type { LiveRuleset } from '../../model/ruleset.ts';
import { fieldChanges } from '../compare/compare-rules.ts';
import { changeEffect } from '../document/digest.ts';
import type { Expectation } from '../requests/expect.ts';
import { deviations, expectAfter } from '../requests/expect.ts';
import { writesOf } from '../requests/writes.ts';

/** Whether a step does less than a reviewed step to the same ruleset, and nothing else: fewer changes, or fewer fields of a rule. */
export function isPartOf(step: Step, reviewed: Step): boolean {
  if (step.operation !== 'update' || reviewed.operation === 'delete') {
    return false;
  }
  const seen = new Set(reviewed.changes.map((change) => canonicalJson(changeEffect(change))));
  const isSeen = (change: RuleChange): boolean => seen.has(canonicalJson(changeEffect(change)));
  return (
    step.changes.every(
      (change) => isSeen(change) || reviewed.changes.some((whole) => isRestOf(change, whole)),
    ) &&
    (step.changes.length < reviewed.changes.length || !step.changes.every(isSeen))
  );
}

/** Whether a patch leads where a reviewed one does, through fields that this one changes in the same way: live has the others already. */
function isRestOf(change: RuleChange, whole: RuleChange): boolean {
  if (change.kind !== 'patch' || whole.kind !== 'patch') {
    return false;
  }
  const { before, move } = whole;
  const isMoved = change.move === undefined || move !== undefined;
  const same = canonicalJson(changeEffect({ ...change, before, ...(move === undefined ? {} : { move }) }));
  const seen = new Set(fieldsOf(whole));
  return (
    isMoved &&
    same === canonicalJson(changeEffect(whole)) &&
    fieldsOf(change).every((field) => seen.has(field))
  );
}

function fieldsOf({ before, content }: PatchRule): readonly string[] {
  return fieldChanges(canonicalContent(before), canonicalContent(content)).map((field) =>
    canonicalJson(field),
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
