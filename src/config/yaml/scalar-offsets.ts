import type { Scalar } from 'yaml';

import { readBlockScalar } from './read-block-scalar.ts';
import { readFlowScalar } from './read-flow-scalar.ts';
import type { PlacedUnit } from './placed-unit.ts';

/** A map from offsets in a scalar's value to offsets in the source; both count UTF-16 units. */
export interface ScalarOffsets {
  /** Returns where the unit at an offset of the value begins; for the value's length, the place behind its end. */
  readonly start: (offset: number) => number;
  /** Returns where a stretch of the value ends; an empty stretch ends where it begins. */
  readonly end: (start: number, end: number) => number;
}

/** Most characters in the source of a scalar that is mapped: no expression of 4,096 characters takes so many. */
const MAX_CHARACTERS = 65_536;

/** The scalar that was mapped last: each of its findings asks for it, and there may be very many. Keeping more scalars would fill the memory. */
let last: {
  readonly source: string;
  readonly scalar: Scalar;
  readonly offsets: ScalarOffsets | undefined;
} | null = null;

/**
 * Maps offsets in the value of a scalar of any style (plain, quoted, folded, literal) to the source. Reads the scalar again; undefined when that
 * does not lead to the same value, or when the scalar is far too long.
 */
export function scalarOffsets(source: string, scalar: Scalar): ScalarOffsets | undefined {
  if (last?.scalar !== scalar || last.source !== source) {
    last = { source, scalar, offsets: mapOffsets(source, scalar) };
  }
  return last.offsets;
}

/** A scalar in a text, with its expected value. */
interface PlacedScalar {
  readonly type: Scalar.Type | undefined;
  readonly value: unknown;
  readonly start: number;
  readonly end: number;
}

/** Reads the value of a scalar of any style; undefined when it is far too long. */
export function readScalar(source: string, scalar: PlacedScalar): string | undefined {
  return placedUnits(source, scalar)
    ?.map(({ unit }) => unit)
    .join('');
}

function mapOffsets(source: string, scalar: Scalar): ScalarOffsets | undefined {
  const { range } = scalar;
  const units =
    range === null || range === undefined
      ? undefined
      : placedUnits(source, { type: scalar.type, value: scalar.value, start: range[0], end: range[1] });
  if (units === undefined || units.map(({ unit }) => unit).join('') !== scalar.value) {
    return undefined;
  }
  const behind = units.at(-1)?.end ?? scalar.range?.[0] ?? 0;
  const start = (offset: number): number => units[offset]?.start ?? behind;
  return {
    start,
    end: (from, to) => (to > from ? (units[to - 1]?.end ?? behind) : start(from)),
  };
}

function placedUnits(
  source: string,
  { start, end, type, value }: PlacedScalar,
): readonly PlacedUnit[] | undefined {
  if (end - start > MAX_CHARACTERS) {
    return undefined;
  }
  switch (type) {
    case 'PLAIN':
      return readFlowScalar(source, { start, end, quote: undefined });
    case 'QUOTE_SINGLE':
      return readFlowScalar(source, { start: start + 1, end: end - 1, quote: "'" });
    case 'QUOTE_DOUBLE':
      return readFlowScalar(source, { start: start + 1, end: end - 1, quote: '"' });
    case 'BLOCK_LITERAL':
    case 'BLOCK_FOLDED':
      return readBlockScalar(source, { start, end, folded: type === 'BLOCK_FOLDED', value: String(value) });
    default:
      return undefined;
  }
}
