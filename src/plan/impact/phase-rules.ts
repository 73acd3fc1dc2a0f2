import { assertNever, groupBy, memoise } from '../../data/index.ts';
import type {
  AddRule,
  RuleChange,
  Step,
  RuleContent,
  LiveRuleset,
  RulesetAddress,
  LiveScope,
} from '../../model/index.ts';
import {
  changesById,
  changeKey,
  entryKey,
  orderAfter,
  executedReference,
  addressKey,
  addressOfRuleset,
  ruleReference,
} from '../../model/index.ts';
import { slug } from '../../text/index.ts';
import { addressOf } from '../names/ruleset-names.ts';
import { recreatedIn } from './recreated-rules.ts';
import type { EffectContext } from './security-effect.ts';
import type { TimeSpan } from './conditions.ts';
import { conditionIn } from './conditions.ts';
import { isEnding } from './every-request.ts';

/** The state before a plan, or after it. */
export type PlanSide = 'before' | 'after';

/** Where changes of a phase are judged, and in which direction. */
export interface About {
  readonly context: EffectContext;
  readonly way: { readonly from: PlanSide; readonly to: PlanSide };
}

/**
 * Returns steps whose changes say what `found` tells of them on the way forth, and on the way back. `mark` adds it to a change of which one of them tells
 * something.
 */
export function markBothWays<Told>(
  steps: readonly Step[],
  found: (way: About['way']) => ReadonlyMap<RuleChange, Told>,
  mark: (change: RuleChange, forth: Told | undefined, back: Told | undefined) => RuleChange,
): readonly Step[] {
  const [forth, back] = [found({ from: 'before', to: 'after' }), found({ from: 'after', to: 'before' })];
  return forth.size + back.size === 0
    ? steps
    : steps.map((step) => ({
        ...step,
        changes: step.changes.map((change) =>
          forth.has(change) || back.has(change) ? mark(change, forth.get(change), back.get(change)) : change,
        ),
      }));
}

/** A rule before and after a plan, whatever its `ref`; null where it does not exist. */
export interface RuleInPhase extends Readonly<Record<PlanSide, RuleContent | null>> {
  /** The rule's id in skips: a reference by `ref` while it has no id. */
  readonly id: string;
  readonly ref: string;
  /** The plan's change of the rule; for a rule recreated under another `ref`, the addition. */
  readonly change: RuleChange | undefined;
}

/** The rules of a ruleset, in order, before and after a plan. */
export type RulesInPhase = Readonly<Record<PlanSide, readonly RuleInPhase[]>>;

/** All that is known of the rules of a phase in which the plan changes some. */
export interface PhaseRules {
  readonly phase: string;
  /** Undefined when the entry point was not read: then nobody knows which custom rulesets it executes, and under which conditions. */
  readonly entrypoint: RulesInPhase | undefined;
  /** The custom rulesets by the reference used in `execute`. */
  readonly custom: ReadonlyMap<string, RulesInPhase>;
}

/** A phase, and where and in which direction its changes are judged. */
export interface JudgedPhase {
  readonly phase: PhaseRules;
  readonly about: About;
}

/** Collects the rules of phases of a scope before and after a plan. */
export function phasesOf(
  steps: readonly Step[],
  live: LiveScope,
  phases: ReadonlySet<string>,
): readonly PhaseRules[] {
  const stepAt = new Map(steps.map((step) => [addressKey(addressOf(step.target)), step]));
  const found = [
    ...live.entries.map(({ address, slot }) => ({
      address,
      ruleset: slot.kind === 'present' ? slot.ruleset : null,
    })),
    ...(live.users ?? []).map((ruleset) => ({ address: addressOfRuleset(ruleset), ruleset })),
  ];
  const byPhase = groupBy(found, ({ address }) => address.phase);
  return [...phases].map((phase) => {
    const rulesets = (byPhase.get(phase) ?? []).map(({ address, ruleset }) => ({
      address,
      reference: referenceTo(address, ruleset),
      rules: rulesOf(ruleset, stepAt.get(addressKey(address))),
    }));
    return {
      phase,
      entrypoint: rulesets.find(({ address }) => address.kind === 'entrypoint')?.rules,
      custom: new Map(
        rulesets.flatMap(({ address, reference, rules }) =>
          address.kind === 'custom' ? [[reference, rules] as const] : [],
        ),
      ),
    };
  });
}

