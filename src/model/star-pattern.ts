/**
 * Whether a `ref` matches a pattern, in which `*` stands for any text. Parts are looked for from left to
 * right, each once, so hostile patterns cost no more than others.
 */
export function matchesRefPattern(pattern: string, ref: string): boolean {
  const [head = '', ...rest] = pattern.split('*');
  const tail = rest.pop();
  if (tail === undefined) {
    return ref === pattern;
  }
  if (!ref.startsWith(head) || ref.length < head.length + tail.length || !ref.endsWith(tail)) {
    return false;
  }
  let at = head.length;
  for (const part of rest) {
    const found = ref.indexOf(part, at);
    if (found === -1) {
      return false;
    }
    at = found + part.length;
  }
  return at <= ref.length - tail.length;
}
