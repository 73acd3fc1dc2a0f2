import { identicalContent, ruleToWire } from '../../model/rule-fields.ts';
import type { LiveRule } from '../../model/rule.ts';
import { isNamed } from '../../model/rule.ts';
import type { LiveRuleset } from '../../model/ruleset.ts';
import type { Anchor, Write } from '../../plan/requests/writes.ts';
import type { Clash, Landing } from '../base/foreign-writes.ts';
import { isSameRule } from '../base/foreign-writes.ts';
import { passedBy, undoneMoves } from '../base/undone-moves.ts';

/** A rule of somebody else that our write removed or reverted, and the write that brings it back. */
export interface Taken {
  readonly rule: LiveRule;
  readonly write: (live: LiveRuleset) => Write;
}

/** A write of ours that landed beside writes of others. */
export interface Met {
  /** The ruleset that the write was planned on. */
  readonly planned: LiveRuleset | null;
  /** Ids of the rules that the plan of the write does not place, in their order. */
  readonly staying: readonly string[];
  readonly clash: Clash;
}

/**
 * Returns the rules of others that our write removed or reverted because they appeared between plan and write. Leaves out rules that the step itself
 * changes, places or deletes, even if their id changed since, and rules that somebody has brought back, changed or moved again since.
 */
export function takenAlong({ planned, staying, clash: { landings, now } }: Met): readonly Taken[] {
  const base = byId(planned);
  const live = byId(now);
  const unplaced = new Set(staying);
  const taken = landings.flatMap((landing) => {
    const { met, made, since } = landing;
    const left = byId(made);
    const deleted = new Set(planned?.rules.flatMap(({ id, ref }) => (left.has(id) ? [] : [ref])));
    const moved = movesTaken(landing, staying);
    return met.rules.flatMap((rule, index): readonly Taken[] => {
      // A rule that our plan has placed elsewhere says nothing about the place of another rule.
      const earlier = (): readonly LiveRule[] =>
        met.rules.slice(0, index).filter(({ id }) => !base.has(id) || unplaced.has(id));
      const before = base.get(rule.id);
      const after = left.get(rule.id);
      if (before === undefined) {
        const isLost =
          after === undefined && !deleted.has(rule.ref) && !since.some((later) => hasAgain(later, rule, met));
        return isLost ? [{ rule, write: (on) => addition(rule, earlier(), on) }] : [];
      }
      const isOverwritten =
        after !== undefined &&
        !isSameRule(rule, before) &&
        isSameRule(after, before) &&
        isSameRule(live.get(rule.id), after);
      const isMoved = moved.has(rule.id) && live.has(rule.id);
      return isOverwritten || isMoved
        ? [
            {
              rule,
              write: (on) => ({
                kind: 'patch-rule',
                id: on.id,
                ruleId: rule.id,
                rule: isOverwritten ? ruleToWire(rule) : null,
                behind: isMoved ? anchor(earlier(), on) : null,
              }),
            },
          ]
        : [];
    });
  });
  // A rule that was taken along twice comes back once, in its last state.
  return [...new Map(taken.map((one) => [one.rule.ref, one])).values()];
}

/** Returns the ids of the rules whose move a landing undid, and that nobody has moved since. */
function movesTaken({ met, made, since }: Landing, staying: readonly string[]): ReadonlySet<string> {
  return new Set(
    undoneMoves({ staying, met: met.rules, made: made.rules })
      .filter(({ id, passed }) =>
        since.every(({ rules }) => passedBy(id, passed, [made.rules, rules]).length === 0),
      )
      .map(({ id }) => id),
  );
}

/** Whether a later version has the rule again: by its `ref`, or, if nobody named the rule, as a new unnamed rule with the same content. */
function hasAgain({ rules }: LiveRuleset, rule: LiveRule, met: LiveRuleset): boolean {
  const known = new Set(met.rules.map(({ ref }) => ref));
  return rules.some(
    (one) =>
      one.ref === rule.ref ||
      (!isNamed(rule) && !isNamed(one) && !known.has(one.ref) && identicalContent(one.content, rule.content)),
  );
}

function byId(ruleset: LiveRuleset | null): ReadonlyMap<string, LiveRule> {
  return new Map(ruleset?.rules.map((rule) => [rule.id, rule]));
}

/**
 * Returns the write that adds the rule again. If nobody named the rule, its `ref` becomes the id that it had: without a known `ref` it could not be
 * found after a lost answer, a repeated request would not be refused, and others could not recognise it.
 */
function addition(rule: LiveRule, earlier: readonly LiveRule[], live: LiveRuleset): Write {
  return {
    kind: 'add-rule',
    id: live.id,
    ref: rule.ref,
    rule: ruleToWire(rule),
    behind: anchor(earlier, live),
  };
}

/** Returns the place behind the nearest earlier rule that still exists, or the first place when none does. */
function anchor(earlier: readonly LiveRule[], live: LiveRuleset): Anchor {
  const alive = byId(live);
  const byRef = new Map(live.rules.map((one) => [one.ref, one]));
  const near = earlier.findLast(({ id, ref }) => alive.has(id) || byRef.has(ref));
  const found = near === undefined ? undefined : (alive.get(near.id) ?? byRef.get(near.ref));
  return found === undefined ? { kind: 'first' } : { kind: 'live', id: found.id };
}
