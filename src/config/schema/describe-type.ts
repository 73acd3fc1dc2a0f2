import type { JsonValue } from '../../model/json.ts';
import { isJsonArray, isJsonObject } from '../../model/json.ts';
import type { ErrorText } from './describe-error.ts';
import { repairScalar } from './repair-scalar.ts';
import { allowedBy, nameOf } from './schema-error.ts';
import type { SchemaError } from './schema-error.ts';

const NAMES: ReadonlyMap<string, string> = new Map([
  ['string', 'a text'],
  ['integer', 'a whole number'],
  ['number', 'a number'],
  ['boolean', '`true` or `false`'],
  ['array', 'a list'],
  ['object', 'a mapping of keys'],
]);

/** A value of another type than the schema wants. */
export function describeType(error: SchemaError): ErrorText {
  const wanted = allowedBy(error);
  const repair = repairScalar(error);
  return {
    code: 'schema/wrong-type',
    message: `${nameOf(error)} has to be ${wanted.map((type) => NAMES.get(type) ?? type).join(' or ')}, not ${typeName(error.value)}`,
    hint: repair?.hint ?? typeHint(error, wanted),
    ...(repair?.place === undefined ? {} : { fixable: true }),
  };
}

function typeHint({ value, path }: SchemaError, wanted: readonly string[]): string | undefined {
  if (wanted.includes('string') && (isJsonArray(value) || isJsonObject(value))) {
    const [only, ...others] = isJsonArray(value) ? value : [];
    return typeof only === 'string' && others.length === 0
      ? `write \`${only}\` without brackets, or in quotes if they belong to it`
      : path.at(-1) === 'expression'
        ? 'write one condition, with `and` and `or` between its parts'
        : 'a text that begins with `[` or `{` needs quotes';
  }
  if (wanted.includes('object') && isJsonArray(value)) {
    return 'keys of a mapping have no `- ` before them';
  }
  if (wanted.includes('array') && isJsonObject(value)) {
    return 'each item of a list begins with `- `';
  }
  if (wanted.includes('array') && typeof value === 'string') {
    return `write a list of one: [${value}]`;
  }
  return undefined;
}

function typeName(value: JsonValue): string {
  if (isJsonArray(value)) {
    return 'a list';
  }
  if (isJsonObject(value)) {
    return 'a mapping of keys';
  }
  const text = JSON.stringify(value);
  const shown = text.length > 40 ? `${text.slice(0, 37)}...` : text;
  return typeof value === 'string' ? `the text ${shown}` : shown;
}
