import { command, commandGroup } from '../command.ts';
import type { OutputFlags } from '../flags.ts';
import { OUTPUT_FLAGS } from '../flags.ts';

const parse = command<OutputFlags, []>({
  run: async () => (await import('../run/expression.ts')).runParse,
  brief: 'Parse and print expressions, JSON lines on stdin',
  text: `Reads one JSON object per line and answers with one per line, in order.

  In:  {"expr", "mode": "filter"|"value", "scheme"?: {field: type}}
  Out: {"ok": true, "printed"}, or
       {"error": {"kind", "line", "column", "length", "message"}}`,
  examples: [[`echo '{"expr": "ssl"}' | rulewright expression parse`, 'a single line']],
  flags: OUTPUT_FLAGS,
});

const evaluate = command<OutputFlags, []>({
  run: async () => (await import('../run/expression.ts')).runEval,
  brief: 'Evaluate expressions, JSON lines on stdin',
  text: `Reads one JSON object per line and answers with one per line, in order.

  In:  {"expr", "mode"?, "scheme"?, "values": {field: value}, "nilNotEqual"?,
       "lists"?: {type: {name: [item]}}}
  Out: {"result"}, null for a missing value, or
       {"error": {"kind", "line", "column", "length", "message"}}`,
  examples: [['rulewright expression eval < lines.jsonl', 'a file of them']],
  flags: OUTPUT_FLAGS,
});

/** `rulewright expression parse|eval`. */
export const expressionCommands = commandGroup({
  brief: 'Parse or evaluate expressions, JSON lines on stdin',
  text: `Parses or evaluates expressions of the rules language. Reads one JSON object per
line and answers with one per line, in order. The exit code is 0; the answer to
a line says what is wrong with it.`,
  examples: [
    ['rulewright expression parse < lines.jsonl', 'syntax, and the canonical text'],
    ['rulewright expression eval < lines.jsonl', 'results for given values'],
  ],
  routes: { parse, eval: evaluate },
});
