import { assertNever } from '../data/index.ts';
import { counted, grouped } from '../text/index.ts';
import { disarmLine, escapeText } from './escape.ts';
import { code, htmlCode, prose, proseLines, proseWithin, urlPath } from './markdown-escape.ts';
import type { MarkdownPiece } from './markdown-pieces.ts';
import { pieceTexts } from './markdown-pieces.ts';
import { inPieces, inTurn } from './pieces.ts';
import { fieldDiff } from './print-markdown-fields.ts';
import type {
  Block,
  CalloutBlock,
  EntryBlock,
  EntryMark,
  Inline,
  SpanTarget,
  NamesBlock,
  OverviewBlock,
  OverviewRow,
  Document,
  SectionBlock,
  StyledSpan,
} from './tree.ts';

/** The web address of the files as they were when the result was made; null when it is not known. */
export type SourceLinks = {
  /** The part before the path of a file, with a `/` at its end: `https://forge.example/team/rules/blob/4f2c…/zones/`. */
  readonly base: string;
} | null;

/** Formats a document as Markdown, in pieces. */
export function printMarkdown(document: Document, links: SourceLinks = null): Iterable<string> {
  const title: MarkdownPiece = { kind: 'text', text: `### ${prose(document.title)}` };
  return inPieces(inTurn(pieceTexts(inTurn([title], markdownPieces(document, links))), ['\n']));
}

/** Yields what a document says below its title: the result first, then what must not be overlooked, then the rest. */
export function* markdownPieces(
  { heading, summary = [], body }: Document,
  links: SourceLinks = null,
): Iterable<MarkdownPiece> {
  yield* summary.map((text) => textPiece(`${verdictMark(text)}${inline(text, links)}`));
  let isBegun = false;
  for (const pieces of runsOf(body, links)) {
    if (!isBegun && heading !== undefined) {
      yield textPiece(inline(heading, links));
    }
    isBegun = true;
    yield* pieces;
  }
}

/** A sentence of the result that begins with a warning is seen at once. */
function verdictMark([first]: Inline): string {
  const style = typeof first === 'object' ? first.style : undefined;
  return style === 'error' || style === 'warning' ? `${PICTURES.get(style) ?? ''} ` : '';
}

function textPiece(text: string): MarkdownPiece {
  return { kind: 'text', text };
}

/** Yields the pieces of blocks; entries that follow one another may be one list. */
function* runsOf(blocks: Iterable<Block>, links: SourceLinks): Iterable<readonly MarkdownPiece[]> {
  let run: EntryBlock[] = [];
  for (const block of blocks) {
    if (block.kind === 'entry') {
      run.push(block);
      continue;
    }
    if (run.length > 0) {
      yield entriesPieces(run, links);
      run = [];
    }
    const pieces = blockPieces(block, links);
    if (pieces.length > 0) {
      yield pieces;
    }
  }
  if (run.length > 0) {
    yield entriesPieces(run, links);
  }
}

function piecesOf(blocks: Iterable<Block>, links: SourceLinks): readonly MarkdownPiece[] {
  return [...runsOf(blocks, links)].flat();
}

function blockPieces(block: Exclude<Block, EntryBlock>, links: SourceLinks): readonly MarkdownPiece[] {
  switch (block.kind) {
    case 'paragraph':
      return [textPiece(inline(block.text, links))];
    case 'section':
      return sectionPieces(block, links);
    case 'fields':
      return fence('diff', fieldDiff(block));
    case 'verbatim':
      return fence(block.language, block.lines.map(escapeText));
    case 'overview':
      return overviewPieces(block, links);
    case 'callout':
      return [calloutPiece(block, links)];
    case 'names':
      return namesPieces(block, links);
    case 'either':
      return piecesOf(block.brief, links);
    // A place in a file is linked to, and what moves says so itself.
    case 'frame':
    case 'order':
      return [];
    default:
      return assertNever(block);
  }
}

function fence(language: string, lines: readonly string[], title = ''): readonly MarkdownPiece[] {
  return lines.length === 0 && title === ''
    ? []
    : [{ kind: 'code', title, language, lines: lines.map(disarmLine) }];
}

