import { command, commandGroup } from '../command.ts';
import type { OutputFlags } from '../flags.ts';
import { OUTPUT_FLAGS } from '../flags.ts';
import { expressionLines } from '../../app/index.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';

/** Parses each line of stdin. */
function runParse(context: CliContext): Promise<ExitCode> {
  return answer(context, 'parse');
}

/** Evaluates each line of stdin. */
function runEval(context: CliContext): Promise<ExitCode> {
  return answer(context, 'eval');
}

async function answer(context: CliContext, command: 'parse' | 'eval'): Promise<ExitCode> {
  for await (const line of expressionLines(context.lines(), command)) {
    await context.stdout.writeAll(`${line}\n`);
  }
  return EXIT.done;
}

const parse = command<OutputFlags, []>({
  run: runParse,
  text: `Reads one JSON object per line and answers with one per line, in order.

  In:  {"expr", "mode": "filter"|"value", "scheme"?: {field: type}}
  Out: {"ok": true, "printed"}, or
       {"error": {"kind", "line", "column", "length", "message"}}`,
  examples: [[`echo '{"expr": "ssl"}' | rulewright expression parse`, 'a single line']],
  flags: OUTPUT_FLAGS,
});

const evaluate = command<OutputFlags, []>({
  run: runEval,
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
  text: `Parses or evaluates expressions of the rules language. Reads one JSON object per
line and answers with one per line, in order. The exit code is 0; the answer to
a line says what is wrong with it.`,
  examples: [
    ['rulewright expression parse < lines.jsonl', 'syntax, and the canonical text'],
    ['rulewright expression eval < lines.jsonl', 'results for given values'],
  ],
  routes: {
    parse: parse('Parse and print expressions, JSON lines on stdin'),
    eval: evaluate('Evaluate expressions, JSON lines on stdin'),
  },
});
