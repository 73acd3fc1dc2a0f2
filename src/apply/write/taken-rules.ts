import { identicalContent, ruleToWire } from '../../model/rule-fields.ts';
import type { LiveRule } from '../../model/rule.ts';
import { isNamed } from '../../model/rule.ts';
import type { LiveRuleset } from '../../model/ruleset.ts';
import type { Anchor, Write } from '../../plan/requests/writes.ts';
import type { Clash, Landing } from '../base/foreign-writes.ts';
import { isSameRule } from '../base/foreign-writes.ts';
import { passedBy, undoneMoves } from '../base/undone-moves.ts';

/** A rule that our write took along, and what brings it back. */
export interface Taken {
  readonly rule: LiveRule;
  readonly write: (live: LiveRuleset) => Write;
}

/** A write that landed beside those of others. */
export interface Met {
  /** What it was planned on. */
  readonly planned: LiveRuleset | null;
  /** Ids of the rules that its plan does not place, in their order. */
  readonly staying: readonly string[];
  readonly clash: Clash;
}

/**
 * Rules of others that our write removed or reverted because they appeared between plan and write. Rules the step itself changes, places
 * or deletes do not count, even if their id changed since. Nor do rules that somebody has brought back, changed or moved again since.
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
      // What our plan has put elsewhere says nothing of the place of another rule.
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
  // What was taken along twice comes back once, as it was the last time.
  return [...new Map(taken.map((one) => [one.rule.ref, one])).values()];
}

/** Ids of the rules whose move a landing undid, and that nobody has moved since. */
function movesTaken({ met, made, since }: Landing, staying: readonly string[]): ReadonlySet<string> {
  return new Set(
    undoneMoves({ staying, met: met.rules, made: made.rules })
      .filter(({ id, passed }) =>
        since.every(({ rules }) => passedBy(id, passed, [made.rules, rules]).length === 0),
      )
      .map(({ id }) => id),
  );
}

/** Whether a later version has a rule again: by its name, or, where nobody named it, as one that somebody made anew. */
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
 * The rule again. Where nobody named it, its `ref` is the id that it had: without a `ref` of ours it could not be found after a lost
 * answer, nor would sending it twice be refused, and what others know it by stays.
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

/** The nearest of the rules before a rule that is still there. */
function anchor(earlier: readonly LiveRule[], live: LiveRuleset): Anchor {
  const alive = byId(live);
  const byRef = new Map(live.rules.map((one) => [one.ref, one]));
  const near = earlier.findLast(({ id, ref }) => alive.has(id) || byRef.has(ref));
  const found = near === undefined ? undefined : (alive.get(near.id) ?? byRef.get(near.ref));
  return found === undefined ? { kind: 'first' } : { kind: 'live', id: found.id };
}
