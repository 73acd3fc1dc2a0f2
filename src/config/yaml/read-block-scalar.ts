import type { PlacedUnit } from './scalar-offsets.ts';

/** A block scalar with its header, from `|` or `>` on. */
export interface BlockScalar {
  readonly start: number;
  readonly end: number;
  readonly folded: boolean;
}

interface Line {
  /** Where the text begins, indentation left out. */
  readonly start: number;
  /** Where the text ends, line break left out. */
  readonly end: number;
  /** Behind the line break. */
  readonly next: number;
}

/** Reads a literal or folded block scalar (YAML 1.2, 8.1). */
export function readBlockScalar(source: string, scalar: BlockScalar): readonly PlacedUnit[] {
  const headerEnd = source.indexOf('\n', scalar.start);
  if (headerEnd === -1 || headerEnd >= scalar.end) {
    return [];
  }
  const header = source.slice(scalar.start, headerEnd);
  const chomp = /^[|>][1-9]?([-+])/.exec(header)?.[1];
  const raw = splitLines(source, headerEnd + 1, scalar.end);
  const indent = contentIndent(source, raw);
  const lines = raw.map((line) => ({ ...line, start: Math.min(line.start + indent, line.end) }));
  const last = lines.findLastIndex((line) => line.start < line.end);
  const content = lines.slice(0, last + 1);
  const trailing = lines.slice(last + 1);
  const units = scalar.folded ? folded(source, content) : literal(source, content);
  return [...units, ...ending(content.at(-1), trailing, chomp)];
}

function splitLines(source: string, from: number, end: number): readonly Line[] {
  const lines: Line[] = [];
  for (let start = from; start < end;) {
    const feed = source.indexOf('\n', start);
    const next = feed === -1 || feed >= end ? end : feed + 1;
    const textEnd = feed === -1 || feed >= end ? end : feed;
    lines.push({ start, end: source[textEnd - 1] === '\r' && textEnd > start ? textEnd - 1 : textEnd, next });
    start = next;
  }
  return lines;
}

/** The indentation that all lines share: an explicit number counts from the parent, so it is measured. */
function contentIndent(source: string, lines: readonly Line[]): number {
  const widths = lines
    .filter((line) => source.slice(line.start, line.end).trim() !== '')
    .map((line) => source.slice(line.start, line.end).search(/[^ ]/));
  return widths.length === 0 ? 0 : Math.min(...widths);
}

function literal(source: string, lines: readonly Line[]): readonly PlacedUnit[] {
  return lines.flatMap((line, index) => [
    ...textOf(source, line),
    ...(index < lines.length - 1 ? [breakOf(line)] : []),
  ]);
}

/** Breaks between lines of text fold; lines that begin with white space keep theirs. */
function folded(source: string, lines: readonly Line[]): readonly PlacedUnit[] {
  const units: PlacedUnit[] = [];
  let previous: Line | undefined;
  let blank: PlacedUnit[] = [];
  for (const line of lines) {
    if (line.start === line.end) {
      blank.push(breakOf(line));
      continue;
    }
    if (previous === undefined) {
      units.push(...blank);
    } else if (isIndented(source, previous) || isIndented(source, line)) {
      units.push(breakOf(previous), ...blank);
    } else {
      units.push(...(blank.length > 0 ? blank : [{ ...breakOf(previous), unit: ' ' }]));
    }
    units.push(...textOf(source, line));
    previous = line;
    blank = [];
  }
  return units;
}

function ending(
  last: Line | undefined,
  trailing: readonly Line[],
  chomp: string | undefined,
): readonly PlacedUnit[] {
  if (chomp === '-' || (last === undefined && chomp !== '+')) {
    return [];
  }
  const final = last === undefined ? [] : [breakOf(last)];
  return chomp === '+' ? [...final, ...trailing.map((line) => breakOf(line))] : final;
}

function isIndented(source: string, line: Line): boolean {
  return source[line.start] === ' ' || source[line.start] === '\t';
}

function textOf(source: string, line: Line): readonly PlacedUnit[] {
  return source
    .slice(line.start, line.end)
    .split('')
    .map((unit, index) => ({ unit, start: line.start + index, end: line.start + index + 1 }));
}

function breakOf(line: Line): PlacedUnit {
  return { unit: '\n', start: line.end, end: Math.max(line.end, line.next) };
}
