import { assertNever } from '../../model/assert-never.ts';
import { wholeText } from '../pieces.ts';
import { longestRun } from './escape-markdown.ts';

/** How urgent a box is. */
export type BoxLevel = 'caution' | 'warning' | 'note';

/**
 * A piece of a Markdown document. Its texts are finished Markdown; what is untrusted in them has been escaped. Blocks
 * know where they may be cut, which a text does not (`split-blocks.ts`).
 */
export type Block =
  /** A paragraph or a heading; `scopes` is of how many scopes it is the heading. */
  | { readonly kind: 'text'; readonly text: string; readonly scopes?: number }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  /** A box that catches the eye. */
  | {
      readonly kind: 'box';
      readonly level: BoxLevel;
      readonly title: string;
      readonly items: readonly string[];
    }
  | {
      readonly kind: 'table';
      readonly head: readonly string[];
      readonly rows: readonly (readonly string[])[];
    }
  /** Lines in a fence, raw; with a title above. */
  | {
      readonly kind: 'code';
      readonly title: string;
      readonly language: 'diff' | 'text';
      readonly lines: readonly string[];
    }
  /** Shown when it is opened. The summary is HTML. */
  | { readonly kind: 'fold'; readonly summary: string; readonly body: readonly Block[] };

/** A heading; level 3 unless given, since a comment stands below the title of its pull request. */
export function heading(text: string, level = 3): Block {
  return paragraph(`${'#'.repeat(level)} ${text}`);
}

/** The heading of so many scopes. */
export function scopeHeading(text: string, scopes: number): Block {
  return { kind: 'text', text: `#### ${text}`, scopes };
}

/** A paragraph of finished Markdown. */
export function paragraph(text: string): Block {
  return { kind: 'text', text };
}

/** A list; nothing where it has no items. */
export function list(items: readonly string[]): readonly Block[] {
  return items.length === 0 ? [] : [{ kind: 'list', items }];
}

/** A fold; nothing where there is nothing in it. */
export function fold(summary: string, body: readonly Block[]): readonly Block[] {
  return body.length === 0 ? [] : [{ kind: 'fold', summary, body }];
}

/** Blocks as Markdown, a blank line between each two. */
export function blocksText(blocks: readonly Block[]): string {
  return wholeText(blockTexts(blocks));
}

/** The same, made block by block as it is written. */
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
      return [block.head, block.head.map((title) => (NUMBERS.test(title) ? '--:' : '---')), ...block.rows]
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

/** Titles of columns that hold numbers. */
const NUMBERS =
  /^(?:Add|Patch|Move|Delete|Only live|Missing|Changed|Moved|Weakens|Weaker|May end every request|May bypass protection|Writes)$/;

/** A fence that nothing in it can close. */
function fenced(language: string, lines: readonly string[]): readonly string[] {
  const marks = '`'.repeat(Math.max(3, ...lines.map((line) => longestRun(line) + 1)));
  return [`${marks}${language}`, ...lines, marks];
}

/** So many names stand in a row. */
const IN_A_ROW = 20;

/** Finished names in rows, so that a list of any length can be cut between two of them. */
export function nameRows(names: readonly string[]): readonly string[] {
  return Array.from({ length: Math.ceil(names.length / IN_A_ROW) }, (_, row) =>
    names.slice(row * IN_A_ROW, (row + 1) * IN_A_ROW).join(', '),
  );
}
