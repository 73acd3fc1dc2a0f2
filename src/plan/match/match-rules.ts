import type { LiveRule, RuleContent, DesiredRuleset } from '../../model/index.ts';
import { groupBy, canonicalJson, omit } from '../../data/index.ts';
import { KNOWN_ACTION_PARAMETERS } from '../../model/generated/known-fields.ts';
import type { JsonObject } from '../../data/index.ts';
import { canonicalContent } from '../../model/index.ts';
import { carryOver } from '../compare/carry.ts';
import { compareContent } from '../compare/compare-rules.ts';
import { keepFields, ignoredFields, isIgnored } from '../compare/ignore.ts';
import { meaningOfTree, newNumbering, parseExpression } from '../../expression/index.ts';
import type { NamedRule } from './name-rules.ts';
import { isNameless, owns } from './name-rules.ts';

/** A desired rule together with the live rule that it describes. */
export interface RulePair {
  readonly desired: number;
  readonly live: number;
}

/** The rules still to be paired; numbers are indices into the two lists. */
interface UnpairedRules {
  readonly desired: readonly NamedRule[];
  readonly live: readonly LiveRule[];
  readonly openDesired: readonly number[];
  readonly openLive: readonly number[];
}

/** Why a desired rule cannot have the live rule that it names by `ref` or `id`. */
export type ClaimProblem = 'not-ours' | 'claimed-twice' | 'other-ref' | 'two-rules';

/** A desired rule that names a live rule it cannot have; numbers are indices into the two lists. */
interface RefusedClaim {
  readonly desired: number;
  readonly live: number;
  readonly problem: ClaimProblem;
}

/** Returns a function that gives expressions with provably the same meaning the same number; a text that does not parse is its own meaning. */
function createMeaning(): (expression: string) => number | string {
  const numbering = newNumbering();
  return (expression) => {
    const parsed = parseExpression(expression);
    return parsed.ok ? meaningOfTree(numbering, parsed.tree) : expression.trim();
  };
}

/** Returns the fields in which the live rule with this `ref` may differ, as JSON Pointers. */
type IgnoredFields = (ref: string) => readonly string[];

const NOTHING_IGNORED: IgnoredFields = () => [];

/**
 * Pairs rules that say the same in any spelling, apart from fields that may differ. Copies pair in order, whatever their spelling: otherwise two
 * of them could change places with each apply. Only rules that agree in all that a comparison cannot bridge are compared one by one; otherwise
 * thousands of rules with one condition would be too many.
 */
function pairSame(
  { desired, live, openDesired, openLive }: UnpairedRules,
  ignoredFields: IgnoredFields = NOTHING_IGNORED,
): readonly RulePair[] {
  if (openDesired.length === 0 || openLive.length === 0) {
    return [];
  }
  const contentKey = createContentKey();
  const free = new Map<string, LiveIndices>();
  for (const at of openLive) {
    const rule = live[at];
    if (rule !== undefined) {
      const fields = ignoredFields(rule.ref);
      const indices = free.get(canonicalJson(fields)) ?? { fields, byText: new Map<string, Set<number>>() };
      free.set(canonicalJson(fields), indices);
      const text = contentKey(rule.content, fields);
      indices.byText.set(text, (indices.byText.get(text) ?? new Set()).add(at));
    }
  }
  return openDesired.flatMap((index): readonly RulePair[] => {
    const rule = desired[index];
    const found = [...free.values()].flatMap(({ fields, byText }) => {
      const left = rule === undefined ? undefined : byText.get(contentKey(rule.content, fields));
      const first = firstOf(left ?? [], (at) => saysTheSame(rule, live[at], fields));
      return left === undefined || first === undefined ? [] : [{ first, left }];
    });
    const [next] = found.toSorted((one, other) => one.first - other.first);
    next?.left.delete(next.first);
    return next === undefined ? [] : [{ desired: index, live: next.first }];
  });
}

function firstOf(indices: Iterable<number>, fits: (index: number) => boolean): number | undefined {
  for (const index of indices) {
    if (fits(index)) {
      return index;
    }
  }
  return undefined;
}

/** Open live rules that may differ in the same fields, by what else they say. */
interface LiveIndices {
  readonly fields: readonly string[];
  readonly byText: Map<string, Set<number>>;
}

