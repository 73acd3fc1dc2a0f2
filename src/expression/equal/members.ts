import type { Comparison, Literal, Operand, SetLiteral } from '../language/ast.ts';
import { mergeRanges } from '../values/ranges.ts';
import type { Range } from '../values/ranges.ts';

/** The values that satisfy a membership test, `eq` or `in {...}`. Ranges are merged, strings are sorted. */
export type Members =
  | { readonly of: 'Int' | 'Ip'; readonly ranges: readonly Range[] }
  | { readonly of: 'Bytes'; readonly values: readonly string[] };

/** A test of one operand against fixed values. */
export interface Membership {
  readonly operand: Operand;
  readonly members: Members;
}

/** Returns a comparison as a membership test; undefined when it is none. `x eq v` and `x in {v}` are the same test (`rules-language.md` 6.3). */
export function membershipOf(comparison: Comparison): Membership | undefined {
  const { operator, right, left } = comparison;
  if (operator === 'in' && right.kind === 'set') {
    return { operand: left, members: setMembers(right) };
  }
  if (operator === 'eq' && right.kind !== 'operand') {
    return { operand: left, members: literalMembers(right) };
  }
  return undefined;
}

/** Joins the members of all tests of one operand: sorted, without duplicates and overlaps; empty when there are no tests. */
export function joinMembers(all: readonly Members[]): Members {
  const of = all[0]?.of;
  return of === 'Int' || of === 'Ip'
    ? { of, ranges: mergeRanges(all.flatMap((one) => (one.of === 'Bytes' ? [] : one.ranges))) }
    : bytesMembers(all.flatMap((one) => (one.of === 'Bytes' ? one.values : [])));
}

/** Returns a text that is the same for equal members. */
export function describeMembers(members: Members): string {
  return members.of === 'Bytes'
    ? members.values.map((value) => `${value.length}:${value}`).join(',')
    : members.ranges
        .map(({ family, first, last }) => `${first}-${last}${family === undefined ? '' : `/${family}`}`)
        .join(',');
}

function setMembers(set: SetLiteral): Members {
  switch (set.of) {
    case 'Int':
      return { of: 'Int', ranges: mergeRanges(set.items) };
    case 'Ip':
      return { of: 'Ip', ranges: mergeRanges(set.items.map(({ range }) => range)) };
    case 'Bytes':
      return bytesMembers(set.items.map(({ value }) => value));
    default:
      return set satisfies never;
  }
}

/** Returns a literal as the only member. */
export function literalMembers(literal: Literal): Members {
  switch (literal.kind) {
    case 'int':
      return { of: 'Int', ranges: [{ first: literal.value, last: literal.value }] };
    case 'ip': {
      const { family, value } = literal.value;
      return { of: 'Ip', ranges: [{ family, first: value, last: value }] };
    }
    case 'bytes':
      return { of: 'Bytes', values: [literal.value] };
    default:
      return literal satisfies never;
  }
}

function bytesMembers(values: readonly string[]): Members {
  return { of: 'Bytes', values: [...new Set(values)].sort() };
}
