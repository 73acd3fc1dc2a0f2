import { isScalar } from 'yaml';
import type { Pair, Scalar, YAMLMap } from 'yaml';

import type { KeyOrder } from './key-order.ts';

/** Where a mapping stands: the file itself, the value of a key, an item of a list. */
export type Place = 'file' | 'value' | 'item';

/** Whether a comment that suppresses findings is about the line of a key. */
export type IsCovered = (key: Scalar) => boolean;

/** Puts the keys of a mapping in order, each with the comments above it. */
export function orderMap(map: YAMLMap, keys: KeyOrder, place: Place, isCovered: IsCovered): void {
  const before = keyOf(map);
  // What suppresses findings in the line of a dash suppresses those of the key behind it, which therefore stays there.
  const fixed =
    place === 'item' && map.flow !== true && before !== undefined && isCovered(before) ? before : undefined;
  const rank = ({ key }: Pair): number => {
    if (key === fixed) {
      return -1;
    }
    const index = isScalar(key) && typeof key.value === 'string' ? keys.indexOf(key.value) : -1;
    return index === -1 ? keys.length : index;
  };
  map.items.sort((a, b) => rank(a) - rank(b));
  const now = keyOf(map);
  if (before === undefined || now === undefined || before === now) {
    return;
  }
  if (place === 'item' || map.flow === true) {
    // The comment before a key that has become the first one of a list item goes before the item's dash.
    map.commentBefore = joined(map.commentBefore, now.commentBefore);
    now.commentBefore = null;
    now.spaceBefore = false;
    return;
  }
  const { ofMap, ofKey } = split(joined(map.commentBefore, before.commentBefore) ?? '', place);
  before.commentBefore = ofKey;
  before.spaceBefore = before.spaceBefore === true || now.spaceBefore === true;
  // A blank line below it would make it a comment of the whole mapping.
  const own = now.commentBefore?.replaceAll(/\n{2,}|\n$/gu, (blank) => (blank === '\n' ? '' : '\n'));
  now.commentBefore = place === 'file' ? joined(ofMap, own) : (own ?? null);
  now.spaceBefore = false;
  map.commentBefore = place === 'file' ? null : ofMap;
}

function keyOf(map: YAMLMap): Scalar | undefined {
  const key = map.items[0]?.key;
  return isScalar(key) ? key : undefined;
}

type Comment = string | null | undefined;

function joined(...comments: readonly Comment[]): string | null {
  const said = comments.filter((text) => typeof text === 'string' && text !== '');
  return said.length === 0 ? null : said.join('\n');
}

/** The comment that names a file's schema for editors, which look for it at the top. */
const MODELINE = /^ *yaml-language-server:/u;

/** Splits what stands above the first key: a comment above a blank line, or a file's modeline and what is above it, is of the mapping. */
function split(
  comment: string,
  place: Place,
): { readonly ofMap: string | null; readonly ofKey: string | null } {
  const lines = comment.split('\n');
  const end = lines.findLastIndex((line) => line === '' || (place === 'file' && MODELINE.test(line))) + 1;
  return { ofMap: joined(lines.slice(0, end).join('\n')), ofKey: joined(lines.slice(end).join('\n')) };
}
