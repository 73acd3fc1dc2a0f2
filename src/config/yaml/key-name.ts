import { isScalar } from 'yaml';
import type { Node } from 'yaml';

/**
 * A key as JSON has it, or nothing when it cannot be one. Of a number the text counts, so that an id made
 * of digits stays what it is.
 */
export function keyName(key: Node | null): string | undefined {
  if (!isScalar(key) || key.value === null) {
    return undefined;
  }
  return typeof key.value === 'string' ? key.value : key.source;
}
