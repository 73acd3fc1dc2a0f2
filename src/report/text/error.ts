import type { RulewrightError } from '../../model/index.ts';
import { layOut, line, span } from '../layout.ts';
import { hintLines, messageLines } from '../lines/finding-lines.ts';
import type { Look } from '../layout.ts';

/** Formats an error that ended a run: code, message, hint. */
export function errorText(error: RulewrightError, look: Look): string {
  return layOut(
    [
      line(0, span('error', 'error'), span('dim', ` ${error.code}`)),
      ...messageLines(2, error.message),
      ...hintLines(2, error.hint),
    ],
    look,
  );
}

/** Formats an error that is a bug of this program, with the request to report it. */
export function bugText(error: unknown, look: Look): string {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return layOut(
    [
      line(0, span('error', 'error'), span('dim', ' bug/unexpected')),
      line(2, message),
      ...hintLines(
        2,
        'this is a bug in rulewright. Run the command again with --verbose and report what it prints.',
      ),
    ],
    look,
  );
}
