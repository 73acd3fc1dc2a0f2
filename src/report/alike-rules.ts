import { groupBy } from '../model/group-by.ts';
import { someNames } from '../model/some-names.ts';

/** Up to so many rules of a ruleset, each is told by itself. */
const FEW = 5;

/** So many rules are named. */
const NAMED = 3;

/** So many things of one kind are told of a ruleset, `SHOWN` of more. */
const MOST = 20;
const SHOWN = 10;

/** What is told once of the rules of a ruleset: the members are one, or many of which the same is said. */
export interface OfRules<T> {
  readonly members: readonly T[];
  /** Whether there are several of which each has something else said of it. */
  readonly various: boolean;
}

/** What is said of a rule: two of which both are equal are alike. */
export interface RuleSaying {
  /** The ruleset, and the kind of what is said. */
  readonly about: string;
  readonly says: string;
}

/**
 * What the same is said of, together where the first of it stands. Of what stays more than a reader takes in at a ruleset,
 * the first is told and the rest is one.
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

/** The first names of many rules: `a, b, c and 97 more`. */
export function ruleNames(names: readonly string[]): string {
  return someNames(names, NAMED);
}
