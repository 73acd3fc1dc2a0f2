import { CATALOGUE, LISTED_TYPES } from '../../src/expression/language/catalogue.ts';
import { compileExpression } from '../../src/expression/evaluate/compile-expression.ts';
import type { EvaluationOptions } from '../../src/expression/functions/function.ts';
import { parseExpression } from '../../src/expression/parse/parse-expression.ts';
import { BOOL, parseType } from '../../src/expression/values/type.ts';
import type { Type } from '../../src/expression/values/type.ts';
import { readValues, valueToJson } from '../../src/expression/values/read-json.ts';

/** The fields of the tests: two of each kind, short names. */
export const SCHEME: ReadonlyMap<string, Type> = new Map<string, Type>([
  ...Object.entries({
    b1: 'Bool',
    b2: 'Bool',
    i1: 'Int',
    i2: 'Int',
    s1: 'Bytes',
    s2: 'Bytes',
    ip1: 'Ip',
    ip2: 'Ip',
    ab: 'Array<Bool>',
    ai: 'Array<Int>',
    as: 'Array<Bytes>',
    aip: 'Array<Ip>',
    aas: 'Array<Array<Bytes>>',
    aab: 'Array<Array<Bool>>',
    mb: 'Map<Bool>',
    mi: 'Map<Int>',
    ms: 'Map<Bytes>',
    mas: 'Map<Array<Bytes>>',
  }).map(([name, type]) => [name, parseType(type) as Type] as const),
  ['true', BOOL],
  ['false', BOOL],
]);

/** The result of an expression, as JSON; throws when it does not parse or compile. */
export function evaluated(
  expression: string,
  {
    mode = 'filter',
    values = {},
    ...options
  }: EvaluationOptions & { readonly mode?: 'filter' | 'value'; readonly values?: unknown } = {},
): unknown {
  const parsed = parseExpression(expression, {
    mode,
    scheme: { fields: SCHEME, functions: CATALOGUE.functions, lists: LISTED_TYPES },
  });
  const given = readValues(values, SCHEME);
  if (!parsed.ok || !given.ok) {
    throw new Error(`${expression}: ${parsed.ok ? JSON.stringify(given) : parsed.error.message}`);
  }
  const compiled = compileExpression(parsed.tree, options);
  if (!compiled.ok) {
    throw new Error(`${expression}: ${JSON.stringify(compiled.problems)}`);
  }
  return valueToJson(compiled.evaluate(given.values));
}
