import { shownText } from './conceal.ts';
import { isId } from './scope.ts';

/** A ref that a plan makes of what a rule says, where nobody gave one (`name-rules.ts`). */
const MADE_UP = /^rw-[0-9a-f]{16}$/u;

/** More of a description does not fit beside the name of a rule. */
const LONGEST = 140;

/** Whether a ref tells people which rule it is: one that is only an id, or made up, does not. */
export function isTelling(ref: string): boolean {
  return !isId(ref) && !MADE_UP.test(ref);
}

/** A rule as people know it: by its ref, or by its description where the ref tells them nothing. */
export function describedName(ref: string, description: string): string {
  const called = calledName(ref, description);
  return called === '' ? ref : `“${called}” (${ref})`;
}

/** The same without the ref that tells nothing, where the rule is plain all the same. */
export function shortName(ref: string, description: string): string {
  const called = calledName(ref, description);
  return called === '' ? ref : `“${called}”`;
}

/** What a rule of which the ref tells nothing is called instead: its description. Empty for others. */
export function calledName(ref: string, description: string): string {
  return isTelling(ref) ? '' : beginning(description);
}

/** How documents name a rule. */
export interface RuleName {
  readonly rule: string;
  /** Of a rule the `ref` of which tells nothing. */
  readonly description?: string;
}

/** A rule as documents name it. */
export function ruleName(ref: string, description: string): RuleName {
  return { rule: ref, ...descriptionBeside(ref, description) };
}

/** The description that goes along with a ref in a document, where that tells people nothing. */
export function descriptionBeside(ref: string, description: string): Pick<RuleName, 'description'> {
  return isTelling(ref) || description === '' ? {} : { description };
}

/** As much of a description as stands beside the name of a rule. */
export function beginning(description: string): string {
  const text = shownText(description);
  const characters = text.length > LONGEST ? Array.from(text) : [];
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST).join('')}…` : text;
}
