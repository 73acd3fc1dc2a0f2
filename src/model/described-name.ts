import { isId } from './scope.ts';

/** A rule as people know it: a ref that is only an id, because nobody named the rule, tells them nothing. */
export function describedName(ref: string, description: string): string {
  return isId(ref) && description !== '' ? `“${description}” (${ref})` : ref;
}
