import {
  isWritten,
  ruleNameOf,
  canonicalContent,
  OVERRIDE_MEMBERS,
  readOverrides,
  stateUnder,
  executedReference,
} from '../../model/index.ts';
import type {
  AddRule,
  PatchRule,
  Protection,
  RuleChange,
  ManagedLookUp,
  PlanNote,
  PlannedScope,
  LiveRule,
  RuleContent,
  LiveRuleset,
  Overrides,
} from '../../model/index.ts';
import type { JsonObject, JsonValue } from '../../data/index.ts';
import { groupBy, jsonEqual, objectOf, objectsIn } from '../../data/index.ts';
import { counted, someNames } from '../../text/index.ts';
import { compareExecutes, compareEntry, usualScore } from '../impact/override-effects.ts';
import { noSuchRule, noSuchTag, unknownEntries } from './no-such-id.ts';
import type { ManagedLookUps } from './no-such-id.ts';

/** A managed rule whose state a change of overrides alters. */
interface AffectedRule {
  readonly id: string;
  /** The vendor's description; "" where there is none. */
  readonly name: string;
  readonly tags: readonly string[];
  /** `off`, or the rule's action, with sensitivity or score threshold if overridden. */
  readonly before: string;
  readonly after: string;
  /** What happens to it, with `%` in place of the rules: `switches off %`. */
  readonly does: string;
  /** Whether the rule protects less than before, or may. */
  readonly weaker: boolean;
}

/** The effect of a change of overrides on the managed rules that they apply to. */
interface OverrideEffect {
  readonly total: number;
  readonly affected: readonly AffectedRule[];
  /** The rules in `affected` that had an override and are now as the vendor ships them. */
  readonly reset: readonly AffectedRule[];
  /** Ids and categories in the new overrides that the managed ruleset does not have. */
  readonly unknownRules: readonly string[];
  readonly unknownCategories: readonly string[];
  /** Whether an override of the whole ruleset is added, removed or changed: it also reaches future rules. */
  readonly rulesetWide: boolean;
}

/** Compares the states of all rules of a managed ruleset under two sets of overrides. O(rules × categories of a rule). */
export function overrideEffect(managed: LiveRuleset, before: JsonObject, after: JsonObject): OverrideEffect {
  const [from, to, none] = [readOverrides(before), readOverrides(after), readOverrides({})];
  const compared = managed.rules.map((rule) => {
    const score = usualScore(rule.id);
    const stateIn = (overrides: Overrides): JsonObject => ({
      ...(score === undefined ? {} : { score_threshold: score }),
      ...stateUnder(rule, managed, overrides),
    });
    const [old, now] = [stateIn(from), stateIn(to)];
    return {
      id: rule.id,
      name: rule.content.description,
      tags: rule.categories ?? [],
      before: stateText(old),
      after: stateText(now),
      does: doing(old, now),
      weaker: isWeaker(rule.id, old, now),
      vendor: stateText(stateIn(none)),
    };
  });
  const affected = compared.filter((rule) => rule.before !== rule.after);
  const unknown = unknownEntries(managed, to);
  return {
    total: managed.rules.length,
    affected: affected.map(withoutVendor),
    reset: affected.filter((rule) => rule.after === rule.vendor).map(withoutVendor),
    unknownRules: unknown.rules,
    unknownCategories: unknown.categories,
    rulesetWide: OVERRIDE_MEMBERS.some((member) => before[member] !== after[member]),
  };
}

/** Returns the state of a rule as text; states with equal texts count as equal. */
function stateText({
  enabled,
  action,
  sensitivity_level: sensitivity,
  score_threshold: score,
}: JsonObject): string {
  return enabled === true
    ? [
        textOf(action ?? ''),
        ...(sensitivity === undefined || sensitivity === 'default'
          ? []
          : [`sensitivity ${textOf(sensitivity)}`]),
        ...(score === undefined ? [] : [`score ${textOf(score)}`]),
      ].join(', ')
    : OFF;
}

const OFF = 'off';

/** Says what happens to managed rules that go from one state to another, with `%` in place of the rules. */
function doing(before: JsonObject, after: JsonObject): string {
  if (after['enabled'] !== true) {
    return 'switches off %';
  }
  const action = textOf(after['action'] ?? '');
  if (before['enabled'] !== true) {
    return `switches on % with the action ${action}`;
  }
  const [level, score] = ['sensitivity_level', 'score_threshold'].map((member) => {
    const [old, now] = [before[member] ?? 'default', after[member] ?? 'default'];
    return old === now ? undefined : { old, now, change: `from ${textOf(old)} to ${textOf(now)}` };
  });
  const more = [
    ...(level === undefined ? [] : [`sensitivity ${level.change}`]),
    ...(score === undefined ? [] : [`score threshold ${score.change}${sooner(score.old, score.now)}`]),
  ];
  const moves = jsonEqual(before['action'] ?? '', after['action'] ?? '')
    ? ''
    : `makes % ${action} instead of ${textOf(before['action'] ?? '')}`;
  return moves === '' ? `changes %, ${more.join(', ')}` : [moves, ...more].join(', ');
}

