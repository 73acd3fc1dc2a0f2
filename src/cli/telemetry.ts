import { errorMessage } from '../model/index.ts';
import { createMetrics, checkOutput, writeOutput } from '../app/index.ts';
import { escapeText } from '../report/index.ts';
import type { CliContext } from './context.ts';
import type { ExitCode } from './exit-code.ts';
import { reportFailure } from './report-failure.ts';
import type { AnyFlags } from './flags.ts';

/** A command that runs under observation. */
export interface ObservedRun {
  readonly command: string;
  readonly flags: AnyFlags;
  /** Runs the command; never throws. */
  readonly work: () => Promise<ExitCode>;
}

/** Runs a command with spans, and with the metrics that `--metrics` asks for. */
export async function runObserved(context: CliContext, run: ObservedRun): Promise<ExitCode> {
  const { startSpans } = await import('./spans.ts');
  const spans = await startSpans(run.command, context.clock);
  if (spans !== null) {
    context.session.observe(spans.observe);
  }
  const end = context.session.addExitHook((code) => Promise.resolve(spans?.end(code)));
  const code = await (run.flags.metrics === undefined
    ? run.work()
    : measured(context, run, run.flags.metrics));
  await end(code);
  return code;
}

/** Runs a command and writes its metrics however it ends; a failure to write them is reported and does not change the exit code. */
async function measured(
  context: CliContext,
  { command, flags, work }: ObservedRun,
  path: string,
): Promise<ExitCode> {
  const target = { cwd: context.cwd, path, config: flags.config };
  try {
    await checkOutput(target);
  } catch (error) {
    return reportFailure(context, flags, error);
  }
  const metrics = createMetrics({ command, version: context.version() }, context.clock);
  context.session.observe(metrics.observe);
  const end = context.session.addExitHook(async (code) => {
    try {
      await writeOutput(target, metrics.text(code));
    } catch (error) {
      const reason = errorMessage(error);
      context.stderr.write(`The metrics were not written: ${escapeText(reason)}\n`);
    }
  });
  const code = await work();
  await end(code);
  return code;
}
