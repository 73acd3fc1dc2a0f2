import { counted } from '../../text/index.ts';
import type { Block } from './block.ts';
import { paragraph } from './block.ts';
import type { Measure } from './split-blocks.ts';
import { splitBlocks } from './split-blocks.ts';

/** The room for a document. */
interface Room {
  /** The maximum length of a part. */
  readonly limit: number;
  /** The maximum number of parts. */
  readonly most: number;
  readonly measure?: Measure;
}

/** The parts of a document that fit. */
export interface Fitted {
  readonly parts: readonly (readonly Block[])[];
  /** The note about what was left out; null when everything fits. */
  readonly rest: Block | null;
}

/** Fits as much of a document as possible into the parts, and counts the scopes that are left out. */
export function fitBlocks(blocks: readonly Block[], { limit, most, measure }: Room): Fitted {
  const parts = splitBlocks(blocks, limit, measure);
  const left = parts.slice(most).flat();
  return { parts: parts.slice(0, most), rest: left.length === 0 ? null : restBlock(left) };
}

/** Returns the note about what was left out: the least grave scopes, because the gravest come first. */
function restBlock(left: readonly Block[]): Block {
  const [first] = left;
  const scopes = left.reduce((sum, block) => sum + scopesOf(block), 0);
  const missing = [
    ...(first !== undefined && scopesOf(first) > 0 ? [] : ['the end of what is shown last']),
    ...(scopes === 0 ? [] : [counted(scopes, 'more scope')]),
  ];
  return paragraph(`**Left out here: ${missing.join(' and ')}.** ${ELSEWHERE}`);
}

const ELSEWHERE =
  "The whole is in the job's artifact (`--artifact`), in the page (`--format html`) and in the saved plan.";

function scopesOf(block: Block): number {
  return block.kind === 'text' ? (block.scopes ?? 0) : 0;
}
