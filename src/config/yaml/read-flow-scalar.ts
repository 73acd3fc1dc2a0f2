import type { PlacedUnit } from './placed-unit.ts';

/** The inside of a plain or quoted scalar. */
export interface FlowScalar {
  readonly start: number;
  readonly end: number;
  readonly quote: '"' | "'" | undefined;
}

/** Tokens: line breaks with the blanks around them, other blanks, escapes, and any other unit. */
const TOKENS = {
  plain: /[ \t]*(?:\r?\n[ \t]*)+|[ \t]+|[^]/g,
  "'": /[ \t]*(?:\r?\n[ \t]*)+|[ \t]+|''|[^]/g,
  '"': /[ \t]*(?:\r?\n[ \t]*)+|[ \t]+|\\(?:\r?\n(?:[ \t]|\r?\n)*|x[^]{2}|u[^]{4}|U[^]{8}|[^])|[^]/g,
} as const;

/**
 * Reads a plain or quoted scalar: line breaks fold to a space, blank lines to line feeds, white space
 * around breaks is dropped, escapes stand for characters (YAML 1.2, 7.3 and 7.4).
 */
export function readFlowScalar(source: string, { start, end, quote }: FlowScalar): readonly PlacedUnit[] {
  const units: PlacedUnit[] = [];
  for (const { 0: token, index } of source.slice(start, end).matchAll(TOKENS[quote ?? 'plain'])) {
    const at = start + index;
    const [first, ...others] = [...token.matchAll(/\r?\n/g)].map((found) => ({
      unit: '\n',
      start: at + found.index,
      end: at + found.index + found[0].length,
    }));
    if (first !== undefined) {
      // An escaped break joins the lines; blank lines behind it still count.
      const isFold = others.length === 0 && !token.startsWith('\\');
      units.push(...(isFold ? [{ ...first, unit: ' ' }] : others));
    } else if (token.length > 1 && token.trim() !== '') {
      const text = token === "''" ? "'" : escaped(token);
      units.push(...text.split('').map((unit) => ({ unit, start: at, end: at + token.length })));
    } else {
      token.split('').forEach((unit, add) => units.push({ unit, start: at + add, end: at + add + 1 }));
    }
  }
  return units;
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
  ['v', '\v'],
  ['N', '\u0085'],
  ['_', '\u00A0'],
  ['L', '\u2028'],
  ['P', '\u2029'],
]);

/** Returns what an escape stands for. */
function escaped(token: string): string {
  const letter = token.charAt(1);
  return token.length === 2
    ? (ESCAPES.get(letter) ?? letter)
    : String.fromCodePoint(Math.min(0x10ffff, Number.parseInt(token.slice(2), 16) || 0));
}
