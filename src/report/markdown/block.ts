import { assertNever } from '../../data/index.ts';
import { wholeText } from '../pieces.ts';
import { shortened } from '../../text/index.ts';
import { escapeText, disarmLine } from '../escape.ts';
import type { Cause, FileCause } from '../../model/index.ts';
import { causeText, isVersion } from '../../model/index.ts';
import type { Line } from '../layout.ts';

/** Characters with a meaning in Markdown, in HTML or for a forge; written as character references they lose it. */
const MEANINGFUL = /[\\`*_{}[\]<>#+!|~@&$%^="]/g;

/** The places where forges see a reference because a word follows: mentions, issues, merge requests, labels, milestones. */
const REFERENCE = /(?<=[@#!$%^&~])(?=\w)/g;

/** The places where forges see a link or an emoji without markup: URLs, and `:names:` of emoji. */
const SELF_LINKING = /(?<=\w:)(?=\/\/)|(?<=\bwww)(?=\.)|(?<=\bG[HL])(?=-\d)|(?<=:)(?=[\w+-]+:)/gi;

/** Breaks a reference invisibly. */
const INVISIBLE = '\u{200b}';

/** The maximum number of characters shown of a message and of a name; honest texts are shorter. */
const LONGEST_PROSE = 2000;
const LONGEST_CODE = 500;

/** Escapes untrusted text as prose: it cannot contain markup, mentions, links, fences, comments or commands. */
export function prose(text: string): string {
  const told = escapeText(shortened(text, LONGEST_PROSE))
    .replaceAll(REFERENCE, INVISIBLE)
    .replaceAll(SELF_LINKING, INVISIBLE);
  return told
    .replaceAll(MEANINGFUL, reference)
    .replace(/^[-:/ ]/, reference)
    .replace(/^(\d+)([.)])/, (_match, digits: string, mark: string) => digits + reference(mark));
}

/** Formats the lines of an untrusted message as one paragraph. */
export function proseLines(text: string): string {
  return shortened(text, LONGEST_PROSE)
    .split(/\r?\n/)
    .map((line) => prose(line.trim()))
    .join('<br>');
}

/**
 * Formats untrusted text as code on one line of Markdown, also in tables. The backticks around it are more than any run in it. A vertical
 * bar would end a table cell, and a backslash before it means something else in a cell than elsewhere: such text is written as HTML.
 */
export function code(text: string): string {
  const shown = escapeText(shortened(text, LONGEST_CODE));
  if (shown === '') {
    return '` `';
  }
  if (shown.includes('|')) {
    return `<code>${shown.replaceAll(/[^\w ,]/gu, reference).replaceAll('&#64;', '<b></b>&#64;')}</code>`;
  }
  const marks = '`'.repeat(longestRun(shown) + 1);
  const padding = shown.startsWith('`') || shown.endsWith('`') || /^ .* $/.test(shown) ? ' ' : '';
  return `${marks}${padding}${shown}${padding}${marks}`;
}

/** Formats untrusted text as code inside HTML, such as the summary of a fold. */
export function htmlCode(text: string): string {
  return `<code>${html(shortened(text, LONGEST_CODE))}</code>`;
}

