import { isWritten, ruleNameOf } from '../../model/change.ts';
import type { RuleName } from '../../model/described-name.ts';
import type { PlanNote, PlannedScope, ScopePlan, Step } from '../../model/plan.ts';
import type { DesiredScope, LiveScope } from '../../model/state.ts';
import { changeKey, isPlaced } from '../../model/rule-order.ts';
import { addressOf } from '../names/address.ts';
import { planScope } from '../plan-scope.ts';
import { addressKey } from '../../model/ruleset.ts';
import { slug } from '../../model/slug.ts';
import { executedRulesets } from '../protect/executed-rulesets.ts';
import { leftBecause, reasonAgainst, reasonAgainstStep, reasonThere, unmadeRulesets } from './accepted.ts';
import { reducedRuleset } from './reduced-ruleset.ts';

/** The whole plan of a scope, and what it was planned from. */
export interface StrengtheningInput {
  readonly plan: PlannedScope;
  readonly desired: DesiredScope;
  readonly live: LiveScope;
}

/** The changes left out, with the reasons: by step id, then by `changeKey` or `WHOLE`. */
type Against = Map<string, Map<string, string>>;

/** Stands for the whole step among the keys of its changes. */
const WHOLE = 'step';

/**
 * Returns the part of a plan that deletes nothing, ends no traffic completely, and whose changes are all proven neutral or strengthening. It is
 * planned anew from correspondingly reduced files, so that positions, order and verdicts are right with the other changes left undone. Notes of
 * kind `left-out` name what is left out, and why.
 */
export function onlyStrengthening(input: StrengtheningInput): ScopePlan {
  const { plan, live } = input;
  const against: Against = new Map();
  const steps = new Map(plan.steps.map((step) => [addressKey(addressOf(step.target)), step]));
  const executed = executedRulesets(live, (address) => steps.get(addressKey(address)));
  for (const step of plan.steps) {
    const whole = reasonAgainstStep(step);
    const reasons = new Map<string, string>(whole === null ? [] : [[WHOLE, whole]]);
    for (const change of step.changes) {
      const reason = reasonAgainst(change, { scope: plan.scope, phase: step.target.phase, executed });
      if (reason !== null) {
        reasons.set(changeKey(change), reason);
      }
    }
    against.set(step.id, reasons);
  }
  // The effect of a place on protection depends on what is left undone. Each turn leaves out at least one more change, so the loop ends.
  for (;;) {
    while (leaveOutUnmade(plan, against)) {
      // A change that names a dropped ruleset may have been the last rule of another new ruleset, which is dropped in the next turn.
    }
    const reduced = planReduced(input, against);
    if (reduced.kind === 'failed') {
      return reduced;
    }
    if (!leaveOutWeakening(plan, reduced, against)) {
      return told(plan, reduced, against);
    }
  }
}

function planReduced({ plan, desired, live }: StrengtheningInput, against: Against): ScopePlan {
  const wanted = new Map(desired.rulesets.map((ruleset) => [addressKey(ruleset.address), ruleset]));
  const slots = new Map(live.entries.map(({ address, slot }) => [addressKey(address), slot]));
  const rulesets = plan.steps.flatMap((step) => {
    const key = addressKey(addressOf(step.target));
    const [ruleset, slot] = [wanted.get(key), slots.get(key)];
    const reasons = against.get(step.id) ?? new Map();
    if (step.operation === 'delete' || ruleset === undefined || slot === undefined || reasons.has(WHOLE)) {
      return [];
    }
    const accepted = new Set(step.changes.map(changeKey).filter((one) => !reasons.has(one)));
    const found = slot.kind === 'present' ? slot.ruleset : null;
    return [reducedRuleset({ step, desired: ruleset, live: found, accepted })];
  });
  return planScope({ ...desired, rulesetOwnership: 'declared', rulesets }, live);
}

/**
 * Leaves out new rulesets without rules, and the changes that refer to one left out. Returns whether it left out a change, so that the caller
 * repeats.
 */
