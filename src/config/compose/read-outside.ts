import type { ValueType } from './argument.ts';
import type { VariableValue } from './variable.ts';

/** A value, or what is wrong with its text, as the end of a sentence. The text itself is not said: it may be a secret. */
export type ReadOutside =
  | { readonly kind: 'value'; readonly value: VariableValue }
  | { readonly kind: 'wrong'; readonly message: string };

/** Reads a value of the environment or the command line as the type that is wanted; a list has commas between its items. */
export function readOutside(type: ValueType, text: string): ReadOutside {
  switch (type) {
    case 'integer':
    case 'number':
      return readNumber(type, text);
    case 'boolean':
      return text === 'true' || text === 'false'
        ? { kind: 'value', value: text === 'true' }
        : { kind: 'wrong', message: 'is not `true` or `false`' };
    case 'list':
      return {
        kind: 'value',
        value: text.trim() === '' ? [] : text.split(',').map((item) => itemOf(item.trim())),
      };
    default:
      return { kind: 'value', value: text };
  }
}

function readNumber(type: 'integer' | 'number', text: string): ReadOutside {
  const number = NUMBER.test(text) ? Number(text) : Number.NaN;
  const right = type === 'integer' ? Number.isSafeInteger(number) : Number.isFinite(number);
  return right
    ? { kind: 'value', value: number }
    : { kind: 'wrong', message: type === 'integer' ? 'is not a whole number' : 'is not a number' };
}

const NUMBER = /^-?\d+(?:\.\d+)?$/u;

/** An item is a number where it can be nothing else: as YAML would read it. */
function itemOf(text: string): string | number {
  return /^-?(?:0|[1-9]\d*)$/u.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : text;
}
