/**
 * Whether a text matches a pattern in which `*` stands for any text, even none. Each part is searched once from left to right, so hostile
 * patterns cost no more than others.
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

/** Excludes characters that are wildcards in other pattern languages and would be literal here; same as `refPattern` of the schemas. */
export const STAR_PATTERN = /^[^{}[\]()?!|^$\\,]+$/;
