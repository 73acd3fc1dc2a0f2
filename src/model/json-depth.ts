/**
 * Whether a value that came out of JSON is nested deeper than `limit` levels; a scalar has none. Walks
 * level by level, so that depth costs no stack, and stops one level below the limit.
 */
export function isNestedDeeper(value: unknown, limit: number): boolean {
  let level: readonly object[] = collections([value]);
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > limit) {
      return true;
    }
    level = level.flatMap((parent) => collections(Object.values(parent)));
  }
  return false;
}

function collections(values: readonly unknown[]): readonly object[] {
  return values.filter((value): value is object => typeof value === 'object' && value !== null);
}