/** The number of names in a row. */
const IN_A_ROW = 20;

/** Joins names in rows, so that a list of any length can be cut between two rows. */
function nameRows({ names }: NamesBlock, links: SourceLinks): readonly string[] {
  return Array.from({ length: Math.ceil(names.length / IN_A_ROW) }, (_, row) =>
    names
      .slice(row * IN_A_ROW, (row + 1) * IN_A_ROW)
      .map((name) => inline([name], links))
      .join(', '),
  );
}

function namesPieces(block: NamesBlock, links: SourceLinks): readonly MarkdownPiece[] {
  const rows = nameRows(block, links);
  return rows.length > 1 ? [{ kind: 'list', items: rows }] : rows.map(textPiece);
}

function sectionPieces(one: SectionBlock, links: SourceLinks): readonly MarkdownPiece[] {
  const { rank, title, facts = [], tally = [], folded = false, body, stands } = one;
  const about = facts.map((fact) => inline(fact, links));
  const pieces = piecesOf(body, links);
  if (folded) {
    const inside = [...(about.length === 0 ? [] : [textPiece(about.join(SEPARATOR))]), ...pieces];
    const [only] = inside;
    return inside.length === 1 && only?.kind === 'text'
      ? [textPiece(`${[title, ...tally].map((text) => inline(text, links)).join(SEPARATOR)}: ${only.text}`)]
      : inside.length === 0
        ? []
        : [{ kind: 'fold', summary: [title, ...tally].map(inHtml).join(SEPARATOR), body: inside }];
  }
  // A heading is bold anyway.
  const plain = rank === 3 ? title : title.map((part) => (isBold(part) ? part.text : part));
  const text = [inline(plain, links), ...about].join(SEPARATOR);
  const head: MarkdownPiece = {
    kind: 'text',
    text: rank === 1 ? `#### ${text}` : rank === 2 ? `##### ${text}` : `${text}:`,
    isHeading: true,
    ...(stands === undefined ? {} : { stands }),
  };
  return [head, ...pieces];
}

const SEPARATOR = ' · ';

function isBold(part: StyledSpan | string): part is StyledSpan {
  return typeof part === 'object' && (part.style === 'strong' || part.style === 'heading');
}

/** Returns the pieces of entries: a list, unless something in it has to be a fence. */
function entriesPieces(entries: readonly EntryBlock[], links: SourceLinks): readonly MarkdownPiece[] {
  return entries.every(({ body = [] }) => body.every(isLine))
    ? [{ kind: 'list', items: entries.map((one) => itemText(one, links, '')) }]
    : entries.flatMap((one) => entryPieces(one, links));
}

/** Whether a block fits into the lines of an item. */
function isLine(block: Block): boolean {
  switch (block.kind) {
    case 'paragraph':
    case 'names':
    case 'frame':
      return true;
    case 'entry':
      return (block.body ?? []).every(isLine);
    case 'either':
      return block.brief.every(isLine);
    default:
      return false;
  }
}

function itemText(one: EntryBlock, links: SourceLinks, indent: string): string {
  const inner = `${indent}  `;
  const { lines, rows, nested } = linesIn(one.body ?? [], links);
  return [
    [entryText(one, links), ...lines, ...rows].join('<br>'),
    ...nested.map((part) => `${inner}- ${itemText(part, links, inner)}`),
  ].join('\n');
}

/** What an entry says below its first line: sentences, rows of names, and entries in it. */
interface EntryLines {
  readonly lines: readonly string[];
  readonly rows: readonly string[];
  readonly nested: readonly EntryBlock[];
}

function linesIn(body: readonly Block[], links: SourceLinks): EntryLines {
  const blocks = body.flatMap((block) => (block.kind === 'either' ? block.brief : [block]));
  return {
    lines: blocks.flatMap((block) => (block.kind === 'paragraph' ? [inline(block.text, links)] : [])),
    rows: blocks.flatMap((block) => (block.kind === 'names' ? nameRows(block, links) : [])),
    nested: blocks.filter((block) => block.kind === 'entry'),
  };
}