function sooner(old: JsonValue, now: JsonValue): string {
  return typeof old === 'number' && typeof now === 'number'
    ? ` (acts ${now < old ? 'sooner' : 'later'})`
    : '';
}

/** Whether a rule protects less than before, or may; a rule that was off cannot. */
function isWeaker(id: string, before: JsonObject, after: JsonObject): boolean {
  return before['enabled'] === true && compareEntry(`rule ${id}`, before, after).kind === 'weaker';
}

/** Formats a member's value for people. */
export function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function withoutVendor({ id, name, tags, before, after, does, weaker }: AffectedRule): AffectedRule {
  return { id, name, tags, before, after, does, weaker };
}

/** A change that alters the overrides of a managed ruleset. */
export interface OverrideChange {
  readonly step: string;
  readonly change: AddRule | PatchRule;
  readonly rulesetId: string;
  readonly before: JsonObject;
  readonly after: JsonObject;
}

/** Returns the changes of a plan that alter overrides of managed rulesets. `managed` has the ids of existing managed rulesets. */
export function overrideChanges(plan: PlannedScope, managed: ReadonlySet<string>): readonly OverrideChange[] {
  return plan.steps.flatMap((step) =>
    step.changes.filter(isWritten).flatMap((change): readonly OverrideChange[] => {
      const after = deploymentOf(change.content);
      if (after === null || !managed.has(after.id)) {
        return [];
      }
      const old = change.kind === 'patch' ? deploymentOf(change.before) : null;
      const before = old?.id === after.id ? old.overrides : {};
      return jsonEqual(before, after.overrides)
        ? []
        : [{ step: step.id, change, rulesetId: after.id, before, after: after.overrides }];
    }),
  );
}

/** What is known of managed rulesets, and whether the notes tell what the plan does or, for drift, what live does that the files do not. */
interface OverrideExplaining {
  readonly lookUps: ManagedLookUps;
  readonly tells?: 'plan' | 'live';
}

/** Adds notes on what changed overrides do to the managed rules that they apply to, and on what that weakens. */
export function explainOverrides(
  plan: PlannedScope,
  changes: readonly OverrideChange[],
  { lookUps, tells = 'plan' }: OverrideExplaining,
): PlannedScope {
  const told = changes.flatMap((change) => {
    const found = lookUps.get(change.rulesetId);
    return found === undefined ? [] : [explain(change, found, { lookUps, tells })];
  });
  if (told.length === 0) {
    return plan;
  }
  const known = new Map(told.map(({ change, protection }) => [change, protection]));
  const steps = plan.steps.map((step) => ({
    ...step,
    changes: step.changes.map((change) => ({
      ...change,
      protection: known.get(change) ?? change.protection,
    })),
  }));
  const managedRules = Object.fromEntries(told.flatMap(({ named }) => named));
  return {
    ...plan,
    steps,
    notes: [...plan.notes, ...told.flatMap(({ notes }) => notes)],
    ...(Object.keys(managedRules).length === 0 ? {} : { managedRules }),
  };
}

/** Returns the resolved id of the ruleset that a rule executes, with its overrides; null for a rule with another action. */
export function deploymentOf(
  content: RuleContent,
): { readonly id: string; readonly overrides: JsonObject } | null {
  const parameters = canonicalContent(content)['action_parameters'];
  const id = executedReference(content);
  return id === undefined ? null : { id, overrides: objectOf(objectOf(parameters)['overrides']) };
}

/** The most rules that a note names. */
const MOST_NAMED = 3;

interface ExplainedChange {
  readonly change: RuleChange;
  readonly protection: Protection;
  readonly notes: readonly PlanNote[];
  /** The managed rules that the overrides mention by id, with their names. */
  readonly named: readonly (readonly [id: string, name: string])[];
}

function explain(
  { step, change, before, after }: OverrideChange,
  found: ManagedLookUp,
  { lookUps, tells }: Required<OverrideExplaining>,
): ExplainedChange {
  const note = (kind: PlanNote['kind'], message: string): PlanNote => ({
    kind,
    step,
    ...ruleNameOf(change),
    message,
    cause: change.cause,
  });
  if (found.kind === 'failed') {
    const notes = [note('override', `what the overrides do is not known: ${found.message}`)];
    return { change, protection: change.protection, notes, named: [] };
  }
  const effect = overrideEffect(found.ruleset, before, after);
  return {
    change,
    protection: knownProtection(change, effect),
    notes: (tells === 'plan'
      ? effectNotes(effect, found.ruleset, lookUps)
      : liveNotes(overrideEffect(found.ruleset, after, before), found.ruleset)
    ).map(([kind, message]) => note(kind, message)),
    named: namesOf(found.ruleset.rules, [before, after]),
  };
}

