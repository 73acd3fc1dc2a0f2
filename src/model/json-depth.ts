import { isJsonArray, isJsonObject } from './json.ts';

/**
 * Whether a value that came out of JSON is nested deeper than `limit` levels; a scalar has none. Stops one level below the limit,
 * so that depth costs no stack beyond it.
 */
export function isNestedDeeper(value: unknown, limit: number): boolean {
  if (isJsonArray(value)) {
    return limit === 0 || value.some((item) => typeof item === 'object' && isNestedDeeper(item, limit - 1));
  }
  if (!isJsonObject(value)) {
    return false;
  }
  if (limit === 0) {
    return true;
  }
  // Every answer of the service is walked through here. A list of members for each object would cost five times as much, a call for each
  // text twice.
  for (const name in value) {
    const member = value[name];
    if (typeof member === 'object' && isNestedDeeper(member, limit - 1)) {
      return true;
    }
  }
  return false;
}
