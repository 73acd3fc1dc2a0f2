import type { Ignored } from '../../model/ignored.ts';
import { identicalContent } from '../../model/rule-fields.ts';
import type { LiveRule } from '../../model/rule.ts';
import { placeAfter } from '../../model/rule-order.ts';
import type { RuleOwnership } from '../../model/ruleset.ts';
import { changeOf, compareMatched, finalContent, isPatched, STAYS } from './matched-rule.ts';
import type { MatchedRule, RuleNote } from './matched-rule.ts';
import type { NamedRule } from './name-rules.ts';
import { owns } from './ownership.ts';
import type { RulesPlan } from './plan-rules.ts';
import type { Stand } from '../protect/stand.ts';
import { mayLose, mayMatter } from '../protect/pair.ts';
import type { Neighbour } from '../protect/place.ts';

/**
 * The places at which live is not word for word what the files want, where both have the same rules under the
 * same names in the same order, all of them ours; undefined where they do not. The usual case of a run, seen
 * without making anything: with no such place there is nothing to do and nothing to say.
 */
export function differingInPlace(
  wanted: readonly NamedRule[],
  live: readonly LiveRule[],
  ownership: RuleOwnership,
): readonly number[] | undefined {
  if (wanted.length !== live.length) {
    return undefined;
  }
  const differing: number[] = [];
  for (let index = 0; index < wanted.length; index += 1) {
    const [rule, found] = [wanted[index], live[index]];
    if (
      rule === undefined ||
      found === undefined ||
      rule.madeUp === true ||
      // Of one that has taken over what it was to, there is something to say.
      rule.adopt ||
      rule.ref !== found.ref ||
      !owns(ownership, found)
    ) {
      return undefined;
    }
    if (!identicalContent(rule.content, found.content)) {
      differing.push(index);
    }
  }
  return differing;
}

/**
 * Plans rules that all stay where they are: what `planRules` would find, at the cost of those that differ.
 * `differing` is what `differingInPlace` says of the same rules.
 */
export function planInPlace(
  wanted: readonly NamedRule[],
  live: readonly LiveRule[],
  {
    differing,
    ignore,
    stand,
  }: { readonly differing: readonly number[]; readonly ignore: readonly Ignored[]; readonly stand: Stand },
): RulesPlan {
  const notes: RuleNote[] = [];
  const patched: { readonly at: number; readonly match: MatchedRule }[] = [];
  const standing: Pick<Neighbour, 'ref' | 'content'>[] = [...wanted];
  for (const at of differing) {
    const [rule, counterpart] = [wanted[at], live[at]];
    const match =
      rule === undefined || counterpart === undefined
        ? undefined
        : compareMatched(rule, counterpart, { ignore, notes });
    if (match === undefined) {
      continue;
    }
    standing[at] = { ref: match.rule.ref, content: finalContent(match) };
    if (isPatched(match)) {
      patched.push({ at, match });
    }
  }
  const rivals = new Map<string, readonly Neighbour[]>();
  const changes = patched.flatMap(({ at, match }) => {
    const actions = [match.live.content.action, match.rule.content.action];
    const key = actions.join(' ');
    const rules = rivals.get(key) ?? rivalsOf(actions, standing);
    rivals.set(key, rules);
    const before = standing[at - 1];
    const next = rules.findIndex((other) => other.live >= at);
    return changeOf(match, {
      place: placeAfter(before && { ref: before.ref, description: before.content.description }, at),
      move: undefined,
      ways: STAYS,
      around: { rules, ahead: next === -1 ? rules.length : next, live: at, stand },
    });
  });
  const staying = live.map(({ id }) => id);
  return { changes, staying, others: [], notes, problems: [] };
}

/** The rules to which it may matter that one with these actions, before and after, changes where it is. */
function rivalsOf(
  actions: readonly string[],
  standing: readonly Pick<Neighbour, 'ref' | 'content'>[],
): readonly Neighbour[] {
  const losing = actions.filter(mayLose);
  if (losing.length === 0) {
    return [];
  }
  const found: Neighbour[] = [];
  standing.forEach(({ ref, content }, live) => {
    if (losing.some((action) => mayMatter(action, content))) {
      found.push({ live, ref, content, condition: undefined });
    }
  });
  return found;
}
