import { mapReferences, referredRef, splitReference } from '../../model/index.ts';
import type { Step, LiveRuleset } from '../../model/index.ts';
import { slug } from '../../text/index.ts';
import type { JsonObject } from '../../data/index.ts';
import type { Write } from '../../plan/index.ts';

/** Ids that the service gave to what a run made, for rules that refer to it. */
export interface MadeIds {
  /** Ids of custom rulesets, by `phase/slug`. */
  readonly rulesets: ReadonlyMap<string, string>;
  /** Ids of rules, by the id of their ruleset and their `ref`. */
  readonly rules: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

export const NOTHING_MADE: MadeIds = { rulesets: new Map(), rules: new Map() };

/** Returns the known ids and those that a step has made, which are taken from the ruleset after the step (null: there is none). */
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

/**
 * Replaces `custom:<slug>` and `rule:<ref>` in a write by the ids of what this run has made. An executed ruleset has the phase of the rule; a skipped
 * one may be of any phase.
 */
export function nameCreated(write: Write, phase: string, made: MadeIds): Write {
  const { rulesets, rules } = made;
  const named = (rule: JsonObject): JsonObject =>
    mapReferences(rule, {
      ruleset: (reference, by) => {
        const [kind, slug] = splitReference(reference);
        if (kind !== 'custom') {
          return reference;
        }
        const inPhase = rulesets.get(`${phase}/${slug}`);
        const anywhere = [...rulesets].find(([key]) => key.endsWith(`/${slug}`))?.[1];
        return inPhase ?? (by === 'skip' ? anywhere : undefined) ?? reference;
      },
      // What it does not find stays as it is, and the service refuses it.
      rule: (reference, _, ruleset) => {
        const ref = referredRef(reference);
        return (ref === undefined ? undefined : rules.get(ruleset)?.get(ref)) ?? reference;
      },
    });
  switch (write.kind) {
    case 'create-ruleset':
      return { ...write, rules: write.rules.map(named) };
    case 'put-ruleset':
      return { ...write, rules: write.rules === null ? null : write.rules.map(named) };
    case 'add-rule':
      return { ...write, rule: named(write.rule) };
    case 'patch-rule':
      return { ...write, rule: write.rule === null ? null : named(write.rule) };
    default:
      return write;
  }
}
