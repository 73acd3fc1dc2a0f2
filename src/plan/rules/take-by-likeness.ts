import { groupBy } from '../../model/group-by.ts';
import { canonicalJson } from '../../model/json.ts';
import type { LiveRule, RuleContent } from '../../model/rule.ts';
import { createMeaning } from './meaning.ts';
import type { NamedRule } from './name-rules.ts';
import { isNameless } from './name-rules.ts';
import { pairSame } from './pair-same.ts';
import type { Open, Pair } from './pair.ts';
import type { MatchOptions, Search } from './search.ts';
import { stillOpen, take } from './search.ts';

/** Which desired rules look for a partner by likeness, and which live rules they may have. */
interface Seeker {
  readonly isOne: (rule: NamedRule) => boolean;
  readonly mayHave: (live: LiveRule, isOurs: boolean) => boolean;
}

/** Rules for which the file gives no `ref`. */
const NAMELESS: Seeker = {
  isOne: ({ adopt, madeUp }) => !adopt && madeUp === true,
  mayHave: (_, isOurs) => isOurs,
};

const ADOPTING: Seeker = { isOne: ({ adopt }) => adopt, mayHave: () => true };

/** Rules with a `ref` that no live rule bears: they name a nameless one. A rule from a version comes back as it was, and takes nothing over. */
const NAMING: Seeker = {
  isOne: ({ adopt, madeUp, exact }) => !adopt && madeUp !== true && exact !== true,
  mayHave: (live, isOurs) => isOurs && isNameless(live),
};

/** One way to recognise rules, and who looks for a partner by it, one after the other. */
interface Round {
  readonly pair: (open: Open) => readonly Pair[];
  readonly seekers: readonly Seeker[];
  /** Whether it is about live rules that may differ as a whole, or about all others. */
  readonly ofIgnored: boolean;
}

/**
 * Pairs rules that look alike, the surest signs first: rules that say the same, then rules with a made-up `ref`, which derives from content that
 * the rule once had. A live rule that may differ as a whole is taken only when nobody named it: otherwise, a rule without a `ref` would be added
 * again with each apply. The last signs are guesses: one description, one expression. A rule that gives a nameless live rule its name has to say
 * the same.
 *
 * Rules that must not be matched are left out first, so that they cannot use up a partner.
 */
export function takeByLikeness(search: Search, options: MatchOptions): void {
  for (const { pair, seekers, ofIgnored } of roundsOf(options)) {
    for (const { isOne, mayHave } of seekers) {
      const open = stillOpen(
        search,
        isOne,
        (live, isOurs) =>
          mayHave(live, isOurs) && options.ignores(live) === ofIgnored && (!ofIgnored || isNameless(live)),
      );
      if (open.openDesired.length > 0 && open.openLive.length > 0) {
        pair(open).forEach((found) => take(search, found));
      }
    }
  }
}

function roundsOf({ ignoredFields }: MatchOptions): readonly Round[] {
  const sameApart = (open: Open): readonly Pair[] => pairSame(open, ignoredFields);
  const same = (open: Open): readonly Pair[] => pairSame(open);
  const guessing = [NAMELESS, ADOPTING];
  return [
    { pair: sameApart, seekers: [NAMELESS], ofIgnored: false },
    { pair: same, seekers: [ADOPTING, NAMING], ofIgnored: false },
    { pair: pairByRef, seekers: guessing, ofIgnored: false },
    { pair: same, seekers: [NAMELESS], ofIgnored: true },
    { pair: pairByRef, seekers: [NAMELESS], ofIgnored: true },
    { pair: (open) => pairUnique(open, description), seekers: guessing, ofIgnored: false },
    { pair: (open) => pairUnique(open, expression), seekers: guessing, ofIgnored: false },
    { pair: (open) => pairUnique(open, meaningKey()), seekers: guessing, ofIgnored: false },
  ];
}

/** A key that recognises a rule; undefined when the rule has none. */
type Key = (rule: { readonly ref: string; readonly content: RuleContent }) => string | undefined;

const description: Key = ({ content }) => content.description || undefined;

const expression: Key = ({ content }) => content.expression.trim() || undefined;

function meaningKey(): Key {
  const meaning = createMeaning();
  return (rule) =>
    expression(rule) === undefined ? undefined : canonicalJson(meaning(rule.content.expression));
}

function pairByRef(open: Open): readonly Pair[] {
  return pairUnique(open, ({ ref }) => ref);
}

/** Pairs rules with equal keys where just one rule on each side has the key. */
function pairUnique({ desired, live, openDesired, openLive }: Open, key: Key): readonly Pair[] {
  const textOf = (rule: NamedRule | LiveRule | undefined) => (rule === undefined ? undefined : key(rule));
  const found = groupBy(openLive, (at) => textOf(live[at]));
  return [...groupBy(openDesired, (index) => textOf(desired[index]))].flatMap(([text, [index, ...more]]) => {
    const [at, ...others] = text === undefined ? [] : (found.get(text) ?? []);
    return index === undefined || at === undefined || more.length > 0 || others.length > 0
      ? []
      : [{ desired: index, live: at }];
  });
}
