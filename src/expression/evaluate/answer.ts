import { parseExpression } from '../parse.ts';
import { listsFromJson } from '../values/lists.ts';
import { readValues, valueToJson } from '../values/read-json.ts';
import { compileExpression } from './compile.ts';
import { readRequest } from './request.ts';

/** The part of an answer that says why there is no result; places are those of the service's parse errors. */
interface AnswerError {
  readonly kind: string;
  readonly line: number;
  readonly column: number;
  readonly length: number;
  readonly message: string;
}

/**
 * Answers one line of `rulewright expression eval`: `{"expr", "mode"?, "scheme"?, "values"?, "nilNotEqual"?, "lists"?}` gives
 * `{"result": …}`, null for a missing value, or `{"error": {"kind", "line", "column", "length", "message"}}`. `lists` holds items by
 * type and name: `{"Ip": {"office": ["192.0.2.0/24"]}}`. Kinds beside those of the parser: `InvalidRequest` for the line itself and
 * `NotEvaluated` for what parses and cannot be evaluated here. Never throws.
 */
export function answerEval(line: string): string {
  return JSON.stringify(answer(line));
}

function answer(line: string): { readonly result: unknown } | { readonly error: AnswerError } {
  const read = readRequest(line);
  if (!read.ok) {
    return refuse('InvalidRequest', [read.message]);
  }
  const { expression, mode, scheme, fields } = read.request;
  const parsed = parseExpression(expression, { mode, scheme });
  if (!parsed.ok) {
    const { kind, line: row, column, length, message } = parsed.error;
    return { error: { kind, line: row, column, length, message } };
  }
  const { values: given = {}, nilNotEqual = false, lists = {} } = fields;
  const values = readValues(given, scheme.fields);
  const inList = listsFromJson(lists);
  const problems = [
    ...(values.ok ? [] : values.problems),
    ...(inList.ok ? [] : inList.problems),
    ...(typeof nilNotEqual === 'boolean' ? [] : ['nilNotEqual: expected true or false']),
  ];
  if (!values.ok || !inList.ok || typeof nilNotEqual !== 'boolean') {
    return refuse('InvalidRequest', problems);
  }
  const compiled = compileExpression(parsed.tree, { nilNotEqual, context: { inList: inList.contains } });
  return compiled.ok
    ? { result: valueToJson(compiled.evaluate(values.values)) }
    : refuse(
        'NotEvaluated',
        compiled.problems.map((problem) => problem.message),
      );
}

function refuse(kind: string, problems: readonly string[]): { readonly error: AnswerError } {
  return { error: { kind, line: 1, column: 1, length: 0, message: problems.join('; ') } };
}
