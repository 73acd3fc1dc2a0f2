import type { Scalar } from 'yaml';

/** The inside of a plain or quoted scalar. */
interface FlowScalar {
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
function readFlowScalar(source: string, { start, end, quote }: FlowScalar): readonly PlacedUnit[] {
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

/** A block scalar with its header, from `|` or `>` on. */
interface BlockScalar {
  readonly start: number;
  readonly end: number;
  readonly folded: boolean;
  /** The expected value; it shows the indentation where the header gives one, which counts from the parent. */
  readonly value: string;
}

interface SourceLine {
  readonly start: number;
  /** Offset behind the leading spaces. */
  readonly text: number;
  /** Offset before the line break. */
  readonly end: number;
  /** Offset behind the line break. */
  readonly next: number;
}

/** Reads a literal or folded block scalar (YAML 1.2, 8.1). */
function readBlockScalar(source: string, scalar: BlockScalar): readonly PlacedUnit[] {
  const headerEnd = source.indexOf('\n', scalar.start);
  if (headerEnd === -1 || headerEnd >= scalar.end) {
    return [];
  }
  const header = /^[|>]([-+]?[1-9]?[-+]?)/.exec(source.slice(scalar.start, headerEnd))?.[1] ?? '';
  const lines = splitLines(source, headerEnd + 1, scalar.end);
  const first = lines.findIndex((line) => line.text < line.end);
  const { start = 0, text = 0 } = lines[first] ?? {};
  if (first === -1) {
    return header.includes('+') ? breaks(lines) : [];
  }
  const kept = /[1-9]/.test(header) ? spacesBeforeText(scalar.value) : 0;
  const indent = Math.max(0, text - start - kept);
  return readLines(source, { lines, first, indent, header, folded: scalar.folded });
}

/** Returns how many spaces the first line with text begins with. */
function spacesBeforeText(value: string): number {
  const [blank = ''] = /^[ \n]*/.exec(value) ?? [];
  return blank.length - blank.lastIndexOf('\n') - 1;
}

interface ScalarLines {
  readonly lines: readonly SourceLine[];
  /** Index of the first line with text. */
  readonly first: number;
  readonly indent: number;
  readonly header: string;
  readonly folded: boolean;
}

function readLines(source: string, block: ScalarLines): readonly PlacedUnit[] {
  const { lines, first, indent, header } = block;
  const last = lines.findLastIndex((line) => line.text < line.end || line.text - line.start > indent);
  const content = lines.slice(first, last + 1);
  const leading = lines
    .slice(0, first)
    .flatMap((line) => [...textOf(source, line.start + indent, line.text), breakOf(line)]);
  const body = block.folded ? folded(source, content, indent) : literal(source, content, indent);
  const end = lines[last];
  const final = header.includes('-') || end === undefined ? [] : [breakOf(end)];
  return [...leading, ...body, ...final, ...(header.includes('+') ? breaks(lines.slice(last + 1)) : [])];
}

function splitLines(source: string, from: number, end: number): readonly SourceLine[] {
  const lines: SourceLine[] = [];
  for (let start = from; start < end;) {
    const feed = source.indexOf('\n', start);
    const open = feed === -1 || feed >= end;
    const next = open ? end : feed + 1;
    const full = open ? end : feed;
    const lineEnd = !open && full > start && source[full - 1] === '\r' ? full - 1 : full;
    let text = start;
    while (text < lineEnd && source[text] === ' ') {
      text += 1;
    }
    lines.push({ start, text, end: lineEnd, next });
    start = next;
  }
  return lines;
}

function literal(source: string, lines: readonly SourceLine[], indent: number): readonly PlacedUnit[] {
  return lines.flatMap((line, index) => [
    ...textOf(source, line.start + indent, line.end),
    ...(index < lines.length - 1 ? [breakOf(line)] : []),
  ]);
}

/** Folds lines: a break between lines of text becomes a space, blank lines count as breaks, and indented lines keep theirs. */
function folded(source: string, lines: readonly SourceLine[], indent: number): readonly PlacedUnit[] {
  const units: PlacedUnit[] = [];
  let textBreak: PlacedUnit | undefined;
  let separator: 'none' | 'fold' | 'kept' | 'blank' = 'none';
  let blank: PlacedUnit[] = [];
  for (const line of lines) {
    const isIndented = line.text - line.start > indent || source[line.text] === '\t';
    if (!isIndented && line.text === line.end) {
      blank.push(breakOf(line));
      separator = separator === 'kept' ? 'kept' : 'blank';
      continue;
    }
    const before = textBreak === undefined ? [] : [textBreak];
    if (
      separator === 'kept' ||
      (separator === 'blank' && isIndented) ||
      (separator === 'fold' && isIndented)
    ) {
      units.push(...before);
    } else if (separator === 'fold') {
      units.push(...before.map((place) => ({ ...place, unit: ' ' })));
    }
    units.push(...blank, ...textOf(source, line.start + indent, line.end));
    blank = [];
    textBreak = breakOf(line);
    separator = isIndented ? 'kept' : 'fold';
  }
  return [...units, ...blank];
}

function breaks(lines: readonly SourceLine[]): readonly PlacedUnit[] {
  return lines.filter((line) => line.next > line.end).map((line) => breakOf(line));
}

function textOf(source: string, from: number, end: number): readonly PlacedUnit[] {
  return source
    .slice(from, Math.max(from, end))
    .split('')
    .map((unit, index) => ({ unit, start: from + index, end: from + index + 1 }));
}

function breakOf(line: SourceLine): PlacedUnit {
  return { unit: '\n', start: line.end, end: line.next };
}

/** A character of a scalar's value, and where it stands in the source. */
interface PlacedUnit {
  /** One UTF-16 unit of the value. */
  readonly unit: string;
  /** Offset in the source of the first character that stands for it. */
  readonly start: number;
  /** Offset in the source behind the last character that stands for it. */
  readonly end: number;
}
