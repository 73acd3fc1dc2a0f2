import type { FilledVariable } from '../yaml/filled-text.ts';

/** What a variable can hold. */
export type VariableValue = string | number | boolean | readonly (string | number)[];

/** What stands behind a name. */
export type VariableContent =
  | { readonly kind: 'value'; readonly value: VariableValue }
  /** A condition of the rules language, as the argument of a pack. */
  | { readonly kind: 'expression'; readonly text: string }
  /** A value that stands in no output; `reference` stands for it everywhere. */
  | { readonly kind: 'sensitive'; readonly env: string; readonly reference: string }
  /** The environment variable is not set, and there is no default. */
  | { readonly kind: 'unset'; readonly env: string }
  /** It has a finding of its own; what it stands in is not looked at. */
  | { readonly kind: 'broken' };

/** A variable, or an argument of a pack. */
export interface Variable extends FilledVariable {
  readonly content: VariableContent;
  /** The one of the same name that it takes the place of: whoever uses this one has use for that, too. */
  readonly shadows?: Variable;
}

/** The variables that a place can name. */
export type Variables = ReadonlyMap<string, Variable>;

/** How a message calls what a variable holds. */
export function kindOfContent(content: VariableContent): string {
  switch (content.kind) {
    case 'value':
      return kindOfValue(content.value);
    case 'expression':
      return 'an expression';
    default:
      return 'a text';
  }
}

/** How a message calls a value. */
export function kindOfValue(value: unknown): string {
  if (Array.isArray(value)) {
    return 'a list';
  }
  return KINDS.get(typeof value) ?? (value === null ? 'nothing' : 'a mapping');
}

const KINDS: ReadonlyMap<string, string> = new Map([
  ['string', 'a text'],
  ['number', 'a number'],
  ['boolean', 'a boolean'],
]);
