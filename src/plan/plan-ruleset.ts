import { assertNever } from '../data/index.ts';
import { baseOf, stepId, identicalContent } from '../model/index.ts';
import type {
  PlanNote,
  Step,
  UpdateStep,
  DesiredRuleset,
  LiveRuleset,
  RuleOwnership,
  LiveSlot,
  Scope,
  LiveRule,
  RuleChange,
} from '../model/index.ts';
import type { NamedRule } from './match/name-rules.ts';
import { owns } from './match/name-rules.ts';
import type { EffectContext, ExecutedRulesets } from './impact/security-effect.ts';
import { targetOf } from './names/ruleset-names.ts';
import { isMeant } from './match/match-rules.ts';
import { createSafeRanges } from './impact/judge-moves.ts';
import { arrange } from './match/arrange.ts';
import { finalContent, pairRules } from './match/pair-rules.ts';
import type { RuleNote } from './match/pair-rules.ts';
import { ruleChanges } from './match/rule-changes.ts';

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
  const { changes, problems, notes } = planRules(rules, [], { ...desired, context: standOf(input) });
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
  const plan = planRules(rules, live.rules, { ...desired, context: standOf(input) });
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
    context: standOf(input),
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

function standOf({ scope, desired, executed }: RulesetInput): EffectContext {
  return { scope, phase: desired.address.phase, ...(executed === undefined ? {} : { executed }) };
}

/**
 * Whether live is literally what the files want: the same rules under the same refs in the same order, all of them ours. A fast path for the
 * usual case in which there is nothing to do and nothing to note.
 */
export function isAsWanted(
  wanted: readonly NamedRule[],
  live: readonly LiveRule[],
  ownership: RuleOwnership,
): boolean {
  return (
    wanted.length === live.length &&
    wanted.every((rule, index) => {
      const found = live[index];
      return (
        found !== undefined &&
        rule.madeUp !== true &&
        // A rule whose `adopt: true` has done its work gets a note.
        !rule.adopt &&
        rule.ref === found.ref &&
        isMeant(rule, found) &&
        identicalContent(rule.content, found.content) &&
        owns(ownership, found)
      );
    })
  );
}

/** The plan for the rules of one ruleset. */
interface RulesPlan {
  readonly changes: readonly RuleChange[];
  /** Ids of the live rules that remain and do not move. */
  readonly staying: readonly string[];
  /** The ids in `staying` of rules that are not ours. */
  readonly others: readonly string[];
  readonly notes: readonly RuleNote[];
  /** Messages on rules that name a live rule that they cannot have; if there are any, nothing may be done. */
  readonly problems: readonly string[];
}

/**
 * Plans the rules of one ruleset: which desired rule is which live one, where each goes, and the changes that lead there. References in
 * `wanted` are resolved. Changes come in the order of the final list, deletions last in live order.
 */
export function planRules(
  wanted: readonly NamedRule[],
  live: readonly LiveRule[],
  options: Pick<DesiredRuleset, 'ownership' | 'place' | 'ignore'> & { readonly context: EffectContext },
): RulesPlan {
  const paired = pairRules(wanted, live, options);
  const { context } = options;
  const arrangement = arrange(paired.roles, paired.liveOf, {
    place: options.place,
    safeRange: createSafeRanges({
      live,
      context,
      others: [...paired.roles.keys()].filter((at) => paired.roles[at] === 'foreign'),
      finally: (at) => {
        const match = paired.matchOf[at];
        return match === undefined ? undefined : finalContent(match);
      },
    }),
  });
  const { changes, notes } = ruleChanges(paired, arrangement, context);
  const staying: string[] = [];
  const others: string[] = [];
  for (const entry of arrangement.order) {
    const rule = entry.kind === 'live' && !arrangement.moved.has(entry.live) ? live[entry.live] : undefined;
    if (entry.kind === 'live' && rule !== undefined) {
      staying.push(rule.id);
      others.push(...(paired.roles[entry.live] === 'foreign' ? [rule.id] : []));
    }
  }
  return { changes, staying, others, notes: [...paired.notes, ...notes], problems: paired.problems };
}
