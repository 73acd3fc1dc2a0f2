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
  /** The gaps of the line so far. */
  let passed: readonly Gap[] = [];
  for (const gap of [...gapsIn(text), { at: text.length, joins: false }]) {
    while (gap.at - start > width && passed.length > 0) {
      const end = passed.findLast(({ joins }) => joins) ?? passed.at(-1) ?? gap;
      lines.push(text.slice(start, end.at));
      start = end.at + 1;
      passed = passed.filter(({ at }) => at > end.at);
    }
    passed = [...passed, gap];
  }
  return [...lines, text.slice(start)];
}

/** A single space outside of quotes, at which a line may end. */
interface Gap {
  readonly at: number;
  /** Whether it stands before `and`, `or` or `xor`. */
  readonly joins: boolean;
}

function gapsIn(text: string): readonly Gap[] {
  const gaps: Gap[] = [];
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