/** Returns a function whose text for a rule is equal for all rules that say the same apart from some fields. */
function createContentKey(): (content: RuleContent, fields: readonly string[]) => string {
  const meaning = createMeaning();
  return (content, fields) => {
    const { action, enabled, description, expression } = content;
    if (fields.length === 0) {
      return canonicalJson({ ...canonicalContent(certainPart(content)), expression: meaning(expression) });
    }
    const unless = <Value>(field: string, value: Value): Value | null =>
      fields.includes(field) ? null : value;
    return canonicalJson([
      unless('/action', action),
      unless('/enabled', enabled),
      unless('/description', description),
      unless('/expression', meaning(expression)),
    ]);
  };
}

/** Returns a content without what `carryOver` may add and what may be spelled otherwise, so that rules which say the same agree in the rest. */
function certainPart({ extra: _extra, ...content }: RuleContent): RuleContent {
  const { action, action_parameters: parameters, ratelimit } = content;
  const known = KNOWN_ACTION_PARAMETERS.get(action);
  return {
    ...content,
    ...(parameters === undefined || known === undefined
      ? {}
      : { action_parameters: pick(parameters, (key) => known.has(key) || key === 'version') }),
    ...(ratelimit === undefined ? {} : { ratelimit: omit(ratelimit, ['counting_expression']) }),
  };
}

function pick(object: JsonObject, wanted: (key: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => wanted(key)));
}

/** Whether a desired rule, completed with what only live says and with the live values of fields that may differ, says what is live. */
function saysTheSame(
  rule: NamedRule | undefined,
  live: LiveRule | undefined,
  fields: readonly string[],
): boolean {
  if (rule === undefined || live === undefined) {
    return false;
  }
  const carried = carryOver(rule.content, live.content).content;
  const wanted = fields.length === 0 ? carried : keepFields(carried, live.content, fields);
  return compareContent(live.content, wanted).kind !== 'different';
}

