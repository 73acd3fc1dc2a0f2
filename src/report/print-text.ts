import { assertNever } from '../data/index.ts';
import { someNames } from '../text/index.ts';
import { escapeLines } from './escape.ts';
import type { TextLine, Look } from './layout.ts';
import { BLANK, hanging, layOut, line, padTo } from './layout.ts';
import { inPieces } from './pieces.ts';
import { fieldLines } from './print-text-fields.ts';
import type {
  Block,
  CalloutBlock,
  EntryBlock,
  EntryMark,
  FieldRow,
  Inline,
  NamesBlock,
  Document,
  SectionBlock,
  Style,
  StyledSpan,
} from './tree.ts';
import { CHANGE_SIDES, span } from './tree.ts';

/** Where a block begins, and the width of the terminal. */
interface BlockPlace {
  readonly indent: number;
  readonly width: number;
}

/** Formats a document for a terminal, in pieces: what it is about, the body, and last the result, where it is seen. */
export function printText(document: Document, look: Look): Iterable<string> {
  return inPieces(documentTexts(document, look));
}

/** Formats a document for a terminal as one text. */
export function wholeText(document: Document, look: Look): string {
  return [...documentTexts(document, look)].join('');
}

function* documentTexts({ heading, summary = [], body }: Document, look: Look): Iterable<string> {
  const place = { indent: 0, width: look.width };
  let isBegun = false;
  // A blank line separates two blocks; there is none at the end.
  let isApart = false;
  const texts = (lines: readonly TextLine[]): string => {
    const kept: TextLine[] = [];
    for (const one of lines) {
      if (one.spans.length > 0) {
        kept.push(...(isApart ? [BLANK] : []), one);
      }
      isApart = one.spans.length === 0 && (isBegun || kept.length > 0);
    }
    isBegun ||= kept.length > 0;
    return layOut(kept, look);
  };
  for (const block of body) {
    const lines = blockLines(block, place);
    yield texts(
      isBegun || heading === undefined || lines.length === 0 ? lines : [line(0, ...heading), BLANK, ...lines],
    );
  }
  yield texts(summary.flatMap((text) => paragraphLines(text, 0)));
}

/** Returns the lines of blocks. */
export function textLines(blocks: Iterable<Block>, place: BlockPlace): readonly TextLine[] {
  return [...blocks].flatMap((block) => blockLines(block, place));
}

function blockLines(block: Block, place: BlockPlace): readonly TextLine[] {
  const { indent, width } = place;
  switch (block.kind) {
    case 'paragraph':
      return paragraphLines(block.text, indent, block.hang);
    case 'entry':
      return entryLines(block, place);
    case 'section':
      return sectionLines(block, place);
    case 'fields':
      return fieldLines(block.rows, { indent, width, sides: block.sides });
    case 'verbatim':
      return block.lines.map((text) => verbatimLine(text, block.language, indent));
    case 'frame':
      return block
        .frame(width - indent)
        .split('\n')
        .filter((text) => text !== '')
        .map((text) => ({ ...line(indent, text), verbatim: true }));
    case 'callout':
      return calloutLines(block, place);
    case 'names':
      return [hanging(indent, 0, namesText(block))];
    case 'either':
      return textLines(block.brief, place);
    case 'overview':
    case 'order':
      return [];
    default:
      return assertNever(block);
  }
}

function namesText({ names, most }: NamesBlock): string {
  const texts = names.map(({ text }) => text);
  return most === undefined ? texts.join(', ') : someNames(texts, most);
}

function paragraphLines(text: Inline, indent: number, hang = 2): readonly TextLine[] {
  return brokenAt(text).map((spans) => hanging(indent, hang, ...spans));
}

/** Splits a text at the line breaks of its messages. */
function brokenAt(text: Inline): readonly Inline[] {
  const rows: (StyledSpan | string)[][] = [[]];
  for (const one of text) {
    const [first = one, ...rest]: Inline =
      typeof one === 'string' || one.breaks === undefined
        ? [one]
        : escapeLines(one.text).map((row) => ({ ...one, text: row }));
    rows.at(-1)?.push(first);
    rows.push(...rest.map((row) => [row]));
  }
  return rows;
}

