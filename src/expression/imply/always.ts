import { meaningOf } from '../equal/meaning.ts';
import { newNumbering, OPPOSITE } from '../equal/numbering.ts';
import type { Numbering, Sense } from '../equal/numbering.ts';
import type { Claim } from './claim.ts';
import { isConstant, partsOf, unfold } from './claim.ts';
import { coverOneOperand } from './cover.ts';

/** The number of looks at single tests after which a proof is given up; real rules take a handful. */
const MOST_LOOKS = 20_000;

interface Search {
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
function oneAlwaysHolds(search: Search, claims: readonly Claim[], known: readonly Claim[]): boolean {
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
