import { isCollection, isScalar } from 'yaml';
import type { Pair } from 'yaml';

/** Leaves the comment in the line of a key there, which the library would write above the first line of the key's value. */
export function keepBehindKey({ key, value }: Pair, text: string): void {
  if (!isScalar(key) || !isCollection(value) || value.flow === true || !key.range) {
    return;
  }
  const behind = /^:[^\n]*?[ \t]#([^\r\n]*)/u.exec(text.slice(key.range[1], value.range?.[0]))?.[1];
  const comment = value.commentBefore;
  if (behind !== undefined && (comment === behind || comment?.startsWith(`${behind}\n`) === true)) {
    key.comment = behind;
    value.commentBefore = comment.slice(behind.length + 1);
  }
}
