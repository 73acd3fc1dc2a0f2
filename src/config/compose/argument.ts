import { parseExpression } from '../../expression/index.ts';
import { isJsonArray } from '../../model/json.ts';
import type { JsonValue } from '../../model/json.ts';
import { oneOfThese } from '../schema/suggest.ts';
import { kindOfValue } from './variable.ts';
import type { VariableContent, VariableValue } from './variable.ts';

/** Kinds of values that parameters and variables of the environment have. */
export type ValueType = 'string' | 'integer' | 'number' | 'boolean' | 'list' | 'expression';

/** What a value has to be. */
export interface Expected {
  readonly type: ValueType;
  readonly enum?: readonly (string | number)[] | undefined;
}

/** Why a value is wrong, as the end of a sentence. */
export interface ArgumentProblem {
  readonly message: string;
  readonly hint?: string | undefined;
}

const WANTED: Readonly<Record<ValueType, string>> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  list: 'a list of texts and numbers',
  expression: 'the text of an expression',
};

/** What is wrong with the value of a parameter; undefined when nothing is. */
export function argumentProblem(expected: Expected, value: JsonValue): ArgumentProblem | undefined {
  if (!isValue(value) || !FITS[expected.type](value)) {
    const written = typeof value === 'object' ? kindOfValue(value) : JSON.stringify(value);
    const quoted = expected.type === 'string' && typeof value !== 'object';
    return {
      message: `is ${written}, but must be ${WANTED[expected.type]}`,
      hint: quoted ? `if it is meant as a text, put it in quotes: "${value}"` : undefined,
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

/** What an argument stands for. */
export function argumentContent(type: ValueType, value: VariableValue): VariableContent {
  return type === 'expression' ? { kind: 'expression', text: String(value) } : { kind: 'value', value };
}

/** Whether a value can be that of a variable at all. */
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

/** It has to be a condition by itself, so that parentheses around it keep it together. */
function expressionProblem(text: string): ArgumentProblem | undefined {
  const parsed = parseExpression(text);
  return parsed.ok ? undefined : { message: `is no expression by itself: ${parsed.error.message}` };
}
