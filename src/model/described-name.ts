import { oneLine, shortened } from '../text/index.ts';
import { shownText } from './redact-likely-secrets.ts';
import { isId } from './scope.ts';

/** The form of a ref that a plan derives from a rule's content when the file gives none (`name-rules.ts`). */
const MADE_UP = /^rw-[0-9a-f]{16}$/u;

/** The most characters of a description that are shown as a rule's name. */
const LONGEST = 140;

/** Whether a ref tells people which rule it is; one that is only an id, or is made up, does not. */
export function isTelling(ref: string): boolean {
  return !isId(ref) && !MADE_UP.test(ref);
}

/** Names a rule for people: by its ref, or by description and ref if the ref is not telling. */
export function describedName(ref: string, description: string): string {
  const called = calledName(ref, description);
  return called === '' ? oneLine(ref) : `“${called}” (${oneLine(ref)})`;
}

/** Like `describedName`, but leaves out a ref that is not telling. */
export function shortName(ref: string, description: string): string {
  const called = calledName(ref, description);
  return called === '' ? oneLine(ref) : `“${called}”`;
}

/** Returns the description that names a rule whose ref is not telling; empty for other rules. */
export function calledName(ref: string, description: string): string {
  return isTelling(ref) ? '' : beginning(description);
}

/** The name of a rule in JSON documents. */
export interface RuleName {
  readonly rule: string;
  /** Present when the `ref` is not telling (`isTelling`). */
  readonly description?: string;
}

/** Builds the name of a rule for JSON documents. */
export function ruleName(ref: string, description: string): RuleName {
  return { rule: ref, ...descriptionBeside(ref, description) };
}

/** Returns the description to put beside a ref in a document; nothing if the ref is telling. */
export function descriptionBeside(ref: string, description: string): Pick<RuleName, 'description'> {
  return isTelling(ref) || description === '' ? {} : { description };
}

/** Shortens a description, secrets redacted, to what fits on one line beside a rule's name. */
export function beginning(description: string): string {
  return shortened(oneLine(shownText(description)), LONGEST);
}
