import type { Block } from '../report/markdown/block.ts';
import { blocksText } from '../report/markdown/block.ts';
import { fitBlocks } from '../report/markdown/fit-blocks.ts';
import type { Marker } from './marker.ts';
import { markerText } from './marker.ts';

/** A message to post, before it is split to fit the forge's limit. Title and footer are finished Markdown. */
export interface Message {
  readonly marker: Marker;
  readonly title: string;
  /** Shown at the top of the first part; null for nothing. */
  readonly notice: string | null;
  readonly blocks: readonly Block[];
  readonly footer: string;
}

/** The characters reserved for title, notice, footer and marker. */
const RESERVED = 4000;

/** The maximum number of comments: nobody reads more, and each one notifies people. */
const MOST_PARTS = 5;

/** Splits a message into comment bodies within the limit, numbered if there are several. The first and the last say what was left out. */
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

/** Returns a notice that can be found and replaced in a posted text. */
export function noticeText(markdown: string): string {
  return `<!-- rulewright:notice -->\n> [!IMPORTANT]\n> ${markdown}\n<!-- rulewright:notice-end -->`;
}

/** Replaces the notice of a posted text, or adds one below its title. */
export function withNotice(body: string, notice: string): string {
  if (NOTICE.test(body)) {
    return body.replace(NOTICE, () => notice);
  }
  const [marker = '', title = '', ...rest] = body.split('\n');
  return [marker, title, '', notice, ...rest].join('\n');
}
