import { meaningOf, meaningOfOperand, newNumbering, OPPOSITE } from '../equal/normal-meaning.ts';
import type { Numbering, Sense, MemberSet } from '../equal/normal-meaning.ts';
import type { Comparison, Condition, Operand } from '../language/ast.ts';
import { fieldOf } from '../language/field-tests.ts';
import { ADDRESS_BITS } from '../../data/index.ts';
import { isWithinRange, mergeRanges } from '../values/ranges.ts';
import type { ValueRange } from '../values/ranges.ts';
import { LARGEST_INT, LEAST_INT } from '../values/value.ts';
import type { Claim } from './claim.ts';
import { isConstant, partsOf, unfold, isNeverMissing, neverOf } from './claim.ts';
import { reachOf, refusedBy } from './reach.ts';
import { ANY_TEXT, fitApart, fitWithin, stringTestOf } from './text-patterns.ts';
import type { TextPattern } from './text-patterns.ts';

/** The values of one operand that satisfy a claim. */
interface ClaimedValues {
  readonly operand: Operand;
  readonly passes:
    | { readonly of: 'Int' | 'Ip'; readonly ranges: readonly ValueRange[] }
    /** Strings that fit one of the patterns, or, when negated, none of them. */
    | { readonly of: 'Bytes'; readonly patterns: readonly TextPattern[]; readonly sense: Sense };
  /** Whether a missing value satisfies it as well. */
  readonly missing: boolean;
}

/** Whether there is an operand of which every value satisfies one of the claims about it. */
function coverOneOperand(numbering: Numbering, claims: readonly Claim[]): boolean {
  const groups = new Map<number, ClaimedValues[]>();
  for (const claim of claims) {
    const share = shareOf(claim);
    if (share !== undefined) {
      const operand = meaningOfOperand(numbering, share.operand);
      groups.set(operand, [...(groups.get(operand) ?? []), share]);
    }
  }
  return [...groups].some(([operand, shares]) => {
    const [first] = shares;
    return first !== undefined && isAll([...shares, ...impossible(numbering, operand, first.operand)]);
  });
}

/** Whether a claim about one operand holds for whatever value that has, as `ip.src in {0.0.0.0/0 ::/0}`, and a value is never missing. */
export function admitsAll(claim: Claim): boolean {
  const share = shareOf(claim);
  return share !== undefined && isAll([share]);
}

/** Returns shares for the values that the operand never has. No request satisfies them, so that adding them to the claims is sound. */
function impossible(numbering: Numbering, number: number, operand: Operand): readonly ClaimedValues[] {
  const { source } = operand;
  const never = neverOf(fieldOf(operand) ?? '')
    .flatMap((claim) => shareOf(claim) ?? [])
    .filter((share) => meaningOfOperand(numbering, share.operand) === number);
  const isLength = source.kind === 'call' && source.name === 'len';
  const negative: ClaimedValues['passes'] = { of: 'Int', ranges: [{ first: LEAST_INT, last: -1n }] };
  return isLength ? [...never, { operand, passes: negative, missing: false }] : never;
}

function isAll(shares: readonly ClaimedValues[]): boolean {
  const [first] = shares;
  if (first === undefined || !shares.some(({ missing, operand }) => missing || isNeverMissing(operand))) {
    return false;
  }
  return first.passes.of === 'Bytes' ? areAllTexts(shares) : isEveryRange(shares, first.passes.of);
}

function isEveryRange(shares: readonly ClaimedValues[], of: 'Int' | 'Ip'): boolean {
  const merged = mergeRanges(shares.flatMap(({ passes }) => (passes.of === 'Bytes' ? [] : passes.ranges)));
  return WHOLE[of].every((whole) => merged.some((range) => isWithinRange(whole, range)));
}

/** Whether every string satisfies one of the shares: it fits a pattern of a positive share, or no pattern of a negated one. */
function areAllTexts(shares: readonly ClaimedValues[]): boolean {
  const fitting: TextPattern[] = [];
  const missed: (readonly TextPattern[])[] = [[ANY_TEXT]];
  for (const { passes } of shares) {
    if (passes.of === 'Bytes' && passes.sense === 'as is') {
      fitting.push(...passes.patterns);
    } else if (passes.of === 'Bytes') {
      missed.push(passes.patterns);
    }
  }
  // A string that satisfies no negated share fits a pattern of each of the lists in `missed`.
  return missed.some(
    (patterns, index) =>
      fitWithin(patterns, fitting) || missed.slice(0, index).some((others) => fitApart(patterns, others)),
  );
}

