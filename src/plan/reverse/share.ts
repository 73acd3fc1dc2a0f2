import type { Ignored } from '../../model/ignored.ts';
import type { LiveRule } from '../../model/rule.ts';
import type { DesiredRuleset, LiveRuleset } from '../../model/ruleset.ts';
import { isIgnored } from '../compare/ignore.ts';
import { heaviestIncreasing } from '../rules/increasing.ts';
import { owns } from '../rules/ownership.ts';

/** The part of a ruleset that is restored. */
export interface Share extends Pick<DesiredRuleset, 'ownership' | 'place'> {
  readonly ignore: readonly Ignored[];
  /** Whether the part includes the ruleset's description. */
  readonly description: boolean;
}

/** All of a ruleset, whoever its rules belong to. */
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
  /** Number of the rule in its version, from 1. */
  readonly place: number;
  /** Marks a live rule of others, which only shows where ours stand. */
  readonly anchor?: true;
}

/** A rule of others that a version had and that is still live. */
export interface OthersRule {
  readonly former: LiveRule;
  readonly live: LiveRule;
  /** Whether the rule kept its order relative to the other ones that stayed. */
  readonly stayed: boolean;
}

/**
 * Returns the rules of a version to restore, with those rules of others that show where ours stood. A live rule is judged by its current `ref`,
 * a deleted one by its former `ref`. So a rule that others have taken over since stays theirs, and a rule of others that we have taken over
 * since keeps the name that we gave it.
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

/** Pairs the rules of others in a version with live ones, by id or else by `ref`, in the order of the version. */
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
