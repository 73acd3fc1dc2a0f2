import type { LiveRule, RuleContent } from '../../model/rule.ts';
import { areApart, conditionOf } from './conditions.ts';
import type { Stand } from './stand.ts';
import { judgePair } from './judge-pair.ts';

/** The most pairs of rules examined to find the gentlest moves; the choice must not cost more than the plan. */
const MOST_PAIRS = 100_000;

/** A range of indices among the live rules, both ends excluded. */
export interface Range {
  readonly after: number;
  readonly before: number;
}

/** The live rules of a ruleset in which others have rules too. */
export interface Mixed {
  readonly live: readonly LiveRule[];
  readonly stand: Stand;
  /** Indices of rules of others, ascending. */
  readonly others: readonly number[];
  /** Returns the final content of our rule at an index. */
  readonly finally: (at: number) => RuleContent | undefined;
}

/**
 * Returns a function that gives the range in which a live rule of ours can move without a weakening because of a rule of others that it passes.
 * Undefined when there are no rules of others, or too many to examine.
 */
export function createLeeway({
  live,
  stand,
  others,
  finally: contentOf,
}: Mixed): ((at: number) => Range) | undefined {
  if (others.length === 0 || others.length * live.length > MOST_PAIRS) {
    return undefined;
  }
  const known = new Map<number, Range>();
  return (at) => {
    const own = contentOf(at);
    const range = known.get(at) ?? (own === undefined ? ALL : rangeOf(own, at, { live, stand, others }));
    known.set(at, range);
    return range;
  };
}

const ALL: Range = { after: -1, before: Infinity };

function rangeOf(
  own: RuleContent,
  at: number,
  { live, stand, others }: Pick<Mixed, 'live' | 'stand' | 'others'>,
): Range {
  const weakens = (place: number): boolean => {
    const other = live[place];
    if (other === undefined || !own.enabled || !other.content.enabled) {
      return false;
    }
    const { content } = other;
    const [first, second] = place < at ? [own, content] : [content, own];
    return (
      judgePair({ first, second, other, stand }).kind === 'weaker' &&
      !areApart(conditionOf(own.expression), conditionOf(content.expression))
    );
  };
  return {
    after: others.findLast((place) => place < at && weakens(place)) ?? ALL.after,
    before: others.find((place) => place > at && weakens(place)) ?? ALL.before,
  };
}
