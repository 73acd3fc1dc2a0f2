import type { CST } from 'yaml';

/**
 * The offset of the first collection that lies deeper than `limit` collections, or nothing. Walks the
 * tokens without recursion, before anything that recurses over them has run.
 */
export function findTooDeep(tokens: readonly CST.Token[], limit: number): number | undefined {
  const waiting = tokens.map((token) => ({ token, depth: 0 }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { token, depth } = next;
    if (depth > limit) {
      return 'offset' in token ? token.offset : 0;
    }
    for (const inner of innerTokens(token)) {
      waiting.push({ token: inner, depth: isCollection(token) ? depth + 1 : depth });
    }
  }
  return undefined;
}

function isCollection(token: CST.Token): boolean {
  return token.type === 'block-map' || token.type === 'block-seq' || token.type === 'flow-collection';
}

function innerTokens(token: CST.Token): readonly CST.Token[] {
  if (token.type === 'document') {
    return token.value === undefined ? [] : [token.value];
  }
  if (token.type === 'block-map' || token.type === 'block-seq' || token.type === 'flow-collection') {
    return token.items
      .flatMap((item) => [item.key, item.value])
      .filter((inner) => inner !== null && inner !== undefined);
  }
  return [];
}
