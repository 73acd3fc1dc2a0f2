import type { Scalar } from 'yaml';
import type { JsonValue } from '../../model/json.ts';
import { isShared, scalarAt, settle } from '../yaml/yaml-document.ts';
import type { ValuePath } from '../yaml/yaml-document.ts';
import { allowedBy } from './schema-error.ts';
import type { SchemaError } from './schema-error.ts';

/** How to rewrite a scalar of the wrong type with the right one, where there is only one way. */
export interface ScalarRepair {
  readonly hint: string;
  /** The replacement, and the value that it has. */
  readonly text: string;
  readonly value: JsonValue;
  /**
   * The scalar to replace; present where that is safe without review: it stands in the file itself, not in a pack, nor behind a variable or
   * alias.
   */
  readonly place?: { readonly path: ValuePath; readonly scalar: Scalar };
}

/** Returns how to rewrite a value of the wrong type; undefined where no one way is right. */
export function repairScalar(error: SchemaError): ScalarRepair | undefined {
  const { document, path, via } = settle(error.document, error.path);
  const scalar = scalarAt(document, path);
  // A number is no condition, with or without quotes.
  const isNoCondition = typeof error.value === 'number' && error.path.at(-1) === 'expression';
  const repair = isNoCondition ? undefined : rewrite(error.value, scalar, allowedBy(error));
  const isOwn =
    via.length === 0 && scalar?.value === error.value && !isShared(document, scalar) && !isBlock(scalar);
  return repair === undefined || scalar === undefined || !isOwn
    ? repair
    : { ...repair, place: { path, scalar } };
}

function isBlock({ type }: Scalar): boolean {
  return type?.startsWith('BLOCK') === true;
}

function rewrite(
  value: JsonValue,
  scalar: Scalar | undefined,
  wanted: readonly string[],
): ScalarRepair | undefined {
  if (wanted.includes('string') && (typeof value === 'number' || typeof value === 'boolean')) {
    const text = scalar?.source ?? String(value);
    return { hint: `put it in quotes: "${text}"`, text: `"${text}"`, value: text };
  }
  if (typeof value !== 'string') {
    return undefined;
  }
  if (wanted.includes('boolean')) {
    return asBoolean(value);
  }
  if (wanted.includes('integer') || wanted.includes('number')) {
    return asNumber(value, wanted);
  }
  return wanted.includes('array') && PLAIN_ITEM.test(value)
    ? { hint: `write a list of one: [${value}]`, text: `[${value}]`, value: [value] }
    : undefined;
}

/** Text that means the same without quotes inside brackets. */
const PLAIN_ITEM = /^[A-Za-z][\w./-]*$/u;

/** Words that YAML 1.1 reads as booleans and YAML 1.2 as text, and booleans that quotes turn into text. */
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['yes', true],
  ['y', true],
  ['on', true],
  ['true', true],
  ['no', false],
  ['n', false],
  ['off', false],
  ['false', false],
]);

function asBoolean(value: string): ScalarRepair | undefined {
  const meant = BOOLEANS.get(value.toLowerCase());
  if (meant === undefined) {
    return undefined;
  }
  const text = String(meant);
  const hint =
    value === text
      ? `write ${text} without quotes`
      : `YAML 1.2 reads \`${value}\` as text; write \`${text}\``;
  return { hint, text, value: meant };
}

function asNumber(value: string, wanted: readonly string[]): ScalarRepair | undefined {
  const digits = value.replaceAll('_', '');
  const form = wanted.includes('number')
    ? /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,6})?$/u
    : /^-?(?:0|[1-9]\d{0,14})$/u;
  return form.test(digits)
    ? { hint: `write ${digits} without quotes`, text: digits, value: Number(digits) }
    : undefined;
}
