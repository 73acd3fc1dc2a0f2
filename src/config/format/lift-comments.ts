import type { CST } from 'yaml';

type Collection = CST.BlockMap | CST.BlockSequence;

/**
 * Gives each comment to the key below it, in place. Where a comment that is indented deeper stands before it, the parser leaves both at the end of
 * the value above.
 */
export function liftComments(token: CST.Token): CST.Token {
  if (token.type === 'document' && isCollection(token.value)) {
    token.end = [...liftOut(token.value, token.value.indent), ...(token.end ?? [])];
  }
  return token;
}

/** Takes out of a collection's end what begins with a comment left of a column, and returns it. */
function liftOut(collection: Collection, column: number): readonly CST.SourceToken[] {
  const { items } = collection;
  for (let index = 0; index < items.length; index += 1) {
    const value = items[index]?.value;
    if (isCollection(value)) {
      const next = items[index + 1];
      // A list may stand in the column of the keys around it: a comment there is of the key below, if there is one.
      const level = value.indent === collection.indent && next?.key !== undefined ? 1 : 0;
      const lifted = liftOut(value, value.indent + level);
      if (next !== undefined) {
        next.start.unshift(...lifted);
      } else if (lifted.length > 0) {
        items.push({ start: [...lifted] });
      }
    }
  }
  const last = items.at(-1);
  return last === undefined || 'key' in last || 'sep' in last || last.value !== undefined
    ? []
    : last.start.splice(cutOf(last.start, column));
}

/** Returns the place of the first comment left of a column, or of the blank lines above it. */
function cutOf(tokens: readonly CST.SourceToken[], column: number): number {
  const first = tokens.findIndex(({ type, indent }) => type === 'comment' && indent < column);
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
