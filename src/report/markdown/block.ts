import { assertNever } from '../../model/assert-never.ts';
import { wholeText } from '../pieces.ts';
import { longestRun } from './escape-markdown.ts';

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
