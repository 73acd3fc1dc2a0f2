import type { AddRule, PatchRule } from '../model/change.ts';
import type { JsonObject } from '../model/json.ts';
import { isJsonObject, jsonEqual } from '../model/json.ts';
import { canonicalContent } from '../model/normalise.ts';
import type { PlanNote, PlannedScope } from '../model/plan.ts';
import type { RuleContent } from '../model/rule.ts';
import type { LiveRuleset } from '../model/ruleset.ts';
import { overrideEffect } from './override-effect.ts';
import type { AffectedRule } from './override-effect.ts';

/** A change of a plan that changes the overrides of a managed ruleset. */
export interface OverrideChange {
  readonly step: string;
  readonly change: AddRule | PatchRule;
  readonly rulesetId: string;
  readonly before: JsonObject;
  readonly after: JsonObject;
}

/** A managed ruleset as it was looked up, or why it could not be. */
export type ManagedLookUp =
  | { readonly kind: 'found'; readonly ruleset: LiveRuleset }
  | { readonly kind: 'failed'; readonly message: string };

/** The changes of a plan whose effect on managed rules is worth explaining. `managed` are ids that exist. */
export function overrideChanges(plan: PlannedScope, managed: ReadonlySet<string>): readonly OverrideChange[] {
  return plan.steps.flatMap((step) =>
    step.changes.flatMap((change): readonly OverrideChange[] => {
      if (change.kind !== 'add' && change.kind !== 'patch') {
        return [];
      }
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

/** The plan with notes that say what its overrides do to the managed rules that they meet. */
export function explainOverrides(
  plan: PlannedScope,
  changes: readonly OverrideChange[],
  lookUps: ReadonlyMap<string, ManagedLookUp>,
): PlannedScope {
  const notes = changes.flatMap((change) => {
    const found = lookUps.get(change.rulesetId);
    return found === undefined ? [] : notesOf(change, found);
  });
  return notes.length === 0 ? plan : { ...plan, notes: [...plan.notes, ...notes] };
}

/** The ruleset that a rule executes, by resolved id, with its overrides; null for a rule of another action. */
export function deploymentOf(
  content: RuleContent,
): { readonly id: string; readonly overrides: JsonObject } | null {
  const parameters = canonicalContent(content)['action_parameters'];
  if (content.action !== 'execute' || !isJsonObject(parameters) || typeof parameters['id'] !== 'string') {
    return null;
  }
  const { id, overrides } = parameters;
  return { id, overrides: isJsonObject(overrides) ? overrides : {} };
}

/** Rules that a note names at most. */
const MOST_NAMED = 3;

function notesOf({ step, change, before, after }: OverrideChange, found: ManagedLookUp): readonly PlanNote[] {
  const note = (kind: PlanNote['kind'], message: string): PlanNote => ({
    kind,
    step,
    rule: change.ref,
    message,
    cause: change.cause,
  });
  if (found.kind === 'failed') {
    return [note('override', `what the overrides do is not known: ${found.message}`)];
  }
  const { name } = found.ruleset;
  const effect = overrideEffect(found.ruleset, before, after);
  const wide = effect.rulesetWide
    ? '; the override of the whole ruleset also reaches rules that the vendor adds later'
    : '';
  const summary =
    effect.affected.length === 0
      ? `${name}: none of ${effect.total} managed rules changes its state`
      : `${name}: ${effect.affected.length} of ${effect.total} managed rules change their state: ${transitions(effect.affected)}; ${namedRules(effect.affected)}`;
  const reset = `${name}: ${effect.reset.length} of these go back to what the vendor ships, since no override names them any more: ${namedRules(effect.reset)}`;
  return [
    note('override', `${summary}${wide}`),
    ...(effect.reset.length === 0 ? [] : [note('override-reset', reset)]),
    ...effect.unknownRules.map((id) => note('override-unknown', `${name} has no rule ${id}`)),
    ...effect.unknownCategories.map((tag) => note('override-unknown', `${name} has no rule tagged ${tag}`)),
  ];
}

/** How many rules go from which state to which, most first. */
function transitions(rules: readonly AffectedRule[]): string {
  const counts = new Map<string, number>();
  for (const { before, after } of rules) {
    const text = `${before} → ${after}`;
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts]
    .sort(([a, many], [b, few]) => few - many || (a < b ? -1 : 1))
    .map(([text, count]) => `${count} ${text}`)
    .join('; ');
}

/** A managed rule as messages name it. */
export type NamedRule = Pick<AffectedRule, 'id' | 'name' | 'tags'>;

/** The first few of the rules by name, id and tags, and how many more there are. */
export function namedRules(rules: readonly NamedRule[]): string {
  const names = rules.slice(0, MOST_NAMED).map(({ id, name, tags }) => {
    const text = name === '' ? id : `${name} (${id})`;
    return tags.length === 0 ? text : `${text} [${tags.join(', ')}]`;
  });
  const more = rules.length - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
