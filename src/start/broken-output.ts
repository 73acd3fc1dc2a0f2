import type { ExitCode } from '../cli/index.ts';
import { EXIT } from '../cli/index.ts';
import { COMMANDS } from './application.ts';

/**
 * Returns the exit code of a command that ends at once when its output can no longer be written; null when the command goes on. What a command writes
 * to the service never depends on who reads its output, and its exit code reports how that went. A reader that went away, as in `rulewright drift |
 * head`, is no error, and the command still finishes its work.
 */
export function exitWithoutOutput(
  command: string | undefined,
  error: { readonly code?: string | undefined },
): ExitCode | null {
  // What is no command, such as --help, only prints.
  const output = COMMANDS[command ?? '']?.output ?? 'all';
  if (error.code === 'EPIPE') {
    return output === 'endless' ? EXIT.done : null;
  }
  return output === 'report' ? null : EXIT.failed;
}

/** Returns the message about lost output; null when its reader went away. */
export function lostOutput({ code, message }: NodeJS.ErrnoException): string | null {
  return code === 'EPIPE'
    ? null
    : `error output/not-written\n  stdout cannot be written: ${message}\n  hint: the output is incomplete\n`;
}

/**
 * Ends the process when one of its streams can no longer be written and the command does not go on without it; calls `finish` first. The command is
 * the first argument of the process.
 */
export function endWithOutput(
  stream: NodeJS.WriteStream,
  finish: (code: ExitCode) => Promise<void> = () => Promise.resolve(),
): void {
  const end = async (error: NodeJS.ErrnoException): Promise<void> => {
    const lost = stream === process.stdout ? lostOutput(error) : null;
    if (lost !== null) {
      process.stderr.write(lost);
    }
    const code = exitWithoutOutput(process.argv[2], error);
    if (code !== null) {
      await finish(code);
      process.exit(code);
    }
  };
  stream.on('error', (error: NodeJS.ErrnoException) => void end(error));
}
