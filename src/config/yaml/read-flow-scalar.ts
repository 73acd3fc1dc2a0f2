import type { PlacedUnit } from './scalar-offsets.ts';

/** The inside of a plain or quoted scalar. */
export interface FlowScalar {
  readonly start: number;
  readonly end: number;
  readonly quote: '"' | "'" | undefined;
}

/**
 * Reads a plain or quoted scalar: line breaks fold to a space, blank lines to line feeds, white space
 * around breaks is dropped, escapes stand for characters (YAML 1.2, 7.3 and 7.4).
 */
export function readFlowScalar(source: string, { start, end, quote }: FlowScalar): readonly PlacedUnit[] {
  const units: PlacedUnit[] = [];
  /** Where literal white space at the end of `units` begins; a line break drops it. */
  let solid = 0;
  let at = start;
  while (at < end) {
    const character = source[at] ?? '';
    const next = source[at + 1] ?? '';
    if (character === '\n' || (character === '\r' && next === '\n')) {
      units.length = solid;
      at = foldBreak(source, at, end, units);
      solid = units.length;
    } else if (quote === '"' && character === '\\') {
      at = readEscape(source, at, end, units);
      solid = units.length;
    } else {
      const width = quote === "'" && character === "'" && next === "'" ? 2 : 1;
      units.push({ unit: character, start: at, end: at + width });
      at += width;
      solid = character === ' ' || character === '\t' ? solid : units.length;
    }
  }
  return units;
}

/** Takes a line break with what belongs to it: one break is a space, each further one a line feed. */
function foldBreak(source: string, from: number, end: number, units: PlacedUnit[]): number {
  const breaks: PlacedUnit[] = [];
  let at = from;
  while (at < end) {
    const width = source.startsWith('\r\n', at) ? 2 : source[at] === '\n' ? 1 : 0;
    if (width > 0) {
      breaks.push({ unit: '\n', start: at, end: at + width });
    } else if (source[at] !== ' ' && source[at] !== '\t') {
      break;
    }
    at += width === 0 ? 1 : width;
  }
  const [first, ...rest] = breaks;
  if (first !== undefined) {
    units.push(...(rest.length === 0 ? [{ ...first, unit: ' ' }] : rest));
  }
  return at;
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['0', '\0'],
  ['a', '\u0007'],
  ['b', '\b'],
  ['e', '\u001B'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['\t', '\t'],
  ['v', '\v'],
  ['N', '\u0085'],
  ['_', '\u00A0'],
  ['L', '\u2028'],
  ['P', '\u2029'],
]);

const HEX_DIGITS: ReadonlyMap<string, number> = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
]);

function readEscape(source: string, at: number, end: number, units: PlacedUnit[]): number {
  const letter = source[at + 1] ?? '';
  if (letter === '\n' || source.startsWith('\r\n', at + 1)) {
    // An escaped break joins the lines; blank lines behind it still count.
    const behind = at + 1 + (letter === '\n' ? 1 : 2);
    return skipBlankLines(source, behind, end, units);
  }
  const digits = HEX_DIGITS.get(letter);
  const width = 2 + (digits ?? 0);
  const text =
    digits === undefined
      ? (ESCAPES.get(letter) ?? letter)
      : String.fromCodePoint(Math.min(0x10ffff, Number.parseInt(source.slice(at + 2, at + width), 16) || 0));
  for (const unit of text.split('')) {
    units.push({ unit, start: at, end: at + width });
  }
  return at + width;
}

function skipBlankLines(source: string, from: number, end: number, units: PlacedUnit[]): number {
  let at = from;
  while (at < end) {
    const width = source.startsWith('\r\n', at) ? 2 : source[at] === '\n' ? 1 : 0;
    if (width > 0) {
      units.push({ unit: '\n', start: at, end: at + width });
    } else if (source[at] !== ' ' && source[at] !== '\t') {
      break;
    }
    at += width === 0 ? 1 : width;
  }
  return at;
}