function leaveOutUnmade({ steps }: PlannedScope, against: Against): boolean {
  for (const step of steps) {
    const reasons = against.get(step.id);
    const none = step.changes.length > 0 && step.changes.every((change) => reasons?.has(changeKey(change)));
    if (step.operation === 'create' && none && reasons?.has(WHOLE) === false) {
      reasons.set(WHOLE, 'is not made: none of its rules is');
    }
  }
  const missing = new Set(
    steps.flatMap(({ id, target }) =>
      against.get(id)?.has(WHOLE) === true && target.level === 'custom'
        ? [`custom:${slug(target.name)}`]
        : [],
    ),
  );
  let found = false;
  for (const step of steps) {
    for (const change of step.changes) {
      const names = isWritten(change) ? unmadeRulesets(change.content) : [];
      const name = names.find((one) => missing.has(one));
      const reasons = against.get(step.id);
      if (name !== undefined && reasons?.has(changeKey(change)) === false) {
        found = true;
        reasons.set(changeKey(change), leftBecause(change, `it names ${name}, which is not made`));
      }
    }
  }
  return found;
}

/** Leaves out changes that weaken, or end every request, given what is left undone already; false when there are none. */
function leaveOutWeakening(plan: PlannedScope, reduced: PlannedScope, against: Against): boolean {
  let found = false;
  for (const step of reduced.steps) {
    const whole = plan.steps.find(({ id }) => id === step.id);
    const reasons = against.get(step.id);
    for (const change of step.changes) {
      const reason = reasonThere(change);
      if (reason === null || whole === undefined || reasons === undefined) {
        continue;
      }
      found = true;
      const open = whole.changes.filter((one) => !reasons.has(changeKey(one)));
      const own = open.filter((one) => changeKey(one) === changeKey(change));
      const placed = open.filter(isPlaced);
      // A rule that moves only because others are left out is no change of the whole plan: then leave out those that place rules.
      for (const one of own.length > 0 ? own : placed.length > 0 ? placed : open) {
        reasons.set(changeKey(one), leftBecause(one, reason));
      }
      if (open.length === 0) {
        reasons.set(WHOLE, `stays as it is: ${reason}`);
      }
    }
  }
  return found;
}

/** Returns the reduced plan with the bases and notes of the whole plan, and notes on what is left out. */
function told(plan: PlannedScope, reduced: PlannedScope, against: Against): PlannedScope {
  return {
    ...reduced,
    bases: plan.bases,
    notes: [
      ...plan.steps.flatMap((step) => leftOut(step, against.get(step.id) ?? new Map())),
      ...plan.notes.filter(({ kind }) => ABOUT_LIVE.has(kind)),
      ...reduced.notes.filter(({ kind }) => !ABOUT_LIVE.has(kind)),
    ],
  };
}

/** Kinds of notes about what is live and stays, whatever is applied. */
const ABOUT_LIVE: ReadonlySet<PlanNote['kind']> = new Set(['respelled', 'ignored', 'carried', 'adoptable']);

/** Names no rule: the note is about the ruleset. */
const RULESET: RuleName = { rule: '' };

function leftOut(step: Step, reasons: ReadonlyMap<string, string>): readonly PlanNote[] {
  const note = (name: RuleName, message: string, cause = step.cause): PlanNote => ({
    kind: 'left-out',
    step: step.id,
    ...name,
    message,
    cause,
  });
  const whole = reasons.get(WHOLE);
  if (whole !== undefined && step.operation === 'delete') {
    return [note(RULESET, whole)];
  }
  return [
    ...(whole === undefined ? [] : [note(RULESET, whole)]),
    ...step.changes.flatMap((change) => {
      const reason = reasons.get(changeKey(change));
      const cause = 'cause' in change ? change.cause : step.cause;
      return reason === undefined ? [] : [note(ruleNameOf(change), reason, cause)];
    }),
  ];
}
