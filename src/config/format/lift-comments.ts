import type { CST } from 'yaml';
import { MARKER } from '../yaml/suppression-comments.ts';

type Collection = CST.BlockMap | CST.BlockSequence;

/**
 * Gives each comment to the key below it, in place. Where a comment that is indented deeper stands before it, the parser leaves both at the end of
 * the value above. One that suppresses findings is of the key below wherever it begins.
 */
export function liftComments(token: CST.Token): CST.Token {
  if (token.type === 'document' && isCollection(token.value)) {
    token.end = [...liftOut(token.value, token.value.indent), ...(token.end ?? [])];
  }
  return token;
}

/** Takes out of a collection's end what begins with a comment of what is below the collection, and returns it. */
function liftOut(collection: Collection, column: number): readonly CST.SourceToken[] {
  const { items } = collection;
  for (let index = 0; index < items.length; index += 1) {
    const next = items[index + 1];
    const lifted = liftFrom(items[index]?.value, next?.key === undefined ? undefined : collection.indent);
    if (next !== undefined) {
      next.start.unshift(...lifted);
    } else if (lifted.length > 0) {
      items.push({ start: [...lifted] });
    }
  }
  const last = items.at(-1);
  return last === undefined || 'key' in last || 'sep' in last || last.value !== undefined
    ? []
    : last.start.splice(cutOf(last.start, column));
}

/** Takes out of a value, or the lines below it, what is of the key below, and returns it; `keys` is the column of that key, if there is one. */
function liftFrom(value: CST.Token | null | undefined, keys: number | undefined): readonly CST.SourceToken[] {
  if (isCollection(value)) {
    // A list may stand in the column of the keys around it: a comment there is of the key below.
    return liftOut(value, value.indent + (value.indent === keys ? 1 : 0));
  }
  if (value === null || value === undefined || !('end' in value) || value.end === undefined) {
    return [];
  }
  const line = value.end.findIndex(({ type }) => type === 'newline');
  const first = value.end.findIndex((token, at) => line !== -1 && at > line && suppresses(token));
  return first === -1 ? [] : value.end.splice(first);
}

function suppresses({ type, source }: CST.SourceToken): boolean {
  return type === 'comment' && source.includes(MARKER);
}

/** Returns the place of the first comment that is left of a column or suppresses findings, or of the blank lines above it. */
function cutOf(tokens: readonly CST.SourceToken[], column: number): number {
  const first = tokens.findIndex(
    (token) => token.type === 'comment' && (token.indent < column || suppresses(token)),
  );
  if (first === -1) {
    return tokens.length;
  }
  let cut = first;
  while (cut > 1 && isBlank(tokens[cut - 1]) && tokens[cut - 2]?.type !== 'comment') {
    cut -= 1;
  }
  return cut;
}

function isBlank(token: CST.SourceToken | undefined): boolean {
  return token?.type === 'space' || token?.type === 'newline';
}

function isCollection(token: CST.Token | null | undefined): token is Collection {
  return token?.type === 'block-map' || token?.type === 'block-seq';
}
