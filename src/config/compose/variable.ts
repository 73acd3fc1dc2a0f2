import { checkExpression, parseExpression } from '../../expression/index.ts';
import { isJsonArray } from '../../model/json.ts';
import type { JsonValue } from '../../model/json.ts';
import { oneOfThese } from '../schema/suggest.ts';
import type { FilledVariable } from '../yaml/yaml-document.ts';

/** Types that parameters and variables of the environment can have. */
export type ValueType = 'string' | 'integer' | 'number' | 'boolean' | 'list' | 'expression';

/** What a value is required to be. */
interface Expected {
  readonly type: ValueType;
  readonly enum?: readonly (string | number)[] | undefined;
}

/** What is wrong with a value, as the end of a sentence. */
interface ArgumentProblem {
  readonly message: string;
  readonly hint?: string | undefined;
}

const WANTED: Readonly<Record<ValueType, string>> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  list: 'a list of strings and numbers',
  expression: 'the text of an expression',
};

/** Returns what is wrong with the value of a parameter; undefined when nothing is. */
export function argumentProblem(expected: Expected, value: JsonValue): ArgumentProblem | undefined {
  if (!isValue(value) || !FITS[expected.type](value)) {
    const written = typeof value === 'object' ? kindOfValue(value) : JSON.stringify(value);
    const quoted = expected.type === 'string' && typeof value !== 'object';
    return {
      message: `is ${written}, but must be ${WANTED[expected.type]}`,
      hint: quoted ? `if it is meant as a string, put it in quotes: "${value}"` : undefined,
    };
  }
  const choices = expected.enum;
  const items = typeof value === 'object' ? value : [value];
  const wrong =
    choices === undefined ? undefined : items.find((item) => !choices.some((one) => one === item));
  if (wrong !== undefined) {
    return {
      message: `is ${JSON.stringify(wrong)}, which is not one of those allowed`,
      hint: `allowed are ${oneOfThese(choices ?? [], 'and')}`,
    };
  }
  return expected.type === 'expression' && typeof value === 'string' ? expressionProblem(value) : undefined;
}

/** Returns the content of an argument. */
export function argumentContent(type: ValueType, value: VariableValue): VariableContent {
  return type === 'expression' ? { kind: 'expression', text: String(value) } : { kind: 'value', value };
}

/** Whether a value can be that of any variable. */
export function isValue(value: JsonValue): value is VariableValue {
  return isJsonArray(value)
    ? value.every((item) => typeof item === 'string' || typeof item === 'number')
    : typeof value !== 'object';
}

const FITS: Readonly<Record<ValueType, (value: VariableValue) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: (value) => Number.isSafeInteger(value),
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  list: (value) => typeof value === 'object',
  expression: (value) => typeof value === 'string',
};

/** Requires a condition that is complete by itself, so that parentheses around it keep it together. */
function expressionProblem(text: string): ArgumentProblem | undefined {
  const [found] = parseExpression(text).ok ? [] : checkExpression(text).findings;
  return found && { message: `is not a valid expression: ${found.message}`, hint: found.hint };
}

/** A value that a variable can hold. */
export type VariableValue = string | number | boolean | readonly (string | number)[];

/** The content of a variable. */
export type VariableContent =
  | { readonly kind: 'value'; readonly value: VariableValue }
  /** A condition of the rules language, given as an argument of a pack. */
  | { readonly kind: 'expression'; readonly text: string }
  /** A value that appears in no output; `reference` stands for it everywhere. */
  | { readonly kind: 'sensitive'; readonly env: string; readonly reference: string }
  /** The environment variable is not set, and there is no default. */
  | { readonly kind: 'unset'; readonly env: string }
  /** The variable has a finding of its own; texts that use it are not checked. */
  | { readonly kind: 'broken' };

/** A variable, or an argument of a pack. */
export interface Variable extends FilledVariable {
  readonly content: VariableContent;
  /** The weaker variable of the same name that this one replaces; a use of this one counts as a use of that one. */
  readonly shadows?: Variable;
}

/** The variables that a place can name. */
export type Variables = ReadonlyMap<string, Variable>;

/** Returns how a message names the content of a variable. */
export function kindOfContent(content: VariableContent): string {
  switch (content.kind) {
    case 'value':
      return kindOfValue(content.value);
    case 'expression':
      return 'an expression';
    default:
      return 'a string';
  }
}

/** Returns how a message names a value. */
export function kindOfValue(value: unknown): string {
  if (Array.isArray(value)) {
    return 'a list';
  }
  return KINDS.get(typeof value) ?? (value === null ? 'nothing' : 'a mapping');
}

const KINDS: ReadonlyMap<string, string> = new Map([
  ['string', 'a string'],
  ['number', 'a number'],
  ['boolean', 'a boolean'],
]);
