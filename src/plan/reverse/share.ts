import type { Ignored } from '../../model/ignored.ts';
import type { LiveRule } from '../../model/rule.ts';
import type { DesiredRuleset, LiveRuleset } from '../../model/ruleset.ts';
import { isIgnored } from '../compare/ignore.ts';
import { heaviestIncreasing } from '../rules/increasing.ts';
import { owns } from '../rules/ownership.ts';

/** What of a ruleset a way back is about. */
export interface Share extends Pick<DesiredRuleset, 'ownership' | 'place'> {
  readonly ignore: readonly Ignored[];
  /** Whether the description of the ruleset is a part of it. */
  readonly description: boolean;
}

/** All of a ruleset, whoever it belongs to. */
export const WHOLE: Share = { ownership: { kind: 'all' }, place: 'any', ignore: [], description: true };

/** Whether a rule is ours to bring back, change and delete. */
export function isInShare(
  { ownership, ignore }: Share,
  rule: { readonly id: string; readonly ref: string },
): boolean {
  return owns(ownership, rule) && !isIgnored(ignore, rule.ref);
}

/** A rule that a ruleset is to have again. */
export interface FormerRule extends LiveRule {
  /** Its place in the version that it comes from, from 1. */
  readonly place: number;
  /** A rule of others as it is live, that only tells where ours stand. */
  readonly anchor?: true;
}

/** A rule of others that a version had and that lives. */
export interface OthersRule {
  readonly former: LiveRule;
  readonly live: LiveRule;
  /** Whether it stands as it did among those rules of others that stayed. */
  readonly stayed: boolean;
}

/**
 * The rules of a version that a way back brings back, with the rules of others that tell where they stood. What lives is judged by what it
 * is called now, what is gone by what it was called then. So a rule that others have taken over since stays theirs,
 * and one of others that we have taken over since keeps the name that we gave it.
 */
export function ourPart(before: LiveRuleset, live: LiveRuleset, share: Share): readonly FormerRule[] {
  const byId = new Map(live.rules.map((rule) => [rule.id, rule]));
  const refs = new Set(before.rules.flatMap((rule) => (isInShare(share, rule) ? [rule.ref] : [])));
  const anchors = new Map(
    othersRules(before, live, share).flatMap((one) => (one.stayed ? [[one.former, one.live]] : [])),
  );
  return before.rules.flatMap((rule, index): readonly FormerRule[] => {
    const place = index + 1;
    const anchor = anchors.get(rule);
    const alive = byId.get(rule.id);
    if (anchor !== undefined) {
      return [{ ...anchor, place, anchor: true }];
    }
    if (alive !== undefined && !isInShare(share, alive)) {
      return [];
    }
    if (isInShare(share, rule)) {
      return [{ ...rule, place }];
    }
    return alive === undefined || refs.has(alive.ref) ? [] : [{ ...rule, ref: alive.ref, place }];
  });
}

/** The rules of others that a version had and that live, by id or else by name, in the order of the version. */
export function othersRules(before: LiveRuleset, live: LiveRuleset, share: Share): readonly OthersRule[] {
  const known = new Set(before.rules.map((rule) => rule.id));
  const places = new Map(live.rules.map((rule, index) => [rule.id, index]));
  const byRef = new Map(live.rules.flatMap((rule) => (known.has(rule.id) ? [] : [[rule.ref, rule.id]])));
  const pairs = before.rules.flatMap((former) => {
    const at = places.get(former.id) ?? places.get(byRef.get(former.ref) ?? '');
    const rule = at === undefined ? undefined : live.rules[at];
    return at === undefined || rule === undefined || isInShare(share, rule)
      ? []
      : [{ former, live: rule, at }];
  });
  const stayed = heaviestIncreasing(pairs.map(({ at }) => ({ position: at, weight: 1 })));
  return pairs.map((pair, index) => ({ former: pair.former, live: pair.live, stayed: stayed.has(index) }));
}
