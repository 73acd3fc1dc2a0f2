/**
 * Splits a text into the lines of a folded block, which reads them as the same text; undefined where a folded block cannot hold it. An expression
 * breaks before `and`, `or` and `xor` where it can, and never inside a string.
 */
export function foldLines(text: string, width: number): readonly string[] | undefined {
  if (text === '' || /[\n\r\t]/u.test(text) || text.startsWith(' ') || text.endsWith(' ')) {
    return undefined;
  }
  const lines: string[] = [];
  let start = 0;
  let lastJoin: number | undefined;
  let lastGap: number | undefined;
  const breakAt = (gap: number): void => {
    lines.push(text.slice(start, gap));
    start = gap + 1;
    lastJoin = undefined;
    lastGap = undefined;
  };
  for (const { at, joins } of [...gapsIn(text), { at: text.length, joins: false }]) {
    // Breaks before the last joining word of the line so far, or else at its last gap.
    if (at - start > width) {
      const gap = lastJoin ?? lastGap;
      if (gap !== undefined) {
        breakAt(gap);
      }
    }
    if (at > start) {
      lastGap = at;
      lastJoin = joins ? at : lastJoin;
    }
  }
  return [...lines, text.slice(start)];
}

/** Returns the single spaces outside of quotes, at which a line may end, and whether one stands before `and`, `or` or `xor`. */
function gapsIn(text: string): readonly { readonly at: number; readonly joins: boolean }[] {
  const gaps: { readonly at: number; readonly joins: boolean }[] = [];
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (quoted && character === '\\') {
      at += 1;
    } else if (character === '"') {
      quoted = !quoted;
    } else if (!quoted && character === ' ' && text[at - 1] !== ' ' && text[at + 1] !== ' ') {
      gaps.push({ at, joins: /^ (?:and|or|xor) /u.test(text.slice(at, at + 5)) });
    }
  }
  return gaps;
}
