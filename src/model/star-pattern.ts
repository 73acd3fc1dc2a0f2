/**
 * Whether a text matches a pattern, in which `*` stands for any text, none included. Parts are looked for from left to
 * right, each once, so hostile patterns cost no more than others.
 */
export function matchesStars(pattern: string, text: string): boolean {
  const [head = '', ...rest] = pattern.split('*');
  const tail = rest.pop();
  if (tail === undefined) {
    return text === pattern;
  }
  if (!text.startsWith(head)) {
    return false;
  }
  let at = head.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found === -1) {
      return false;
    }
    at = found + part.length;
  }
  return at <= text.length - tail.length && text.endsWith(tail);
}

/** Characters that mean something in patterns elsewhere, and would be taken for themselves here; `refPattern` of the schemas has the same. */
export const STAR_PATTERN = /^[^{}[\]()?!|^$\\,]+$/;
