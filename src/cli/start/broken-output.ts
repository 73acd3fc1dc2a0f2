import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';

/** Commands that go on for as long as somebody reads them. */
const ENDLESS: ReadonlySet<string | undefined> = new Set(['emulator', 'expression']);

/** Commands that do nothing but print: what cannot be printed fails them. */
const READING: ReadonlySet<string | undefined> = new Set([
  ...ENDLESS,
  undefined,
  '--help',
  '-h',
  '--version',
  'validate',
  'plan',
  'drift',
  'test',
  'explain',
  'doctor',
  'catalog',
  'versions',
  'deprecations',
  'schema',
  'completion',
  'version',
]);

/**
 * How a command ends at once whose output can no longer be written; null when it goes on without: what a command
 * writes to the service never depends on who reads along, and its exit code says how that went. A reader
 * that went away, as in `rulewright drift | head`, is no error, and what was found is found all the same.
 */
export function exitWithoutOutput(
  command: string | undefined,
  error: { readonly code?: string | undefined },
): ExitCode | null {
  if (error.code === 'EPIPE') {
    return ENDLESS.has(command) ? EXIT.done : null;
  }
  return READING.has(command) ? EXIT.failed : null;
}

/** What to say of output that is lost; null where nobody wanted it any more. */
export function lostOutput({ code, message }: NodeJS.ErrnoException): string | null {
  return code === 'EPIPE'
    ? null
    : `error output/not-written\n  stdout cannot be written: ${message}\n  hint: what was printed is not all\n`;
}

/**
 * Ends the process when one of its streams can no longer be written and nothing is left to do but what `finish` does; the command is the
 * first of its words.
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
