/**
 * A text with the places where it may be broken. A `line` is its gap on one line, else a line break; a `group` breaks all of its lines or
 * none; a `fill` breaks only before a part that would not fit.
 */
export type Layout =
  | string
  | { readonly kind: 'line'; readonly gap: '' | ' ' }
  | { readonly kind: 'indent' | 'group'; readonly content: Layout }
  | { readonly kind: 'row' | 'fill'; readonly parts: readonly Layout[] };

/** A space, or a line break. */
export const LINE: Layout = { kind: 'line', gap: ' ' };
/** Nothing, or a line break. */
const TIGHT: Layout = { kind: 'line', gap: '' };

/** Returns a layout of parts one after the other. */
export function row(...parts: readonly Layout[]): Layout {
  return { kind: 'row', parts };
}

/** Returns a layout of content between two brackets, which stand on lines of their own when the content does not fit. */
export function enclosed(open: string, content: Layout, close: string): Layout {
  const inner = row(TIGHT, content);
  return { kind: 'group', content: row(open, { kind: 'indent', content: inner }, TIGHT, close) };
}

const INDENT = '  ';

interface Writing {
  readonly width: number;
  text: string;
  column: number;
}

/** Writes a layout in lines of at most `width` chars, where it can be broken, with LF and spaces (`rules-language.md` 6.4). */
export function writeLayout(layout: Layout, width: number): string {
  const writing: Writing = { width, text: '', column: 0 };
  write(writing, layout, { margin: '', flat: width === Number.POSITIVE_INFINITY });
  return writing.text;
}

interface Manner {
  readonly margin: string;
  readonly flat: boolean;
}

function write(writing: Writing, layout: Layout, manner: Manner): void {
  if (typeof layout === 'string') {
    writing.text += layout;
    writing.column += layout.length;
    return;
  }
  switch (layout.kind) {
    case 'line':
      writeLine(writing, layout.gap, manner);
      return;
    case 'indent':
      write(writing, layout.content, { ...manner, margin: manner.margin + INDENT });
      return;
    case 'group': {
      const flat = manner.flat || flatLength(layout.content, writing.width - writing.column) !== undefined;
      write(writing, layout.content, { ...manner, flat });
      return;
    }
    case 'row':
      for (const part of layout.parts) {
        write(writing, part, manner);
      }
      return;
    case 'fill':
      writeFill(writing, layout.parts, manner);
      return;
    default:
      layout satisfies never;
  }
}

/** Writes a line break, or `gap` where the layout stays on one line. */
function writeLine(writing: Writing, gap: '' | ' ', { margin, flat }: Manner): void {
  if (flat) {
    writing.text += gap;
    writing.column += gap.length;
    return;
  }
  writing.text += `\n${margin}`;
  writing.column = margin.length;
}

function writeFill(writing: Writing, parts: readonly Layout[], manner: Manner): void {
  for (const [index, part] of parts.entries()) {
    if (index > 0) {
      const fits = manner.flat || flatLength(part, writing.width - writing.column - 1) !== undefined;
      writeLine(writing, ' ', { ...manner, flat: fits });
    }
    write(writing, part, manner);
  }
}

/** Returns the length of a layout on one line; undefined, as soon as that is known, when it exceeds `room`. */
function flatLength(layout: Layout, room: number): number | undefined {
  if (typeof layout === 'string') {
    return layout.length <= room ? layout.length : undefined;
  }
  if (layout.kind === 'line') {
    return layout.gap.length;
  }
  if ('content' in layout) {
    return flatLength(layout.content, room);
  }
  let length = 0;
  for (const part of layout.parts) {
    const more = flatLength(part, room - length);
    if (more === undefined) {
      return undefined;
    }
    length += more;
  }
  const gaps = layout.kind === 'fill' ? Math.max(0, layout.parts.length - 1) : 0;
  return length + gaps <= room ? length + gaps : undefined;
}