function verbatimLine(text: string, language: string, indent: number): TextLine {
  const style = text.startsWith('+') ? 'added' : text.startsWith('-') ? 'removed' : 'dim';
  return { ...line(indent, language === 'diff' ? span(style, text) : text), verbatim: true };
}

/** What is about an entry is below it, further in than what is a part of it. */
const ABOUT = 4;
const PART = 2;

/** The width of a column of words. */
const WORDS = 13;

function entryLines(one: EntryBlock, place: BlockPlace): readonly TextLine[] {
  const { mark, title, facts = [], notes = [], body = [], parts, apart } = one;
  const inner = { ...place, indent: place.indent + (parts === undefined ? ABOUT : PART) };
  const shown = markSpans(mark);
  const hang =
    mark?.sign === undefined && mark?.word !== undefined ? WORDS : parts === undefined ? ABOUT : PART;
  const [first = [], ...rest] = brokenAt([...shown, ...title, ...facts.flatMap((fact) => ['  ', ...fact])]);
  return [
    hanging(place.indent, hang, ...first),
    ...rest.map((text) => line(inner.indent, ...text)),
    ...textLines(
      withRemarks(body, notes.filter(({ pageOnly }) => pageOnly === undefined).map(remarkRow)),
      inner,
    ),
    ...(apart === undefined ? [] : [BLANK]),
  ];
}

function markSpans(mark: EntryMark | undefined): Inline {
  const text = mark?.sign ?? (mark?.word === undefined ? '' : padTo(mark.word, WORDS - 1));
  return mark === undefined || text === '' ? [] : [span(mark.style, text), ' '];
}

/** Remarks are shown in the columns of the fields that they are about. */
function withRemarks(body: readonly Block[], rows: readonly FieldRow[]): readonly Block[] {
  const last = body.findLastIndex(({ kind }) => kind === 'fields');
  if (last === -1) {
    return rows.length === 0 ? body : [...body, { kind: 'fields', rows, sides: CHANGE_SIDES }];
  }
  return body.map((block, index) =>
    index === last && block.kind === 'fields' ? { ...block, rows: [...block.rows, ...rows] } : block,
  );
}

function remarkRow({ label, text, level }: NonNullable<EntryBlock['notes']>[number]): FieldRow {
  const spans = [level === 'warning' ? span('warning', text) : text];
  return { label, group: '', value: { kind: 'told', spans } };
}

function sectionLines(one: SectionBlock, place: BlockPlace): readonly TextLine[] {
  const { rank, title, facts = [], body, close } = one;
  const head = rank === 1 ? title.map((part) => styled(part, 'heading')) : title;
  const told = facts.flatMap((fact) => [isSource(fact) ? '  ' : ' · ', ...fact]);
  return [
    hanging(place.indent, 2, ...head, ...told, ...(rank === 3 ? [':'] : [])),
    ...(rank === 1 ? [BLANK] : []),
    ...textLines(body, { ...place, indent: place.indent + 2 }),
    ...(close === undefined ? [BLANK] : []),
  ];
}

function styled(part: StyledSpan | string, style: Style): StyledSpan {
  return typeof part === 'string' ? { text: part, style } : { ...part, style };
}

function isSource([first]: Inline): boolean {
  return typeof first === 'object' && first.to?.kind === 'file';
}

function calloutLines(
  { level, title, entries, most, more }: CalloutBlock,
  place: BlockPlace,
): readonly TextLine[] {
  const rest = entries.slice(most ?? entries.length).length;
  const inner = { ...place, indent: place.indent + 2 };
  return [
    line(place.indent, ...title.map((part) => styled(part, level)), ':'),
    ...textLines(entries.slice(0, most), inner),
    ...(rest === 0
      ? []
      : [line(inner.indent + 2, span('dim', `and ${rest} more${more === undefined ? '' : `, ${more}`}`))]),
    BLANK,
  ];
}
