import { memoiseWeakly, assertNever } from '../../data/index.ts';
import type { Block } from './block.ts';
import { blocksText } from './block.ts';

/** Returns the length of a text in the unit of a limit. */
export type Measure = (text: string) => number;

/** Counts Unicode characters, as GitHub and GitLab do for comments. */
export function characters(text: string): number {
  return text.length - (text.match(/[\u{10000}-\u{10ffff}]/gu)?.length ?? 0);
}

/** Counts bytes in UTF-8, the unit of the limit of a step summary. */
export function bytes(text: string): number {
  return new TextEncoder().encode(text).length;
}

/**
 * Splits blocks into parts that are each at most `limit` long as Markdown. Cuts between blocks if possible, else between the members of
 * one: a fold, a table or a list continues in the next part under its own heading. Nothing is lost.
 */
export function splitBlocks(
  blocks: readonly Block[],
  limit: number,
  measure: Measure = characters,
): readonly (readonly Block[])[] {
  const size = memoiseWeakly((block: Block) => measure(blocksText([block])));
  const parts: (readonly Block[])[] = [];
  let rest = blocks;
  while (rest.length > 0) {
    const cut = fill(rest, { room: limit, limit, size });
    parts.push(cut.head);
    rest = cut.tail;
  }
  return parts;
}

interface Room {
  readonly room: number;
  /** The room of an empty part. */
  readonly limit: number;
  readonly size: (block: Block) => number;
}

interface Cut<T> {
  readonly head: T;
  readonly tail: readonly Block[];
}

/** The length of the blank line between two blocks. */
const GAP = 2;

function fill(blocks: readonly Block[], { room, limit, size }: Room): Cut<readonly Block[]> {
  const head: Block[] = [];
  let left = room;
  for (const [index, block] of blocks.entries()) {
    const needed = size(block) + GAP;
    if (needed <= left) {
      head.push(block);
      left -= needed;
      continue;
    }
    // A block that fits into a part of its own is not cut to fill a little room.
    const whole = head.length > 0 && needed <= limit && left < limit / 2;
    const cut = whole ? null : divide(block, { room: left - GAP, limit, size });
    const after = blocks.slice(index + 1);
    if (cut !== null) {
      return { head: [...head, cut.head], tail: [...cut.tail, ...after] };
    }
    return head.length > 0 ? withoutHeading(head, [block, ...after]) : { head: [block], tail: after };
  }
  return { head, tail: [] };
}

/** Moves a heading at the end of a part to the next part, where its content is. */
function withoutHeading(head: readonly Block[], tail: readonly Block[]): Cut<readonly Block[]> {
  const last = head.at(-1);
  return head.length > 1 && last?.kind === 'text' && last.text.startsWith('#')
    ? { head: head.slice(0, -1), tail: [last, ...tail] }
    : { head, tail };
}

const CONTINUED = ' (continued)';

/** Cuts a block so that its first piece fits; null when no piece does. */
function divide(block: Block, room: Room): Cut<Block> | null {
  switch (block.kind) {
    case 'text':
      return null;
    case 'list':
    case 'box':
      return members(block.items, room, (items, piece) => ({
        ...block,
        ...(block.kind === 'box' && piece === 'next' ? { title: continued(block.title) } : {}),
        items,
      }));
    case 'table':
      return members(block.rows, room, (rows) => ({ ...block, rows }));
    case 'code':
      return members(
        room.size(block) > room.limit ? shortened(block.lines, room) : block.lines,
        room,
        (lines, piece) => ({
          ...block,
          title: piece === 'next' && block.title !== '' ? continued(block.title) : block.title,
          lines,
        }),
      );
    case 'fold': {
      const empty = { ...block, body: [] };
      const inner = room.room - room.size(empty) - GAP;
      const cut = fill(block.body, { ...room, room: inner, limit: room.limit - room.size(empty) - GAP });
      return inner <= 0 || cut.tail.length === 0 || room.size({ ...block, body: cut.head }) > room.room
        ? null
        : {
            head: { ...block, body: cut.head },
            tail: [{ ...block, summary: continued(block.summary), body: cut.tail }],
          };
    }
    default:
      return assertNever(block);
  }
}

function continued(title: string): string {
  return title.endsWith(CONTINUED) ? title : `${title}${CONTINUED}`;
}

/** Cuts a block after as many members as fit; `make` builds a block of some members. */
function members<T>(
  all: readonly T[],
  { room, size }: Room,
  make: (some: readonly T[], piece: 'first' | 'next') => Block,
): Cut<Block> | null {
  let fits = 0;
  for (let least = 1, most = all.length; least <= most;) {
    const middle = Math.floor((least + most) / 2);
    if (size(make(all.slice(0, middle), 'first')) <= room) {
      fits = middle;
      least = middle + 1;
    } else {
      most = middle - 1;
    }
  }
  return fits === 0
    ? null
    : { head: make(all.slice(0, fits), 'first'), tail: [make(all.slice(fits), 'next')] };
}

/** Breaks lines so that none is longer than a quarter of a part. */
function shortened(lines: readonly string[], { limit }: Room): readonly string[] {
  const most = Math.max(1, Math.floor(limit / 4));
  return lines.flatMap((line) => {
    const chars = line.length <= most ? [] : Array.from(line);
    const sign = line.slice(0, 2);
    return chars.length === 0
      ? [line]
      : Array.from({ length: Math.ceil(chars.length / most) }, (_, index) => {
          const piece = chars.slice(index * most, (index + 1) * most).join('');
          return index === 0 ? piece : `${sign}${piece}`;
        });
  });
}
