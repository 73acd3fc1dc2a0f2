import { answerLine } from '../../expression/index.ts';
import type { LineCommand } from '../../expression/index.ts';

/** Answers expressions line by line, in order, as they come: one line of JSON for each. */
export async function* expressionLines(
  lines: AsyncIterable<string>,
  command: LineCommand,
): AsyncIterable<string> {
  for await (const line of lines) {
    yield answerLine(line, command);
  }
}
