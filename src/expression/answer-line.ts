import type { Tree } from './language/ast.ts';
import { CATALOGUE, schemeOf } from './language/catalogue.ts';
import { compileExpression } from './evaluate/compile-expression.ts';
import { parseExpression } from './parse/parse-expression.ts';
import { printExpression } from './print/print-expression.ts';
import type { Scheme } from './language/catalogue.ts';
import { BOOL, parseType } from './values/type.ts';
import type { Type } from './values/type.ts';
import { listsFromJson } from './values/lists-from-json.ts';
import { isObject, readValues, valueToJson } from './values/read-json.ts';

/** What `rulewright expression` does with each line. */
export type LineCommand = 'parse' | 'eval';

/**
 * Answers one line of `rulewright expression parse|eval`: a line of JSON for a line of JSON. Never throws.
 *
 * Both commands take `{"expr", "mode"?: "filter" | "value", "scheme"?: {field: type}}`. `parse` gives `{"ok": true, "printed": …}` with the
 * canonical text. `eval` also takes `{"values"?, "nilNotEqual"?, "lists"?}` and gives `{"result": …}`, null for a missing value; `lists`
 * holds items by type and name: `{"Ip": {"office": ["192.0.2.0/24"]}}`. A failure gives `{"error": {"kind", "line", "column", "length",
 * "message"}}` as the service reports it. Two kinds are our own: `InvalidRequest` for a line that is not a valid request, and
 * `NotEvaluated` for an expression that parses but cannot be evaluated here.
 */
export function answerLine(line: string, command: LineCommand): string {
  return JSON.stringify(answer(line, command));
}

function answer(line: string, command: LineCommand): unknown {
  const request = parseJson(line);
  if (!isObject(request)) {
    return failure('InvalidRequest', ['expected a JSON object on each line']);
  }
  const { expr, mode = 'filter' } = request;
  const { scheme, problems } = readScheme(request['scheme']);
  const isMode = mode === 'filter' || mode === 'value';
  if (!isMode || typeof expr !== 'string' || problems.length > 0) {
    return failure('InvalidRequest', [
      ...(isMode ? [] : ['mode: expected "filter" or "value"']),
      ...(typeof expr === 'string' ? [] : ['expr: expected a text']),
      ...problems,
    ]);
  }
  const parsed = parseExpression(expr, { mode, scheme });
  if (!parsed.ok) {
    const { kind, line: row, column, length, message } = parsed.error;
    return { error: { kind, line: row, column, length, message } };
  }
  return command === 'parse'
    ? { ok: true, printed: printExpression(parsed.tree) }
    : evaluate(parsed.tree, scheme, request);
}

function evaluate(tree: Tree, scheme: Scheme, request: Readonly<Record<string, unknown>>): unknown {
  const { values: given = {}, nilNotEqual = false, lists = {} } = request;
  const values = readValues(given, scheme.fields);
  const inList = listsFromJson(lists);
  if (!values.ok || !inList.ok || typeof nilNotEqual !== 'boolean') {
    return failure('InvalidRequest', [
      ...(values.ok ? [] : values.problems),
      ...(inList.ok ? [] : inList.problems),
      ...(typeof nilNotEqual === 'boolean' ? [] : ['nilNotEqual: expected true or false']),
    ]);
  }
  const compiled = compileExpression(tree, { nilNotEqual, context: { inList: inList.contains } });
  return compiled.ok
    ? { result: valueToJson(compiled.evaluate(values.values)) }
    : failure(
        'NotEvaluated',
        compiled.problems.map(({ message }) => message),
      );
}

function failure(kind: string, problems: readonly string[]): unknown {
  return { error: { kind, line: 1, column: 1, length: 0, message: problems.join('; ') } };
}

/**
 * Reads the scheme of a request; without one it is the catalogue. A given scheme also gets `true` and `false`, which the service has in
 * every scheme (rules-language.md 3).
 */
function readScheme(given: unknown): { readonly scheme: Scheme; readonly problems: readonly string[] } {
  if (given === undefined) {
    return { scheme: CATALOGUE, problems: [] };
  }
  if (!isObject(given)) {
    return { scheme: CATALOGUE, problems: ['scheme: expected an object of fields and their types'] };
  }
  const problems: string[] = [];
  const fields: [string, Type][] = [
    ['true', BOOL],
    ['false', BOOL],
  ];
  for (const [name, written] of Object.entries(given)) {
    const type = typeof written === 'string' ? parseType(written) : undefined;
    if (type === undefined) {
      problems.push(`scheme.${name}: expected a type such as Bytes or Map<Array<Bytes>>`);
    } else {
      fields.push([name, type]);
    }
  }
  return { scheme: schemeOf(fields), problems };
}

function parseJson(line: string): unknown {
  try {
    const json: unknown = JSON.parse(line);
    return json;
  } catch {
    return undefined;
  }
}
