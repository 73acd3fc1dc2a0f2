import type { CST } from 'yaml';

/** A bracket that nothing closes, or that a bracket of the other kind closes. */
export interface OpenBracket {
  readonly offset: number;
  readonly closing: string;
}

/** Returns the brackets that stay open in a text, in its order. Recurses as deep as the text is nested, which is bounded. */
export function openBrackets(tokens: readonly CST.Token[]): readonly OpenBracket[] {
  return tokens.flatMap((token) => openIn(token));
}

/** Whether an offset of a text lies inside brackets. */
export function isInBrackets(tokens: readonly CST.Token[], offset: number): boolean {
  return tokens.some((token) => isInside(token, offset));
}

function isInside(token: CST.Token | null | undefined, offset: number): boolean {
  if (token?.type === 'document') {
    return isInside(token.value, offset);
  }
  if (token === null || token === undefined || !('items' in token)) {
    return false;
  }
  if (token.type === 'flow-collection' && token.start.offset < offset) {
    const [end] = token.end;
    return end === undefined || offset <= end.offset;
  }
  return token.items.some(({ key, value }) => isInside(key, offset) || isInside(value, offset));
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
