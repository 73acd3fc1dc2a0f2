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
      `Reads one JSON object per line and answers with one per line, in order.

  In:  {"expr", "mode": "filter"|"value", "scheme"?: {field: type}}
  Out: {"ok": true, "printed"}, or
       {"error": {"kind", "line", "column", "length", "message"}}`,
      [[`echo '{"expr": "ssl"}' | rulewright expression parse`, 'a single line']],
    ),
  },
});

const evaluate: Command<CommandContext> = buildCommand<OutputFlags, [], CommandContext>({
  func: lazily(async () => (await import('../run/expression.ts')).runEval),
  parameters: { flags: OUTPUT_FLAGS },
  docs: {
    brief: 'Evaluate expressions, JSON lines on stdin',
    fullDescription: description(
      `Reads one JSON object per line and answers with one per line, in order.

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
    brief: 'Parse or evaluate expressions, JSON lines on stdin',
    fullDescription: `Parses or evaluates expressions of the rules language. Reads one JSON object per
line and answers with one per line, in order. The exit code is 0; the answer to
a line says what is wrong with it.

EXAMPLES
  rulewright expression parse < lines.jsonl   syntax, and the canonical text
  rulewright expression eval < lines.jsonl    results for given values`,
  },
});
