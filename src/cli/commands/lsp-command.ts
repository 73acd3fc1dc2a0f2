import { bundledSchema, runTime, usage } from '../../app/index.ts';
import { parsedJson } from '../../data/index.ts';
import { serveEditor } from '../../editor/index.ts';
import { command } from '../command.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import type { FlagsOf } from '../flag.ts';
import { switchFlag, valueFlag } from '../flag.ts';

/** Flags of `lsp`. */
const LSP_FLAGS = {
  stdio: switchFlag('Speak over stdin and stdout (the default, and the only way)'),
  // Some clients add it; that they have gone away, the end of stdin tells.
  clientProcessId: { ...valueFlag(String, 'PID', 'The process of the editor'), hidden: true },
};

/** The values of `LSP_FLAGS`. */
type LspFlags = FlagsOf<typeof LSP_FLAGS>;

/** Serves an editor on the streams of the process until it is done. */
async function runLsp(context: CliContext, _flags: LspFlags): Promise<ExitCode> {
  const streams = context.streams?.();
  if (streams === undefined) {
    throw usage('there is no stdin to serve an editor on');
  }
  const how = await serveEditor({
    ...streams,
    version: context.version(),
    schema: async (kind) => parsedJson((await bundledSchema(kind)) ?? '{}') ?? {},
    today: () => runTime(context.clock).today,
    now: () => context.clock.now(),
    signal: context.signal,
  });
  // As long as somebody may write to it, it would keep the process alive.
  streams.input.destroy();
  return how === 'shut-down' ? EXIT.done : context.signal.aborted ? EXIT.interrupted : EXIT.failed;
}

/** `rulewright lsp`. */
export const lspCommand = command({
  run: runLsp,
  text: `Editors start it: findings as you type, completion, hover, definitions, quick
fixes and formatting for the files of a project. It reads files in the folders
that the editor has open; it opens no connection, and reads neither tokens nor
other variables of the environment.`,
  examples: [['rulewright lsp --stdio', 'what editors are set to start']],
  flags: LSP_FLAGS,
});
