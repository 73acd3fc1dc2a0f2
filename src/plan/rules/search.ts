import type { LiveRule } from '../../model/rule.ts';
import type { DesiredRuleset } from '../../model/ruleset.ts';
import { ignoredFields, isIgnored } from '../compare/ignore.ts';
import type { NamedRule } from './name-rules.ts';
import type { IgnoredFields } from './pair-same.ts';
import { owns } from './ownership.ts';
import type { Open, Pair } from './pair.ts';

/** Which live rules may be matched. */
export interface MatchOptions {
  /** Whether a live rule is ours. */
  readonly owns: (rule: LiveRule) => boolean;
  /** Whether a live rule may differ as a whole. */
  readonly ignores: (rule: LiveRule) => boolean;
  readonly ignoredFields: IgnoredFields;
}

/** Returns the options for matching the rules of a declared ruleset. */
export function matchOptions({
  ownership,
  ignore = [],
}: Pick<DesiredRuleset, 'ownership' | 'ignore'>): MatchOptions {
  return {
    owns: (rule) => owns(ownership, rule),
    ignores: (rule) => isIgnored(ignore, rule.ref),
    ignoredFields: (ref) => ignoredFields(ignore, ref),
  };
}

/** The pairs found so far, and what is still open on both sides. */
export interface Search {
  readonly desired: readonly NamedRule[];
  readonly live: readonly LiveRule[];
  /** Whether each live rule is ours, by index. */
  readonly ours: readonly boolean[];
  readonly pairs: Pair[];
  readonly openDesired: Set<number>;
  readonly openLive: Set<number>;
}

/** Records a pair. */
export function take({ pairs, openDesired, openLive }: Search, pair: Pair): void {
  pairs.push(pair);
  openDesired.delete(pair.desired);
  openLive.delete(pair.live);
}

/** Returns the open rules that pass the filters. */
export function stillOpen(
  { desired, live, ours, openDesired, openLive }: Search,
  isWanted: (rule: NamedRule) => boolean = () => true,
  isFree: (rule: LiveRule, isOurs: boolean) => boolean = () => true,
): Open {
  return {
    desired,
    live,
    openDesired: [...openDesired].filter((index) => {
      const rule = desired[index];
      return rule !== undefined && isWanted(rule);
    }),
    openLive: [...openLive].filter((at) => {
      const rule = live[at];
      return rule !== undefined && isFree(rule, ours[at] === true);
    }),
  };
}