/** Escapes text for HTML. */
export function html(text: string): string {
  return escapeText(text).replaceAll(/[<>&"']/g, reference);
}

/** Returns the length of the longest run of backticks. */
export function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}

function reference(char: string): string {
  return `&#${char.codePointAt(0) ?? 0};`;
}

/** How urgent a box is. */
export type BoxLevel = 'caution' | 'warning' | 'note';

/**
 * A piece of a Markdown document. Its texts are finished Markdown, in which untrusted text has been escaped. Unlike a text, a block knows
 * where it may be cut (`split-blocks.ts`).
 */
export type Block =
  /** A paragraph or a heading; `scopes` is the number of scopes below a heading. */
  | { readonly kind: 'text'; readonly text: string; readonly scopes?: number }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  /** An alert box. */
  | {
      readonly kind: 'box';
      readonly level: BoxLevel;
      readonly title: string;
      readonly items: readonly string[];
    }
  | {
      readonly kind: 'table';
      /** The titles of the first columns, which contain words. */
      readonly words: readonly string[];
      /** The titles of the other columns, which contain numbers. */
      readonly numbers: readonly string[];
      readonly rows: readonly (readonly string[])[];
    }
  /** Raw lines in a code fence, with a title above. */
  | {
      readonly kind: 'code';
      readonly title: string;
      readonly language: 'diff' | 'text';
      readonly lines: readonly string[];
    }
  /** A folded section. The summary is HTML. */
  | { readonly kind: 'fold'; readonly summary: string; readonly body: readonly Block[] };

/** Returns a heading; level 3 unless given, since a comment is shown below the title of its pull request. */
export function heading(text: string, level = 3): Block {
  return paragraph(`${'#'.repeat(level)} ${text}`);
}

/** Returns the heading of `scopes` scopes. */
export function scopeHeading(text: string, scopes: number): Block {
  return { kind: 'text', text: `#### ${text}`, scopes };
}

/** Returns a paragraph of finished Markdown. */
export function paragraph(text: string): Block {
  return { kind: 'text', text };
}

/** Returns a list; nothing when it has no items. */
export function list(items: readonly string[]): readonly Block[] {
  return items.length === 0 ? [] : [{ kind: 'list', items }];
}

/** Returns a fold; nothing when its body is empty. */
export function fold(summary: string, body: readonly Block[]): readonly Block[] {
  return body.length === 0 ? [] : [{ kind: 'fold', summary, body }];
}

/** Formats blocks as Markdown, separated by blank lines. */
export function blocksText(blocks: readonly Block[]): string {
  return wholeText(blockTexts(blocks));
}

/** Formats as `blocksText` does, but yields one block at a time. */
export function* blockTexts(blocks: Iterable<Block>): Iterable<string> {
  let between = '';
  for (const block of blocks) {
    yield between + blockText(block);
    between = '\n\n';
  }
}

function blockText(block: Block): string {
  switch (block.kind) {
    case 'text':
      return block.text;
    case 'list':
      return block.items.map((item) => `- ${item}`).join('\n');
    case 'box':
      return [
        `> [!${block.level.toUpperCase()}]`,
        `> **${block.title}**`,
        '>',
        ...block.items.map((item) => `> - ${item}`),
      ].join('\n');
    case 'table':
      return [
        [...block.words, ...block.numbers],
        [...block.words.map(() => '---'), ...block.numbers.map(() => '--:')],
        ...block.rows,
      ]
        .map((cells) => `| ${cells.join(' | ')} |`)
        .join('\n');
    case 'code':
      return [...(block.title === '' ? [] : [block.title, '']), ...fenced(block.language, block.lines)].join(
        '\n',
      );
    case 'fold':
      return `<details><summary>${block.summary}</summary>\n\n${blocksText(block.body)}\n\n</details>`;
    default:
      return assertNever(block);
  }
}

/** Returns a code fence that none of its lines can close. */
function fenced(language: string, lines: readonly string[]): readonly string[] {
  const marks = '`'.repeat(Math.max(3, ...lines.map((line) => longestRun(line) + 1)));
  return [`${marks}${language}`, ...lines, marks];
}

/** The number of names in a row. */
const IN_A_ROW = 20;

/** Joins finished names in rows, so that a list of any length can be cut between two rows. */
export function nameRows(names: readonly string[]): readonly string[] {
  return Array.from({ length: Math.ceil(names.length / IN_A_ROW) }, (_, row) =>
    names.slice(row * IN_A_ROW, (row + 1) * IN_A_ROW).join(', '),
  );
}

/** The web address of the files as they were when the result was made; null when it is not known. */
export type SourceLinks = {
  /** The part before the path of a file, with a `/` at its end: `https://forge.example/team/rules/blob/4f2c…/zones/`. */
  readonly base: string;
} | null;

/** Formats a cause: `file:line` as a link, a version by its number; for a rule of a pack also where the pack is used. */
export function causeLink(cause: Cause, links: SourceLinks): string {
  if (isVersion(cause)) {
    return code(causeText(cause));
  }
  const uses = (cause.via ?? []).map((use) => placeLink(use, links));
  return `${placeLink(cause, links)}${uses.length === 0 ? '' : ` (used at ${uses.join(', ')})`}`;
}

/** Formats `file:line` as a link. */
export function placeLink({ file, line }: Pick<FileCause, 'file' | 'line'>, links: SourceLinks): string {
  const shown = code(`${file}:${line}`);
  return links === null ? shown : `[${shown}](<${links.base}${pathOf(file)}#L${line}>)`;
}

/** Encodes a path for a URL in which no character has a meaning in Markdown. */
function pathOf(file: string): string {
  return file
    .replaceAll(/\p{Cs}/gu, '\u{fffd}')
    .split('/')
    .map((part) =>
      encodeURIComponent(part).replaceAll(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`),
    )
    .join('/');
}

/** The width for laying out lines in a fence. They are not wrapped; it keeps lists of fields in one column. */
export const WIDTH = 120;

/** Returns lines in a fence, as the terminal shows them; nothing when there are none. */
export function plainBlocks(lines: readonly Line[]): readonly Block[] {
  return lines.length === 0
    ? []
    : [
        {
          kind: 'code',
          title: '',
          language: 'text',
          lines: lines.map(({ indent, spans }) =>
            disarmLine(' '.repeat(indent) + spans.map(({ text }) => escapeText(text)).join('')),
          ),
        },
      ];
}
