import { assertNever } from '../model/assert-never.ts';
import { baseOf } from '../model/ruleset.ts';
import type { PlanNote, Step, UpdateStep } from '../model/plan.ts';
import type { DesiredRuleset, LiveRuleset } from '../model/ruleset.ts';
import type { LiveSlot } from '../model/state.ts';
import type { Scope } from '../model/scope.ts';
import { stepId } from '../model/step-id.ts';
import type { NamedRule } from './rules/name-rules.ts';
import { isAsWanted } from './rules/as-wanted.ts';
import { owns } from './rules/ownership.ts';
import { planRules } from './rules/plan-rules.ts';
import type { Stand, ExecutedRulesets } from './protect/stand.ts';
import { targetOf } from './names/address.ts';

/** A declared ruleset with refs assigned and references resolved, and what is live at its address. */
export interface RulesetInput {
  readonly scope: Scope;
  readonly desired: DesiredRuleset;
  readonly rules: readonly NamedRule[];
  readonly slot: LiveSlot;
  /** The custom rulesets that its rules may execute; absent for a custom ruleset, whose rules execute none. */
  readonly executed?: ExecutedRulesets | undefined;
}

/** The plan of one ruleset: no step or one. */
export interface RulesetPlan {
  readonly step: Step | null;
  readonly notes: readonly PlanNote[];
  /** Reasons why nothing may be done. */
  readonly problems: readonly string[];
}

/** Plans one ruleset; `order-steps.ts` fills in the step's `after`. */
export function planRuleset(input: RulesetInput): RulesetPlan {
  const { desired, slot } = input;
  switch (slot.kind) {
    case 'absent':
      return desired.presence === 'absent' || isEmptyEntrypoint(desired) ? NOTHING : planCreate(input);
    case 'present':
      return desired.presence === 'absent'
        ? planDelete(input, slot.ruleset)
        : planUpdate(input, slot.ruleset);
    default:
      return assertNever(slot);
  }
}

const NOTHING: RulesetPlan = { step: null, notes: [], problems: [] };

/** Whether the files want an entry point without rules, which does the same as none. */
function isEmptyEntrypoint(desired: DesiredRuleset): boolean {
  return desired.address.kind === 'entrypoint' && desired.rules.length === 0;
}

function planCreate(input: RulesetInput): RulesetPlan {
  const { scope, desired, rules } = input;
  const { changes, problems, notes } = planRules(rules, [], { ...desired, stand: standOf(input) });
  const id = stepId(scope, desired.address);
  const step: Step = {
    id,
    operation: 'create',
    target: targetOf(scope, desired.address, null),
    base: baseOf(null),
    description: desired.description ?? '',
    changes,
    after: [],
    cause: desired.cause,
  };
  return { step, notes: notes.map((note): PlanNote => ({ ...note, step: id })), problems };
}

function planUpdate(input: RulesetInput, live: LiveRuleset): RulesetPlan {
  const { scope, desired, rules } = input;
  const described = desired.description !== undefined && desired.description !== live.description;
  if (!described && isAsWanted(rules, live.rules, desired.ownership)) {
    return NOTHING;
  }
  const plan = planRules(rules, live.rules, { ...desired, stand: standOf(input) });
  const id = stepId(scope, desired.address);
  const notes = plan.notes.map((note): PlanNote => ({ ...note, step: id }));
  if (plan.changes.length === 0 && !described) {
    return { step: null, notes, problems: plan.problems };
  }
  const step: UpdateStep = {
    id,
    operation: 'update',
    target: targetOf(scope, desired.address, live),
    base: baseOf(live),
    ...(described ? { description: { before: live.description, after: desired.description ?? '' } } : {}),
    changes: plan.changes,
    staying: plan.staying,
    ...(plan.others.length === 0 ? {} : { others: plan.others }),
    after: [],
    cause: desired.cause,
  };
  return { step, notes, problems: plan.problems };
}

function planDelete(input: RulesetInput, live: LiveRuleset): RulesetPlan {
  const { scope, desired } = input;
  // All rules are deleted with the ruleset, including rules of others, which a guard looks at, and rules that may differ.
  const { changes } = planRules([], live.rules, {
    ownership: { kind: 'all' },
    place: 'any',
    stand: standOf(input),
  });
  const others = live.rules.flatMap((rule) => (owns(desired.ownership, rule) ? [] : [rule.id]));
  const step: Step = {
    id: stepId(scope, desired.address),
    operation: 'delete',
    target: targetOf(scope, desired.address, live),
    base: baseOf(live),
    ...(live.description === '' ? {} : { description: live.description }),
    changes,
    ...(others.length === 0 ? {} : { others }),
    after: [],
    cause: desired.cause,
  };
  return { step, notes: [], problems: [] };
}

function standOf({ scope, desired, executed }: RulesetInput): Stand {
  return { scope, phase: desired.address.phase, ...(executed === undefined ? {} : { executed }) };
}
