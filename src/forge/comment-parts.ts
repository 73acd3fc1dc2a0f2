import type { Block } from '../report/markdown/block.ts';
import { blocksText } from '../report/markdown/block.ts';
import { fitBlocks } from '../report/markdown/fit-blocks.ts';
import type { Marker } from './marker.ts';
import { markerText } from './marker.ts';

/** A message to post, before it is split to the forge's limit. Title and footer are finished Markdown. */
export interface Message {
  readonly marker: Marker;
  readonly title: string;
  /** Said on top of the first part; null for nothing. */
  readonly notice: string | null;
  readonly blocks: readonly Block[];
  readonly footer: string;
}

/** Room for title, notice, footer and marker. */
const RESERVED = 4000;

/** So many comments at most: nobody reads more, and each of them notifies people. */
const MOST_PARTS = 5;

/** Splits a message into comment bodies within the limit; several are numbered. The first and the last say what fits into none. */
export function commentParts(message: Message, limit: number): readonly string[] {
  const { marker, title, notice, blocks, footer } = message;
  const { parts, rest } = fitBlocks(blocks, { limit: limit - RESERVED, most: MOST_PARTS });
  const count = Math.max(1, parts.length);
  return Array.from({ length: count }, (_, index) => {
    const number = count === 1 ? '' : ` (part ${index + 1} of ${count})`;
    const left = rest === null ? [] : [blocksText([rest])];
    return [
      `${markerText(marker)}\n### ${title}${number}`,
      ...(index === 0 && notice !== null ? [notice] : []),
      ...(index === 0 ? left : []),
      blocksText(parts[index] ?? []),
      ...(index > 0 && index === count - 1 ? left : []),
      footer,
    ].join('\n\n');
  });
}

const NOTICE = /<!-- rulewright:notice -->[\s\S]*?<!-- rulewright:notice-end -->/;

/** A notice that can be found and replaced in a text that has been posted. */
export function noticeText(markdown: string): string {
  return `<!-- rulewright:notice -->\n> [!IMPORTANT]\n> ${markdown}\n<!-- rulewright:notice-end -->`;
}

/** A posted text with another notice below its title. */
export function withNotice(body: string, notice: string): string {
  if (NOTICE.test(body)) {
    return body.replace(NOTICE, () => notice);
  }
  const [marker = '', title = '', ...rest] = body.split('\n');
  return [marker, title, '', notice, ...rest].join('\n');
}
