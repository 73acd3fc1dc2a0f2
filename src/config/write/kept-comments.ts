import { commentsInOrder } from '../format/comments-of.ts';
import { LIVE_ONLY, isAboutParameter } from './rule-document.ts';

/** What takes the place of a text, with the comments before it that it would lose. */
export function withKeptComments(fresh: string, old: string, column: number): string {
  return (
    keptComments(fresh, old)
      .map((comment) => `${comment}\n${' '.repeat(column)}`)
      .join('') + fresh
  );
}

/**
 * The comments of a text that are not in what takes its place. Those go that an import wrote about what it writes anew, and those
 * behind the id of something that is no more.
 */
export function keptComments(fresh: string, old: string): readonly string[] {
  const told = new Set(commentsInOrder(fresh));
  const lines = old.split('\n');
  return commentsInOrder(old).filter((comment) => {
    const line = lines.find((one) => one.trimEnd().endsWith(comment));
    const id = /\bid: *["']?(?<id>[0-9a-f]{32})/u.exec(line ?? '')?.groups?.['id'];
    const isGone = id !== undefined && !fresh.includes(id);
    return !told.has(comment) && !isGone && !isAboutParameter(comment) && !comment.includes(LIVE_ONLY.trim());
  });
}
