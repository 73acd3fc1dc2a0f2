import { isId } from './scope.ts';

/** A ref that a plan makes of what a rule says, where nobody gave one (`name-rules.ts`). */
const MADE_UP = /^rw-[0-9a-f]{16}$/u;

/** Whether a ref tells people which rule it is: one that is only an id, or made up, does not. */
export function isTelling(ref: string): boolean {
  return !isId(ref) && !MADE_UP.test(ref);
}

/** A rule as people know it: by its ref, or by its description where the ref tells them nothing. */
export function describedName(ref: string, description: string): string {
  return isTelling(ref) || description === '' ? ref : `“${description}” (${ref})`;
}
