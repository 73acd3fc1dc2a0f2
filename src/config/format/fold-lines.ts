/**
 * A text as lines of a folded block, which reads them as the text again; undefined where it cannot be one.
 * An expression breaks before the words that join conditions where it can, and never inside of a string.
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
    // A gap that was passed is behind the start by now.
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

/** Single spaces at which a line may end: outside of quotes, and those before `and`, `or` and `xor`. */
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
