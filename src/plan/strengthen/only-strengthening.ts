import {
  isWritten,
  ruleNameOf,
  changeKey,
  isPlaced,
  entryKey,
  orderAfter,
  addressKey,
  rulesetReferences,
  splitReference,
} from '../../model/index.ts';
import type {
  RuleName,
  PlanNote,
  PlannedScope,
  ScopePlan,
  Step,
  CreateStep,
  UpdateStep,
  DesiredScope,
  LiveScope,
  RuleChange,
  RuleContent,
  DesiredRule,
  DesiredRuleset,
  LiveRuleset,
  Cause,
} from '../../model/index.ts';
import { addressOf } from '../names/ruleset-names.ts';
import { planScope } from '../plan-scope.ts';
import { counted, slug } from '../../text/index.ts';
import { executedRulesets } from '../impact/executed-rulesets.ts';
import { assertNever } from '../../data/index.ts';
import { doesWhat } from '../impact/rule-effects.ts';
import { judgeContent } from '../impact/judge-content.ts';
import type { EffectContext, SecurityImpact } from '../impact/security-effect.ts';
import { isIgnored } from '../compare/ignore.ts';
import { owns } from '../match/name-rules.ts';

/** Returns why a run that only strengthens leaves a change out, whatever else it does; null: that depends on the other changes. */
function reasonAgainst(change: RuleChange, context: EffectContext): string | null {
  switch (change.kind) {
    case 'delete':
      return `${stillLive(change.before, context)}: this mode deletes nothing`;
    case 'add':
      return reasonOf(change, judgeContent(change, context));
    case 'patch':
      return change.adopts === undefined
        ? reasonOf(change, judgeContent(change, context))
        : `is not taken over from ${change.adopts}: only the service can say that it keeps its id`;
    case 'move':
      return null;
    default:
      return assertNever(change);
  }
}

/** Says that a live rule stays, and what it does. */
function stillLive(content: RuleContent, context: EffectContext): string {
  return content.enabled ? `is still live and ${doesWhat(content, context)}` : 'is still live, but disabled';
}

function reasonOf(change: RuleChange, verdict: SecurityImpact): string | null {
  return verdict.kind === 'weaker' ? leftBecause(change, verdict.reason) : null;
}

/**
 * Returns why a change is left out given what is done and left undone beside it; null: it does not weaken. A change that newly ends every
 * request is left to people, however much it protects.
 */
function reasonThere({ protection, ends }: RuleChange): string | null {
  if (protection.kind === 'weakening') {
    return protection.reason;
  }
  return ends?.forth === undefined ? null : `from then on it ${ends.forth}`;
}

/** What becomes of a change that is left out, and why. */
function leftBecause({ kind }: Pick<RuleChange, 'kind'>, reason: string): string {
  return `${LEFT[kind]}: ${reason}`;
}

const LEFT: Readonly<Record<RuleChange['kind'], string>> = {
  add: 'is not added',
  patch: 'stays as it is',
  move: 'stays where it is',
  delete: 'stays',
};

/** Returns why a whole step is left out; null: its changes decide. */
function reasonAgainstStep(step: Step): string | null {
  return step.operation === 'delete'
    ? `is still live with ${counted(step.changes.length, 'rule')}: this mode deletes nothing`
    : null;
}

/** Returns the custom rulesets that a content names and that have no id yet, as `custom:<slug>`. */
function unmadeRulesets(content: RuleContent): readonly string[] {
  return rulesetReferences(content).filter((reference) => splitReference(reference)[0] === 'custom');
}

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

/** Which changes of a step are made, and what the step was planned from. */
interface Reduction {
  readonly step: CreateStep | UpdateStep;
  /** The ruleset as the files want it; it also tells which rules are ours. */
  readonly desired: DesiredRuleset;
  readonly live: LiveRuleset | null;
  /** `changeKey`s of the changes that are made. */
  readonly accepted: ReadonlySet<string>;
}

/** A rule of the reduced list, with its `entryKey`. */
interface KeyedRule {
  readonly key: string;
  readonly rule: DesiredRule;
}

/**
 * Returns the ruleset as files would declare it to ask for exactly the accepted changes: everything else is as it is live, with rules of others
 * as anchors for the places of ours. A new or moving rule goes after its nearest predecessor that already is where the step wants it.
 */
function reducedRuleset({ step, desired, live, accepted }: Reduction): DesiredRuleset {
  const cause = step.cause ?? desired.cause;
  const made = new Map(
    step.changes.flatMap((change) => (accepted.has(changeKey(change)) ? [[changeKey(change), change]] : [])),
  );
  const { ownership, ignore = [] } = desired;
  const declared = new Set(desired.rules.flatMap(({ ref, id }) => [ref, id]));
  // A rule that may differ as a whole keeps its content; the files decide its place only if they name it.
  const isOurs = (ref: string, id: string): boolean =>
    owns(ownership, { ref }) && (!isIgnored(ignore, ref) || declared.has(ref) || declared.has(id));
  const list: KeyedRule[] = (live?.rules ?? []).map(({ ref, id, content }): KeyedRule => {
    const key = entryKey({ kind: 'live', id });
    const change = made.get(key);
    const kept: DesiredRule = { ref, id, adopt: false, content, exact: true, cause };
    const rule = change !== undefined ? changed(change, kept) : isOurs(ref, id) ? kept : anchored(kept);
    return { key, rule };
  });
  // Rules whose move is left out are not in the order of the step, so no rule is placed after them.
  const astray = new Set(
    step.changes.flatMap((change) =>
      isPlaced(change) && !made.has(changeKey(change)) ? [changeKey(change)] : [],
    ),
  );
  const order = orderAfter(step);
  order.forEach((entry, index) => {
    const change = made.get(entryKey(entry));
    if (change !== undefined && isPlaced(change)) {
      const at = list.findIndex(({ key }) => key === entryKey(entry));
      const [own] = at === -1 ? [] : list.splice(at, 1);
      const rule = own?.rule ?? added(change, cause);
      const before = order
        .slice(0, index)
        .findLast((other) => !astray.has(entryKey(other)) && list.some(({ key }) => key === entryKey(other)));
      const behind = before === undefined ? 0 : list.findIndex(({ key }) => key === entryKey(before)) + 1;
      list.splice(behind, 0, { key: entryKey(entry), rule });
    }
  });
  const { description: _description, ...rest } = desired;
  const described = typeof step.description === 'string' ? step.description : step.description?.after;
  return {
    ...rest,
    ...(described === undefined ? {} : { description: described }),
    rules: list.map(({ rule }) => rule),
  };
}

function anchored(rule: DesiredRule): DesiredRule {
  return { ...rule, anchor: true };
}

function changed(change: RuleChange, kept: DesiredRule): DesiredRule {
  return change.kind === 'patch'
    ? { ...kept, ref: change.ref, content: change.content, cause: change.cause }
    : change.kind === 'move'
      ? { ...kept, cause: change.cause }
      : kept;
}

function added(change: RuleChange, cause: Cause): DesiredRule {
  if (change.kind !== 'add') {
    throw new Error('a rule that lives is in the list');
  }
  return {
    ref: change.ref,
    adopt: false,
    content: change.content,
    exact: true,
    cause: change.cause ?? cause,
  };
}
