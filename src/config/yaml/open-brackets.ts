import type { CST } from 'yaml';

/** A bracket that nothing closes, or a bracket of the other kind does. */
export interface OpenBracket {
  readonly offset: number;
  readonly closing: string;
}

/** The brackets that stay open in a text, in its order. As deep as the text is nested, which is bounded. */
export function openBrackets(tokens: readonly CST.Token[]): readonly OpenBracket[] {
  return tokens.flatMap((token) => openIn(token));
}

function openIn(token: CST.Token | null | undefined): readonly OpenBracket[] {
  if (token?.type === 'document') {
    return openIn(token.value);
  }
  if (token === null || token === undefined || !('items' in token)) {
    return [];
  }
  const inside = token.items.flatMap(({ key, value }) => [...openIn(key), ...openIn(value)]);
  if (token.type !== 'flow-collection') {
    return inside;
  }
  const { source, offset } = token.start;
  const closing = source === '{' ? '}' : ']';
  return token.end[0]?.source === closing ? inside : [{ offset, closing }, ...inside];
}
