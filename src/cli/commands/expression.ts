import type { Command, RouteMap } from '@stricli/core';
import { buildCommand, buildRouteMap } from '@stricli/core';
import { description, lazily } from '../command.ts';
import type { CommandContext } from '../context.ts';
import type { OutputFlags } from '../flags.ts';
import { OUTPUT_FLAGS } from '../flags.ts';

const parse: Command<CommandContext> = buildCommand<OutputFlags, [], CommandContext>({
  func: lazily(async () => (await import('../run/expression.ts')).runParse),
  parameters: { flags: OUTPUT_FLAGS },
  docs: {
    brief: 'Parse and print expressions, JSON lines on stdin',
    fullDescription: description(
      `Reads one JSON object a line and answers one a line, in order.
In:  {"expr", "mode": "filter"|"value", "scheme"?: {field: type}}
Out: {"ok": true, "printed"}, or
     {"error": {"kind", "line", "column", "length", "message"}}`,
      [[`echo '{"expr": "ssl"}' | rulewright expression parse`, 'one line']],
    ),
  },
});

const evaluate: Command<CommandContext> = buildCommand<OutputFlags, [], CommandContext>({
  func: lazily(async () => (await import('../run/expression.ts')).runEval),
  parameters: { flags: OUTPUT_FLAGS },
  docs: {
    brief: 'Evaluate expressions, JSON lines on stdin',
    fullDescription: description(
      `Reads one JSON object a line and answers one a line, in order.
In:  {"expr", "mode"?, "scheme"?, "values": {field: value}, "nilNotEqual"?,
     "lists"?: {type: {name: [item]}}}
Out: {"result"}, null for a missing value, or
     {"error": {"kind", "line", "column", "length", "message"}}`,
      [['rulewright expression eval < lines.jsonl', 'a file of them']],
    ),
  },
});

/** `rulewright expression parse|eval`. */
export const expressionCommands: RouteMap<CommandContext> = buildRouteMap({
  routes: { parse, eval: evaluate },
  docs: {
    brief: 'The rules language for other tools, JSON lines on stdin',
    fullDescription: `Parses or evaluates expressions of the rules language: one JSON object a line
in, one a line out, in order. Exit code 0; what is wrong with a line stands in
its answer.

EXAMPLES
  rulewright expression parse < lines.jsonl   syntax, and the canonical text
  rulewright expression eval < lines.jsonl    results for given values`,
  },
});
