import { counted } from '../../model/count.ts';
import type { Block } from './block.ts';
import { paragraph } from './block.ts';
import type { Measure } from './split-blocks.ts';
import { splitBlocks } from './split-blocks.ts';

/** How much room there is. */
interface Room {
  /** Length of a part. */
  readonly limit: number;
  /** So many parts at most. */
  readonly most: number;
  readonly measure?: Measure;
}

/** What fits, in parts. */
export interface Fitted {
  readonly parts: readonly (readonly Block[])[];
  /** What has to be said of the rest; null where all fits. */
  readonly rest: Block | null;
}

/** As much of a document as fits into so many parts; what is left out is counted by scopes. */
export function fitBlocks(blocks: readonly Block[], { limit, most, measure }: Room): Fitted {
  const parts = splitBlocks(blocks, limit, measure);
  const left = parts.slice(most).flat();
  return { parts: parts.slice(0, most), rest: left.length === 0 ? null : restBlock(left) };
}

/** The gravest scopes come first, so what is left out is the least. */
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
