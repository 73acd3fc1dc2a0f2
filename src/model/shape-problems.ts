import { groupBy } from '../data/index.ts';
import { someNames } from '../text/index.ts';

/** An error of a compiled schema at one place of a document. */
export interface ShapeError {
  readonly keyword: string;
  /** JSON Pointer of the place; "" for the document. */
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Schema keywords whose errors only repeat more specific ones at the same place. */
const REPEATING: ReadonlySet<string> = new Set(['oneOf', 'anyOf', 'if', 'discriminator']);

/** Describes what is wrong with a document that this program should have written, one text for each place. */
export function shapeProblems(errors: readonly ShapeError[]): readonly string[] {
  const telling = errors.filter(({ keyword }) => !REPEATING.has(keyword));
  const places = groupBy(telling.length === 0 ? errors : telling, ({ instancePath }) => instancePath);
  return [...places].map(([place, members]) => {
    const missing = namesIn(members, 'required', 'missingProperty');
    const unknown = namesIn(members, 'additionalProperties', 'additionalProperty');
    const says = [
      ...(missing.length === 0 ? [] : [`has no ${someNames(missing, MAX_NAMES)}`]),
      ...(unknown.length === 0 ? [] : [`has ${someNames(unknown, MAX_NAMES)}, which is not known`]),
    ];
    const other = members.find(({ keyword }) => keyword !== 'required' && keyword !== 'additionalProperties');
    return `${place === '' ? 'it' : place} ${says.length > 0 ? says.join(' and ') : otherWords(other)}`;
  });
}

const MAX_NAMES = 3;

function namesIn(errors: readonly ShapeError[], keyword: string, param: string): readonly string[] {
  const names = errors.flatMap((error) => (error.keyword === keyword ? [error.params[param]] : []));
  return names.filter((name) => typeof name === 'string').map((name) => `\`${name}\``);
}

const TYPES: ReadonlyMap<unknown, string> = new Map([
  ['object', 'an object'],
  ['array', 'a list'],
  ['string', 'text'],
  ['integer', 'a whole number'],
  ['boolean', 'true or false'],
]);

function otherWords(error: ShapeError | undefined): string {
  const type = error?.keyword === 'type' ? TYPES.get(error.params['type']) : undefined;
  return type === undefined ? 'has a value that is not possible there' : `should be ${type} and is not`;
}
