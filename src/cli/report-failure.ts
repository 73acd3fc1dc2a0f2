import { errorCode, hintForFile } from '../files/index.ts';
import { RulewrightError, errorMessage } from '../model/index.ts';
import { bugReport, errorReport, errorJson, escapeLines } from '../report/index.ts';
import type { CliContext } from './context.ts';
import type { ExitCode } from './exit-code.ts';
import { EXIT } from './exit-code.ts';
import type { AnyFlags } from './flags.ts';
import { removeResult, writeJson } from './result.ts';

/**
 * Reports an error that ended a command, and returns the exit code. An unexpected error is a bug of this program: it is reported in one line, with
 * the stack only with `--verbose`.
 */
export async function reportFailure(context: CliContext, flags: AnyFlags, error: unknown): Promise<ExitCode> {
  if (isInterruption(error, context.signal)) {
    await removeResult(context, flags);
    context.stderr.write('Interrupted. Nothing was written.\n');
    return EXIT.interrupted;
  }
  const known = expected(error);
  await writeErrorJson(context, flags, known ?? { ...UNEXPECTED, message: errorMessage(error) });
  const { tellDocument } = await import('./tell-document.ts');
  tellDocument(context, flags, known === null ? bugReport(error) : errorReport(known));
  if (flags.verbose === true && error instanceof Error) {
    context.stderr.write(stackOf(error));
  }
  return exitOf(known);
}

function exitOf(error: RulewrightError | null): ExitCode {
  if (error?.code === 'versions/in-doubt') {
    return EXIT.partial;
  }
  return error?.code.startsWith('usage/') === true ? EXIT.usage : EXIT.failed;
}

/** Writes the error as JSON, in place of the result. */
export async function writeErrorJson(
  context: CliContext,
  flags: AnyFlags,
  error: Parameters<typeof errorJson>[0],
): Promise<void> {
  try {
    await writeJson(context, flags, errorJson(error));
  } catch {
    // The error may be that this very file cannot be written; stderr shows it to people.
  }
}

/** Whether an error means only that somebody stopped the command. A command that has written by then ends with its outcomes instead. */
function isInterruption(error: unknown, { aborted, reason }: AbortSignal): boolean {
  const isStop =
    error === reason ||
    (error instanceof Error && error.name === 'AbortError') ||
    (error instanceof RulewrightError && error.code === 'api/aborted');
  return aborted && isStop;
}

/** Returns the error as a `RulewrightError`; null when it is unexpected. */
function expected(error: unknown): RulewrightError | null {
  if (error instanceof RulewrightError) {
    return error.fault === 'bug' ? null : error;
  }
  const code = errorCode(error);
  if (error instanceof Error && 'syscall' in error && code !== undefined) {
    return new RulewrightError(error.message, {
      code: `system/${code.toLowerCase()}`,
      fault: 'user',
      hint: code === 'ENOSPC' ? 'free some space there, then run it again' : hintForFile(error),
      cause: error,
    });
  }
  return null;
}

const UNEXPECTED = { code: 'bug/unexpected', hint: undefined } as const;

function stackOf(error: Error): string {
  const cause = error.cause instanceof Error ? `\ncaused by ${error.cause.stack ?? error.cause.message}` : '';
  return escapeLines(`${error.stack ?? error.message}${cause}`)
    .map((line) => `${line}\n`)
    .join('');
}
