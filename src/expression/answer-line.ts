import { answerEval } from './evaluate/answer.ts';
import { readRequest } from './evaluate/request.ts';
import { parseExpression } from './parse.ts';
import { printExpression } from './print.ts';

/** What `rulewright expression` does with each line. */
export type LineCommand = 'parse' | 'eval';

/**
 * Answers one line of `rulewright expression parse|eval`: one line of JSON for one line of JSON.
 *
 * `parse` takes `{"expr", "mode"?, "scheme"?: {field: type}}` and gives `{"ok": true, "printed": …}` with the canonical text, or
 * `{"error": {"kind", "line", "column", "length", "message"}}` as the service reports it; kind `InvalidRequest` for a line that is no
 * request. For `eval` see `answerEval`. Never throws.
 */
export function answerLine(line: string, command: LineCommand): string {
  return command === 'eval' ? answerEval(line) : JSON.stringify(answerParse(line));
}

function answerParse(given: string): unknown {
  const read = readRequest(given);
  if (!read.ok) {
    return { error: { kind: 'InvalidRequest', line: 1, column: 1, length: 0, message: read.message } };
  }
  const { expression, mode, scheme } = read.request;
  const parsed = parseExpression(expression, { mode, scheme });
  if (parsed.ok) {
    return { ok: true, printed: printExpression(parsed.tree) };
  }
  const { kind, line, column, length, message } = parsed.error;
  return { error: { kind, line, column, length, message } };
}