/** Returns an entry with its title above the fence of its first fields, where a cut repeats it. */
function entryPieces(one: EntryBlock, links: SourceLinks): readonly MarkdownPiece[] {
  const title = entryText(one, links);
  const [first, ...rest] = piecesOf(one.body ?? [], links);
  return first?.kind === 'code' && first.title === ''
    ? [{ ...first, title }, ...rest]
    : [textPiece(title), ...(first === undefined ? [] : [first]), ...rest];
}

function entryText(one: EntryBlock, links: SourceLinks, mark = markText(one.mark)): string {
  const { title, facts = [], notes = [] } = one;
  return [
    `${mark}${inline(title, links)}`,
    ...facts.map((fact) => inline(fact, links)),
    ...notes
      .filter(({ pageOnly }) => pageOnly === undefined)
      .map(({ label, text, level }) => `${level === 'warning' ? '⚠️ ' : ''}${prose(label)}: ${prose(text)}`),
  ].join(SEPARATOR);
}

/** The pictures for signs that judge; they need no words to be told apart. */
const PICTURES: ReadonlyMap<EntryMark['style'], string> = new Map([
  ['good', '✅'],
  ['warning', '⚠️'],
  ['error', '❌'],
  ['info', 'ℹ️'],
]);

function markText(mark: EntryMark | undefined): string {
  if (mark === undefined) {
    return '';
  }
  const { sign, word, style } = mark;
  const seen = PICTURES.get(style) ?? (word === undefined && sign !== undefined ? prose(sign) : undefined);
  return `${seen === undefined ? '' : `${seen} `}${word === undefined ? '' : `**${prose(word)}** `}`;
}

const LEVELS: Readonly<Record<CalloutBlock['level'], 'caution' | 'warning' | 'note'>> = {
  error: 'caution',
  warning: 'warning',
  info: 'note',
};

function calloutPiece(
  { level, title, entries, most, more }: CalloutBlock,
  links: SourceLinks,
): MarkdownPiece {
  const shown = entries.slice(0, most);
  const items = shown.flatMap((one) => itemsInBox(one, links));
  const rest = entries.length - shown.length;
  const left = rest === 0 ? [] : [`… and ${grouped(rest)} more${more === undefined ? '' : `, ${more}`}`];
  return { kind: 'box', level: LEVELS[level], title: inline(title, links), items: [...items, ...left] };
}

/** Returns an entry of a box, which itself says how severe its entries are; many names are items of their own, so that they can be cut. */
function itemsInBox(one: EntryBlock, links: SourceLinks): readonly string[] {
  const { lines, rows, nested } = linesIn(one.body ?? [], links);
  const said = [entryText(one, links, ''), ...lines, ...nested.map((part) => entryText(part, links))];
  return rows.length > 1 ? [said.join('<br>'), ...rows] : [[...said, ...rows].join('<br>')];
}

/** The number of rows that are shown; more would push what follows out of sight. */
const MOST_ROWS = 12;

/** The maximum number of further rows, in a fold below. */
const MOST_FOLDED = 200;

function overviewPieces(block: OverviewBlock, links: SourceLinks): readonly MarkdownPiece[] {
  const { rows, words, numbers } = block;
  const table = (
    some: readonly OverviewRow[],
    rest: readonly OverviewRow[],
    where: string,
  ): MarkdownPiece => ({
    kind: 'table',
    words,
    numbers: numbers.map(({ title }) => title),
    rows: [
      ...some.map((row) => [
        ...row.words.map((text) => inline(text, links)),
        ...row.numbers.map((_, at) => cell([row], at, block)),
      ]),
      ...(rest.length === 0
        ? []
        : [
            [
              ...words.slice(1).map(() => ''),
              `${moreOf(rest, block)}, ${where}`,
              ...numbers.map((_, at) => cell(rest, at, block)),
            ],
          ]),
    ],
  });
  if (rows.length <= MOST_ROWS) {
    return rows.length === 0 ? [] : [table(rows, [], '')];
  }
  const [shown, rest] = [rows.slice(0, MOST_ROWS - 1), rows.slice(MOST_ROWS - 1)];
  return [
    table(shown, rest, 'below'),
    {
      kind: 'fold',
      summary: `${moreOf(rest, block)} at a glance`,
      body: [table(rest.slice(0, MOST_FOLDED), rest.slice(MOST_FOLDED), 'not listed here')],
    },
  ];
}

