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
import type { Behind } from '../protect/place.ts';
import { mayBeRobbed } from '../protect/place.ts';
import { strengthOf } from '../protect/role.ts';

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
    phase,
  }: { readonly differing: readonly number[]; readonly ignore: readonly Ignored[]; readonly phase: string },
): RulesPlan {
  const notes: RuleNote[] = [];
  const patched: { readonly at: number; readonly match: MatchedRule }[] = [];
  const standing: Pick<Behind, 'ref' | 'content'>[] = [...wanted];
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
  const firmer = new Map<string, readonly Firm[]>();
  const changes = patched.flatMap(({ at, match }) => {
    const { action } = match.rule.content;
    const robbable = firmer.get(action) ?? firmerThan(action, standing);
    firmer.set(action, robbable);
    const before = standing[at - 1];
    const first = robbable.findIndex((other) => other.at > at);
    return changeOf(match, {
      place: placeAfter(before && { ref: before.ref, description: before.content.description }, at),
      move: undefined,
      ways: STAYS,
      behind: first === -1 ? [] : robbable.slice(first),
      phase,
    });
  });
  const staying = live.map(({ id }) => id);
  return { changes, staying, notes, problems: [] };
}

/** A rule that stops requests more firmly than some action, and where it stands. */
interface Firm extends Behind {
  readonly at: number;
}

function firmerThan(action: string, standing: readonly Pick<Behind, 'ref' | 'content'>[]): readonly Firm[] {
  const found: Firm[] = [];
  const strength = strengthOf(action) ?? 0;
  standing.forEach(({ ref, content }, at) => {
    if (mayBeRobbed(strength, content)) {
      found.push({ at, ref, content, condition: undefined });
    }
  });
  return found;
}