/** Returns the conditions of all rules of a phase, before and after; those of rules that change come first. */
export function conditionsIn({ entrypoint, custom }: PhaseRules): readonly string[] {
  const rulesets = [...(entrypoint === undefined ? [] : [entrypoint]), ...custom.values()];
  const rules = [...new Set(rulesets.flatMap(({ before, after }) => [...before, ...after]))];
  return [...rules.filter(isChanged), ...rules.filter((rule) => !isChanged(rule))].flatMap(
    ({ before, after }) => [before, after].flatMap((content) => (content === null ? [] : content.expression)),
  );
}

/** Returns the rules of a phase as they are during a span of time. A rule that does not differ before and after still does not. */
export function phaseIn(span: TimeSpan, phase: PhaseRules): PhaseRules {
  const contentIn = memoise((content: RuleContent): RuleContent => {
    const expression = conditionIn(span, content.expression);
    return expression === content.expression ? content : { ...content, expression };
  });
  const ruleIn = memoise((rule: RuleInPhase): RuleInPhase => {
    const [before, after] = [rule.before && contentIn(rule.before), rule.after && contentIn(rule.after)];
    return before === rule.before && after === rule.after ? rule : { ...rule, before, after };
  });
  const rulesIn = ({ before, after }: RulesInPhase): RulesInPhase => ({
    before: before.map(ruleIn),
    after: after.map(ruleIn),
  });
  return {
    ...phase,
    entrypoint: phase.entrypoint && rulesIn(phase.entrypoint),
    custom: new Map([...phase.custom].map(([reference, rules]) => [reference, rulesIn(rules)])),
  };
}

/** Returns the rules that execute a custom ruleset: its rules run under their conditions, and nowhere else (api.md 4.4). */
export function callersOf(reference: string, { before, after }: RulesInPhase): RulesInPhase {
  return {
    before: before.filter((rule) => executedBy(rule.before) === reference),
    after: after.filter((rule) => executedBy(rule.after) === reference),
  };
}

/** Whether a rule differs before and after. */
export function isChanged({ before, after }: RuleInPhase): boolean {
  return before !== after;
}

/** Whether a rule ends requests, or executes a ruleset that may. */
export function acts(content: RuleContent): boolean {
  return isEnding(content) || executedBy(content) !== undefined;
}

/** Returns the ruleset that a rule executes; undefined when it is disabled or executes none. */
export function executedBy(content: RuleContent | null): string | undefined {
  return content?.enabled === true ? executedReference(content) : undefined;
}

/** Returns how `execute` refers to a ruleset: by id, or by name when the plan creates it. */
function referenceTo(address: RulesetAddress, ruleset: LiveRuleset | null): string {
  return ruleset?.id ?? (address.kind === 'custom' ? `custom:${slug(address.name)}` : '');
}

function rulesOf(live: LiveRuleset | null, step: Step | undefined): RulesInPhase {
  const changes = step?.changes ?? [];
  const byId = changesById(changes);
  const again = new Map([...recreatedIn(changes)].map(([add, { id }]) => [id, add]));
  const before = (live?.rules ?? []).map(({ id, ref, content }): RuleInPhase => {
    const change = again.get(id) ?? byId.get(id);
    return { id, ref: change?.ref ?? ref, before: content, after: contentAfter(content, change), change };
  });
  if (step === undefined) {
    return { before, after: before };
  }
  const made = changes.filter((change) => change.kind === 'add');
  const byKey = new Map<string, RuleInPhase>([
    ...made.map((change) => [changeKey(change), newRule(change)] as const),
    ...before.map(
      (rule) =>
        [rule.change ? changeKey(rule.change) : entryKey({ kind: 'live', id: rule.id }), rule] as const,
    ),
  ]);
  return { before, after: orderAfter(step).flatMap((entry) => byKey.get(entryKey(entry)) ?? []) };
}

function newRule(change: AddRule): RuleInPhase {
  const { ref, content } = change;
  return { id: ruleReference(ref), ref, before: null, after: content, change };
}

function contentAfter(live: RuleContent, change: RuleChange | undefined): RuleContent | null {
  switch (change?.kind) {
    case 'add':
    case 'patch':
      return change.content;
    case 'delete':
      return null;
    case 'move':
    case undefined:
      return live;
    default:
      return assertNever(change);
  }
}