function moreOf(rows: readonly OverviewRow[], { noun }: OverviewBlock): string {
  return counted(
    rows.reduce((sum, { stands }) => sum + stands, 0),
    `more ${noun}`,
  );
}

/** Returns a cell with the sum of a column of numbers. */
function cell(rows: readonly OverviewRow[], at: number, { numbers }: OverviewBlock): string {
  const sum = rows.reduce((total, row) => total + (row.numbers[at] ?? 0), 0);
  return sum === 0 ? '' : `${numbers[at]?.isSevere === true ? '⚠️ ' : ''}${sum}`;
}

/** Formats a text as Markdown on one line. */
function inline(text: Inline, links: SourceLinks): string {
  return merged(text).reduce((line, one) => {
    const next = spanText(one, links, line === '');
    // Two codes side by side would be one.
    return line.endsWith('`') && next.startsWith('`') ? `${line}\u{200b}${next}` : line + next;
  }, '');
}

/** Joins neighbours without a style, so that nothing with a meaning can be made of two harmless parts. */
function merged(text: Inline): readonly StyledSpan[] {
  const spans: StyledSpan[] = [];
  for (const one of text) {
    const next = typeof one === 'string' ? { text: one } : one;
    const last = spans.at(-1);
    if (last !== undefined && isPlain(last) && isPlain(next)) {
      spans[spans.length - 1] = { text: last.text + next.text };
    } else {
      spans.push(next);
    }
  }
  return spans;
}

function isPlain({ style, to, breaks }: StyledSpan): boolean {
  return style === undefined && to === undefined && breaks === undefined;
}

function spanText({ text, style, to, breaks }: StyledSpan, links: SourceLinks, isFirst: boolean): string {
  if (to?.kind === 'file') {
    return linked(code(text), to, links);
  }
  const shown = (inner: string): string =>
    breaks === true ? proseLines(inner) : isFirst ? prose(inner) : proseWithin(inner);
  switch (style) {
    case 'name':
    case 'code':
      return code(text);
    case 'strong':
    case 'heading':
    case 'error':
    case 'warning':
    case 'good':
      return betweenBlanks(text, (inner) => `**${shown(inner)}**`);
    case 'removed-words':
      return text === '' ? '' : `<del>${code(text)}</del>`;
    case 'added-words':
      return text === '' ? '' : `<ins>${code(text)}</ins>`;
    default:
      return betweenBlanks(text, shown);
  }
}

/** Keeps the blanks at the ends of a text: inside of marks they would undo them, and in front they would be escaped. */
function betweenBlanks(text: string, write: (inner: string) => string): string {
  const inner = text.replaceAll(/^ +| +$/gu, '');
  const [before, after] = [text.startsWith(' ') ? ' ' : '', text.endsWith(' ') && inner !== '' ? ' ' : ''];
  return `${before}${inner === '' ? '' : write(inner)}${after}`;
}

function linked(
  shown: string,
  to: Extract<SpanTarget, { readonly kind: 'file' }>,
  links: SourceLinks,
): string {
  return links === null ? shown : `[${shown}](<${links.base}${urlPath(to.file)}#L${to.line}>)`;
}

/** Formats a text as HTML, for the summary of a fold, in which forges see references too. */
function inHtml(text: Inline): string {
  return merged(text)
    .map(({ text: part, style }) => {
      switch (style) {
        case 'name':
        case 'code':
          return htmlCode(part);
        case 'strong':
        case 'heading':
        case 'error':
        case 'warning':
          return `<b>${proseWithin(part)}</b>`;
        default:
          return proseWithin(part);
      }
    })
    .join('');
}
