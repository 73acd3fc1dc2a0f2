import { isScalar } from 'yaml';

import type { JsonValue } from '../../model/json.ts';
import { isJsonArray, isJsonObject } from '../../model/json.ts';
import { scalarAt } from '../yaml/yaml-document.ts';
import type { ErrorText } from './describe-error.ts';
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

/** Words that YAML 1.1 reads as booleans and YAML 1.2 as text. */
const OLD_BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['yes', true],
  ['y', true],
  ['on', true],
  ['no', false],
  ['n', false],
  ['off', false],
]);

/** A value of another type than the schema wants. */
export function describeType(error: SchemaError): ErrorText {
  const wanted = allowedBy(error);
  return {
    code: 'schema/wrong-type',
    message: `${nameOf(error)} has to be ${wanted.map((type) => NAMES.get(type) ?? type).join(' or ')}, not ${typeName(error.value)}`,
    hint: typeHint(error, wanted),
  };
}

function typeHint(error: SchemaError, wanted: readonly string[]): string | undefined {
  const { value } = error;
  if (wanted.includes('boolean') && typeof value === 'string') {
    const meant = OLD_BOOLEANS.get(value.toLowerCase());
    return meant === undefined ? undefined : `YAML 1.2 reads \`${value}\` as text; write \`${meant}\``;
  }
  if (wanted.includes('string') && (typeof value === 'number' || typeof value === 'boolean')) {
    const scalar = scalarAt(error.document, error.path);
    const source = isScalar(scalar) ? (scalar.source ?? String(value)) : String(value);
    return `put it in quotes: "${source}"`;
  }
  if ((wanted.includes('integer') || wanted.includes('number')) && typeof value === 'string') {
    return /^[0-9_]+$/.test(value) ? `write ${value.replaceAll('_', '')} without quotes` : undefined;
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