/** Which live rules may be matched. */
interface MatchOptions {
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
interface RuleSearch {
  readonly desired: readonly NamedRule[];
  readonly live: readonly LiveRule[];
  /** Whether each live rule is ours, by index. */
  readonly ours: readonly boolean[];
  readonly pairs: RulePair[];
  readonly openDesired: Set<number>;
  readonly openLive: Set<number>;
}

/** Records a pair. */
function take({ pairs, openDesired, openLive }: RuleSearch, pair: RulePair): void {
  pairs.push(pair);
  openDesired.delete(pair.desired);
  openLive.delete(pair.live);
}

/** Returns the open rules that pass the filters. */
function stillOpen(
  { desired, live, ours, openDesired, openLive }: RuleSearch,
  isWanted: (rule: NamedRule) => boolean = () => true,
  isFree: (rule: LiveRule, isOurs: boolean) => boolean = () => true,
): UnpairedRules {
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
  readonly pair: (open: UnpairedRules) => readonly RulePair[];
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
function takeByLikeness(search: RuleSearch, options: MatchOptions): void {
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
  const sameApart = (open: UnpairedRules): readonly RulePair[] => pairSame(open, ignoredFields);
  const same = (open: UnpairedRules): readonly RulePair[] => pairSame(open);
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

function pairByRef(open: UnpairedRules): readonly RulePair[] {
  return pairUnique(open, ({ ref }) => ref);
}

/** Pairs rules with equal keys where just one rule on each side has the key. */
function pairUnique({ desired, live, openDesired, openLive }: UnpairedRules, key: Key): readonly RulePair[] {
  const textOf = (rule: NamedRule | LiveRule | undefined) => (rule === undefined ? undefined : key(rule));
  const found = groupBy(openLive, (at) => textOf(live[at]));
  return [...groupBy(openDesired, (index) => textOf(desired[index]))].flatMap(([text, [index, ...more]]) => {
    const [at, ...others] = text === undefined ? [] : (found.get(text) ?? []);
    return index === undefined || at === undefined || more.length > 0 || others.length > 0
      ? []
      : [{ desired: index, live: at }];
  });
}

/** Which desired rule corresponds to which live rule; numbers are indices into the two lists. */
export interface Matching {
  readonly pairs: readonly RulePair[];
  /** Pairs that would match if the desired rule said `adopt: true`: it says the same as a live rule with another `ref`. */
  readonly adoptable: readonly RulePair[];
  /** Rules that name a live rule they cannot have. */
  readonly refused: readonly RefusedClaim[];
}

/**
 * Matches desired rules with live ones: by the `ref` of the file; by `id` if the file has one; then by likeness (see `takeByLikeness`). A rule of
 * others is matched only by a rule with `adopt: true`, or by its anchor. O(n).
 */
export function matchRules(
  desired: readonly NamedRule[],
  live: readonly LiveRule[],
  options: MatchOptions,
): Matching {
  const inOrder = pairInOrder(desired, live, options.owns);
  if (inOrder.length === desired.length) {
    return { pairs: inOrder, adoptable: [], refused: [] };
  }
  const search: RuleSearch = {
    desired,
    live,
    ours: live.map((rule) => options.owns(rule)),
    pairs: [],
    openDesired: new Set(desired.keys()),
    openLive: new Set(live.keys()),
  };
  const refused = takeByName(search);
  takeByLikeness(search, options);
  return { pairs: search.pairs, adoptable: pairSame(stillOpen(search)), refused };
}

/** Takes the pairs that the files name by `ref`, then by `id`; returns the claims that cannot be met. */
function takeByName(search: RuleSearch): readonly RefusedClaim[] {
  const { desired, live, openDesired } = search;
  const byRef = new Map(live.map((rule, index) => [rule.ref, index]));
  const byId = desired.some((rule) => rule.id !== undefined)
    ? new Map(live.map((rule, index) => [rule.id, index]))
    : undefined;
  const refused: RefusedClaim[] = [];
  const bearer = (rule: NamedRule) => (rule.madeUp === true ? undefined : byRef.get(rule.ref));
  const named = (rule: NamedRule) => byId?.get(rule.id ?? '');
  for (const find of [bearer, named]) {
    for (const index of openDesired) {
      const rule = desired[index];
      const at = rule === undefined ? undefined : find(rule);
      if (rule === undefined || at === undefined) {
        continue;
      }
      const other = namesTwo(rule, { bearer: bearer(rule), named: named(rule) });
      const problem = other === undefined ? problemOf(rule, at, search) : 'two-rules';
      if (problem === undefined) {
        take(search, { desired: index, live: at });
      } else if (!refused.some(({ desired: known }) => known === index)) {
        refused.push({ desired: index, live: other ?? at, problem });
      }
    }
  }
  return refused;
}

/**
 * Returns the live rule that a rule names by `id` while another live rule bears its `ref`: nobody can tell which is meant, and the other one
 * would be deleted. An anchor or a rule from a version states both names of its former self; there the `ref` decides.
 */
function namesTwo(
  { exact, anchor }: NamedRule,
  { bearer, named }: { readonly bearer: number | undefined; readonly named: number | undefined },
): number | undefined {
  return exact === true || anchor === true || bearer === undefined || bearer === named ? undefined : named;
}

/** Returns why a rule cannot have the live rule that it names. */
function problemOf(
  { adopt, anchor, madeUp, ref }: NamedRule,
  at: number,
  { live, ours, openLive }: RuleSearch,
): RefusedClaim['problem'] | undefined {
  if (!openLive.has(at)) {
    return 'claimed-twice';
  }
  if (!adopt && anchor !== true && ours[at] !== true) {
    return 'not-ours';
  }
  const found = live[at];
  const mayName =
    adopt || madeUp === true || (found !== undefined && (ref === found.ref || isNameless(found)));
  return mayName ? undefined : 'other-ref';
}

/**
 * Pairs the rules that the files name, as long as they stand in the same order on both sides: the usual case, without building an index. The
 * rest is left to the search.
 */
function pairInOrder(
  desired: readonly NamedRule[],
  live: readonly LiveRule[],
  isOurs: MatchOptions['owns'],
): readonly RulePair[] {
  const pairs: RulePair[] = [];
  let at = 0;
  for (const rule of desired) {
    while (at < live.length && live[at]?.ref !== rule.ref) {
      at += 1;
    }
    const found = live[at];
    if (
      rule.madeUp === true ||
      found === undefined ||
      !(rule.adopt || isOurs(found)) ||
      !isMeant(rule, found)
    ) {
      break;
    }
    pairs.push({ desired: pairs.length, live: at });
    at += 1;
  }
  return pairs;
}

/** Whether a rule can mean the live rule that bears its `ref`, that is, names no other one by `id`. */
export function isMeant({ id }: NamedRule, live: LiveRule): boolean {
  return id === undefined || id === live.id;
}
