import type { PlacedUnit } from './placed-unit.ts';

/** A block scalar with its header, from `|` or `>` on. */
export interface BlockScalar {
  readonly start: number;
  readonly end: number;
  readonly folded: boolean;
  /** The expected value; it shows the indentation where the header gives one, which counts from the parent. */
  readonly value: string;
}

interface Line {
  readonly start: number;
  /** Offset behind the leading spaces. */
  readonly text: number;
  /** Offset before the line break. */
  readonly end: number;
  /** Offset behind the line break. */
  readonly next: number;
}

/** Reads a literal or folded block scalar (YAML 1.2, 8.1). */
export function readBlockScalar(source: string, scalar: BlockScalar): readonly PlacedUnit[] {
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

interface Block {
  readonly lines: readonly Line[];
  /** Index of the first line with text. */
  readonly first: number;
  readonly indent: number;
  readonly header: string;
  readonly folded: boolean;
}

function readLines(source: string, block: Block): readonly PlacedUnit[] {
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

function splitLines(source: string, from: number, end: number): readonly Line[] {
  const lines: Line[] = [];
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

function literal(source: string, lines: readonly Line[], indent: number): readonly PlacedUnit[] {
  return lines.flatMap((line, index) => [
    ...textOf(source, line.start + indent, line.end),
    ...(index < lines.length - 1 ? [breakOf(line)] : []),
  ]);
}

/** Folds lines: a break between lines of text becomes a space, blank lines count as breaks, and indented lines keep theirs. */
function folded(source: string, lines: readonly Line[], indent: number): readonly PlacedUnit[] {
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

function breaks(lines: readonly Line[]): readonly PlacedUnit[] {
  return lines.filter((line) => line.next > line.end).map((line) => breakOf(line));
}

function textOf(source: string, from: number, end: number): readonly PlacedUnit[] {
  return source
    .slice(from, Math.max(from, end))
    .split('')
    .map((unit, index) => ({ unit, start: from + index, end: from + index + 1 }));
}

function breakOf(line: Line): PlacedUnit {
  return { unit: '\n', start: line.end, end: line.next };
}
