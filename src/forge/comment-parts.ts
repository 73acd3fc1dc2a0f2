import type { Block } from '../report/markdown/block.ts';
import { blocksText } from '../report/markdown/block.ts';
import { splitBlocks } from '../report/markdown/split-blocks.ts';
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

/** Splits a message into comment bodies within the limit; several are numbered. */
export function commentParts(message: Message, limit: number): readonly string[] {
  const { marker, title, notice, blocks, footer } = message;
  const parts = splitBlocks(blocks, limit - RESERVED);
  const count = Math.max(1, parts.length);
  return Array.from({ length: count }, (_, index) => {
    const number = count === 1 ? '' : ` (part ${index + 1} of ${count})`;
    return [
      `${markerText(marker)}\n### ${title}${number}`,
      ...(index === 0 && notice !== null ? [notice] : []),
      blocksText(parts[index] ?? []),
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
