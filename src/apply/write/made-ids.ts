import type { Step } from '../../model/plan.ts';
import type { LiveRuleset } from '../../model/ruleset.ts';
import { slug } from '../../model/slug.ts';

/** Ids that the service gave to what a run made, for rules that name it. */
export interface MadeIds {
  /** Of custom rulesets, by `phase/slug`. */
  readonly rulesets: ReadonlyMap<string, string>;
  /** Of rules, by the id of their ruleset and their `ref`. */
  readonly rules: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/** Nothing was made yet. */
export const NOTHING_MADE: MadeIds = { rulesets: new Map(), rules: new Map() };

/** The ids known before and those that a step has made, which left this ruleset behind (null: none). */
export function withMade(made: MadeIds, step: Step, live: LiveRuleset | null): MadeIds {
  if (live === null) {
    return made;
  }
  const { level, phase, name } = step.target;
  const isNew = step.operation === 'create' && level === 'custom';
  const added = new Set(step.changes.flatMap((change) => (change.kind === 'add' ? [change.ref] : [])));
  const rules = live.rules.flatMap(({ ref, id }) => (added.has(ref) ? [[ref, id] as const] : []));
  return {
    rulesets: isNew ? new Map([...made.rulesets, [`${phase}/${slug(name)}`, live.id]]) : made.rulesets,
    rules: rules.length === 0 ? made.rules : new Map([...made.rules, [live.id, new Map(rules)]]),
  };
}