function namesOf(
  rules: readonly LiveRule[],
  overrides: readonly JsonObject[],
): readonly (readonly [id: string, name: string])[] {
  const ids = new Set(overrides.flatMap((one) => objectsIn(one['rules']).map(({ id }) => id)));
  return rules.flatMap(({ id, content: { description } }) =>
    ids.has(id) && description !== '' ? [[id, description] as const] : [],
  );
}

function effectNotes(
  effect: OverrideEffect,
  ruleset: LiveRuleset,
  lookUps: ManagedLookUps,
): readonly (readonly [PlanNote['kind'], string])[] {
  const { name } = ruleset;
  const managed = managedRules(effect);
  const summary =
    effect.affected.length === 0
      ? `changes none of the ${managed} of ${name}`
      : `${transitions(effect.affected, `${managed} of ${name}`)}: ${namedRules(effect.affected)}`;
  const { length: back } = effect.reset;
  const reset = `${back} of these ${back === 1 ? 'goes' : 'go'} back to what the vendor ships, since no override names ${back === 1 ? 'it' : 'them'} any more: ${namedRules(effect.reset)}`;
  const unknown = [
    ...effect.unknownRules.map((id) => noSuchRule(id, ruleset, lookUps)),
    ...effect.unknownCategories.map((tag) => noSuchTag(tag, ruleset)),
  ];
  return [
    ['override', `${summary}${wideText(effect)}`],
    ...(effect.reset.length === 0 ? [] : [['override-reset', reset] as const]),
    ...unknown.map(
      (what) =>
        ['override-unknown', `${what}: the override has no effect, and the service may refuse it`] as const,
    ),
  ];
}

function managedRules({ total }: OverrideEffect): string {
  return counted(total, 'managed rule');
}

/** Says what live does to managed rules that the files do not, for drift. */
function liveNotes(effect: OverrideEffect, { name }: LiveRuleset): ReturnType<typeof effectNotes> {
  const of = `${managedRules(effect)} of ${name}`;
  const summary =
    effect.affected.length === 0
      ? `live does to the ${of} what the files do`
      : `live ${transitions(effect.affected, of)}: ${namedRules(effect.affected)}`;
  return [['override', `${summary}${wideText(effect)}`]];
}

function wideText({ rulesetWide }: OverrideEffect): string {
  return rulesetWide
    ? '; the override of the whole ruleset also reaches rules that the vendor adds later'
    : '';
}

/**
 * Puts a weakening by overrides in numbers. The overrides alone only tell that a managed rule may protect less, since the vendor's defaults are
 * not part of them.
 */
function knownProtection(
  { protection, ...change }: OverrideChange['change'],
  effect: OverrideEffect,
): Protection {
  if (protection.kind !== 'weakening' || change.kind !== 'patch') {
    return protection;
  }
  const { before, content } = change;
  const verdict = compareExecutes(before.action_parameters ?? {}, content.action_parameters ?? {});
  if (verdict.kind !== 'weaker' || verdict.reason !== protection.reason) {
    return protection;
  }
  const weaker = effect.affected.filter((rule) => rule.weaker);
  return weaker.length === 0
    ? {
        ...protection,
        reason: `${protection.reason}, though none of ${managedRules(effect)} protects less now`,
      }
    : {
        kind: 'weakening',
        reason: transitions(weaker, managedRules(effect)),
      };
}

/** Says what happens to how many of these rules: what is switched off first, then what happens to most of them. */
function transitions(rules: readonly AffectedRule[], of: string): string {
  const counts = [...groupBy(rules, ({ does }) => does)]
    .map(([does, some]) => ({ does, count: some.length, isOff: some[0]?.after === OFF }))
    .toSorted((a, b) => Number(b.isOff) - Number(a.isOff) || b.count - a.count || (a.does < b.does ? -1 : 1));
  const texts = counts.map(({ does, count }, index) =>
    does.replace('%', index === 0 ? `${count} of ${of}` : `${count}`),
  );
  return [...texts.slice(0, -2), texts.slice(-2).join(' and ')].join(', ');
}

/** A managed rule as messages name it. */
export type NamedManagedRule = Pick<AffectedRule, 'id' | 'name' | 'tags'>;

/** Returns the first few rules with name, id and tags, and the number of further ones. */
export function namedRules(rules: readonly NamedManagedRule[]): string {
  const names = rules.map(({ id, name, tags }) => {
    const text = name === '' ? id : `${name} (${id})`;
    return tags.length === 0 ? text : `${text} [${tags.join(', ')}]`;
  });
  return someNames(names, MOST_NAMED);
}
