import { expressionLines } from '../../app/index.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';

/** Parses each line of stdin. */
export function runParse(context: CliContext): Promise<ExitCode> {
  return answer(context, 'parse');
}

/** Evaluates each line of stdin. */
export function runEval(context: CliContext): Promise<ExitCode> {
  return answer(context, 'eval');
}

async function answer(context: CliContext, command: 'parse' | 'eval'): Promise<ExitCode> {
  for await (const line of expressionLines(context.lines(), command)) {
    await context.stdout.writeAll(`${line}\n`);
  }
  return EXIT.done;
}
