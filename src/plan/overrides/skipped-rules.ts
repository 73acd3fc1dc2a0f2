import { isWritten, skippedRules } from '../../model/index.ts';
import type { PlannedScope } from '../../model/index.ts';
import type { ManagedLookUps } from './no-such-id.ts';

/** Ids of managed rules, by the id of their ruleset. */
export type SkippedRules = ReadonlyMap<string, ReadonlySet<string>>;

/** Returns the managed rules that changed rules skip one by one, before or after. `managed` has the ids of existing managed rulesets. */
export function skippedManagedRules(plan: PlannedScope, managed: ReadonlySet<string>): SkippedRules {
  const skipped = new Map<string, Set<string>>();
  for (const change of plan.steps.flatMap(({ changes }) => changes).filter(isWritten)) {
    for (const content of [change.content, ...(change.kind === 'patch' ? [change.before] : [])]) {
      for (const [ruleset, ids] of skippedRules(content)) {
        if (managed.has(ruleset)) {
          skipped.set(ruleset, new Set([...(skipped.get(ruleset) ?? []), ...ids]));
        }
      }
    }
  }
  return skipped;
}

/** Adds to a plan the names of the managed rules that changed rules skip, as far as their rulesets could be read. */
export function nameSkippedRules(
  plan: PlannedScope,
  skipped: SkippedRules,
  lookUps: ManagedLookUps,
): PlannedScope {
  const names = [...skipped].flatMap(([ruleset, ids]) => {
    const found = lookUps.get(ruleset);
    return found?.kind !== 'found'
      ? []
      : found.ruleset.rules.flatMap(({ id, content: { description } }) =>
          ids.has(id) && description !== '' ? [[id, description] as const] : [],
        );
  });
  return names.length === 0
    ? plan
    : { ...plan, managedRules: { ...plan.managedRules, ...Object.fromEntries(names) } };
}
