import { groupBy } from '../data/index.ts';
import { someNames } from '../text/index.ts';

/** Up to this many rules of a ruleset are each shown. */
const FEW = 5;

/** The number of rules that are named. */
const NAMED = 3;

/** Up to this many remarks of one kind are shown for a ruleset; of more, the first `SHOWN`. */
const MOST = 20;
const SHOWN = 10;

/** A remark that is shown once for rules of a ruleset: for one, or for many about which the same is said. */
export interface OfRules<T> {
  readonly members: readonly T[];
  /** Whether the members are several rules about which different things are said. */
  readonly various: boolean;
}

/** A remark about a rule. Two are alike when both members are equal. */
export interface RuleSaying {
  /** The ruleset and the kind of the remark. */
  readonly about: string;
  readonly says: string;
}

/**
 * Groups items about which the same is said, at the place of the first. If more than `MOST` groups remain for a ruleset, the first are kept
 * and the rest become one group.
 */
export function groupRules<T>(
  items: readonly T[],
  sayingOf: (item: T) => RuleSaying | undefined,
): readonly OfRules<T>[] {
  const groups = [
    ...groupBy(items, (item) => {
      const saying = sayingOf(item);
      return saying === undefined ? item : JSON.stringify([saying.about, saying.says]);
    }).values(),
  ];
  const many = new Map(groups.filter((group) => group.length > FEW).map((group) => [group[0], group]));
  const told = new Set([...many.values()].flat());
  const alike = items.flatMap((item): readonly OfRules<T>[] => {
    const members = told.has(item) ? many.get(item) : [item];
    return members === undefined ? [] : [{ members, various: false }];
  });
  return bounded(alike, ([first]) => (first === undefined ? undefined : sayingOf(first)?.about));
}

function bounded<T>(
  groups: readonly OfRules<T>[],
  aboutOf: (members: readonly T[]) => string | undefined,
): readonly OfRules<T>[] {
  const cut = new Map(
    [...groupBy(groups, ({ members }) => aboutOf(members))].flatMap(([about, of]) =>
      about === undefined || of.length <= MOST ? [] : ([[of[SHOWN], of.slice(SHOWN)]] as const),
    ),
  );
  const rest = new Set([...cut.values()].flat());
  return groups.flatMap((group): readonly OfRules<T>[] => {
    if (!rest.has(group)) {
      return [group];
    }
    const members = cut.get(group)?.flatMap((one) => one.members);
    return members === undefined ? [] : [{ members, various: true }];
  });
}

/** Returns the first names of many rules: `a, b, c and 97 more`. */
export function ruleNames(names: readonly string[]): string {
  return someNames(names, NAMED);
}