/** All values, as ranges. */
const WHOLE: Readonly<Record<'Int' | 'Ip', readonly ValueRange[]>> = {
  Int: [{ first: LEAST_INT, last: LARGEST_INT }],
  Ip: ([4, 6] as const).map((family) => ({
    family,
    first: 0n,
    last: (1n << BigInt(ADDRESS_BITS[family])) - 1n,
  })),
};

function shareOf({ condition, sense }: Claim): ClaimedValues | undefined {
  return (
    shareOfText(condition, sense) ??
    (condition.kind === 'comparison' ? shareOfComparison(condition, sense) : undefined)
  );
}

function shareOfText(condition: Condition, sense: Sense): ClaimedValues | undefined {
  const test = stringTestOf(condition);
  return test === undefined
    ? undefined
    : {
        operand: test.operand,
        passes: { of: 'Bytes', patterns: test.patterns, sense },
        missing: sense === 'negated',
      };
}

function shareOfComparison(comparison: Comparison, sense: Sense): ClaimedValues | undefined {
  const { left: operand, elementwise } = comparison;
  const reach = elementwise ? undefined : reachOf(comparison);
  const refused = elementwise ? undefined : refusedBy(comparison);
  if (reach !== undefined) {
    return { operand, passes: passing(reach, sense), missing: sense === 'negated' };
  }
  // Whether a missing value satisfies `ne` depends on a setting, so neither `ne` nor its negation may count on it (rules-language.md 2.3).
  return refused === undefined
    ? undefined
    : { operand, passes: passing(refused, OPPOSITE[sense]), missing: false };
}

function passing(members: MemberSet, sense: Sense): ClaimedValues['passes'] {
  if (members.of === 'Bytes') {
    const patterns = members.values.map((value): TextPattern => ({ runs: [value], letters: 'exact' }));
    return { of: 'Bytes', patterns, sense };
  }
  const { of, ranges } = members;
  return { of, ranges: sense === 'as is' ? ranges : WHOLE[of].flatMap((whole) => without(whole, ranges)) };
}

/** Returns the parts of a range outside the other ranges, which are sorted and do not overlap. */
function without(whole: ValueRange, ranges: readonly ValueRange[]): readonly ValueRange[] {
  const left: ValueRange[] = [];
  let { first } = whole;
  for (const range of ranges) {
    if (range.family === whole.family) {
      left.push({ ...whole, first, last: range.first - 1n });
      first = range.last + 1n;
    }
  }
  return [...left, { ...whole, first }].filter((range) => range.first <= range.last);
}

/** The number of looks at single tests after which a proof is given up; real rules take a handful. */
const MOST_LOOKS = 20_000;

interface CoverSearch {
  readonly numbering: Numbering;
  looks: number;
}

/** Whether every request provably satisfies at least one of the claims. */
export function isAlways(...claims: readonly Claim[]): boolean {
  return oneAlwaysHolds({ numbering: newNumbering(), looks: MOST_LOOKS }, claims, []);
}

/**
 * Whether at least one of the claims always holds: the parts of an `or` join the claims, and for an `and` the proof must succeed with each
 * of its parts in its place. Most conditions that are not always true fail at the first parts; only one that is almost always true takes
 * long.
 */
function oneAlwaysHolds(search: CoverSearch, claims: readonly Claim[], known: readonly Claim[]): boolean {
  const open = [...claims];
  const joint: Claim[] = [];
  const tests = [...known];
  for (let claim = open.pop(); claim !== undefined; claim = open.pop()) {
    const one = unfold(claim);
    if (isConstant(one, true)) {
      return true;
    }
    const alternatives = partsOf(one, 'or');
    if (alternatives !== undefined) {
      open.push(...alternatives);
    } else if (!isConstant(one, false)) {
      (partsOf(one, 'and') === undefined ? tests : joint).push(one);
    }
  }
  search.looks -= tests.length + 1;
  if (search.looks < 0) {
    return false;
  }
  if (deniesItself(search.numbering, tests) || coverOneOperand(search.numbering, tests)) {
    return true;
  }
  const [first, ...rest] = joint;
  const parts = first === undefined ? undefined : partsOf(first, 'and');
  return parts?.every((part) => oneAlwaysHolds(search, [part, ...rest], tests)) === true;
}

/** Whether one claim is the negation of another. */
function deniesItself(numbering: Numbering, claims: readonly Claim[]): boolean {
  const said = new Map<number, Sense>();
  return claims.some(({ condition, sense }) => {
    const meaning = meaningOf(numbering, condition);
    const isDenied = said.get(meaning) === OPPOSITE[sense];
    said.set(meaning, sense);
    return isDenied;
  });
}
