import { notifyRun, webhookUrl } from '../app/index.ts';
import type { CliContext } from './context.ts';
import type { ExitCode } from './exit-code.ts';
import type { AnyFlags } from './flags.ts';
import { reportFailure } from './report-failure.ts';

/**
 * Runs a command, and tells the webhook how it ended: after writes, and whenever the exit code is not 0. The exit code stays that of the command,
 * whatever becomes of the message. Throws `webhook/no-url`, before anything is done.
 */
export async function notifying(
  context: CliContext,
  flags: AnyFlags & { readonly notify: NonNullable<AnyFlags['notify']> },
  { name, run }: { readonly name: string; readonly run: (context: CliContext) => Promise<ExitCode> },
): Promise<ExitCode> {
  const { env, clock, session } = context;
  webhookUrl(env);
  let summary = '';
  let hasWritten = false;
  session.observe(({ kind }) => {
    hasWritten ||= kind === 'step-ended';
  });
  const hearSummary = (text: string): void => {
    summary = text;
  };
  const exit = await run({ ...context, hearSummary });
  if (exit !== 0 || hasWritten) {
    try {
      await notifyRun({ command: name, exit, summary }, { shape: flags.notify, env, clock });
    } catch (error) {
      await reportFailure(context, { ...flags, output: undefined, report: undefined, format: 'text' }, error);
    }
  }
  return exit;
}
