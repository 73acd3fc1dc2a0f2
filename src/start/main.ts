import { readFileSync } from 'node:fs';
import { addAbortSignal } from 'node:stream';
import { isatty } from 'node:tty';
import { runTime, requestKind } from '../app/index.ts';
import type { CliContext } from '../cli/index.ts';
import { EXIT, startSession } from '../cli/index.ts';
import { extension } from '../extensions.ts';
import { endWithOutput } from './broken-output.ts';
import { outputOf } from './output-of.ts';
import { linesOf } from './input-lines.ts';
import { runCli } from './run-cli.ts';

// Connects the command line to the process: signals, streams, arguments and environment.

const interruption = new AbortController();

/** Whether a write was sent to the service. */
let hasSent = false;

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    // The first signal asks to stop at the next safe point; the second does not wait for that, nor for the result of a write.
    if (interruption.signal.aborted) {
      process.exit(hasSent ? EXIT.partial : EXIT.interrupted);
    }
    interruption.abort();
  });
}

async function confirm(question: string, word = 'yes'): Promise<boolean> {
  return (await ask(question)) === word;
}

/** Returns the answer without blanks around it; "" when there was none. */
async function ask(question: string): Promise<string> {
  // Loaded here, since few commands ask and all of them start.
  const { createInterface } = await import('node:readline/promises');
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  // The prompt switches the terminal to raw mode: Ctrl-C arrives here, and not as a signal.
  prompt.on('SIGINT', () => interruption.abort());
  try {
    return (await prompt.question(question, { signal: interruption.signal })).trim();
  } catch {
    return '';
  } finally {
    prompt.close();
  }
}

function version(): string {
  // Relative to `dist/cli`, where the program is bundled.
  const manifest = readManifest('../../package.json');
  return 'version' in manifest ? String(manifest.version) : 'unknown';
}

/** Returns the commit that the build wrote beside the program. */
function build(): string | null {
  const manifest = readManifest('package.json');
  return 'commit' in manifest ? String(manifest.commit) : null;
}

function readManifest(path: string): object {
  const manifest: unknown = JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
  return typeof manifest === 'object' && manifest !== null ? manifest : {};
}

// By file descriptor: using `process.stdin` would open it.
const isAttended = isatty(0) && isatty(2);

const session = startSession();

const context: CliContext = {
  stdout: outputOf(process.stdout),
  stderr: outputOf(process.stderr),
  env: process.env,
  cwd: process.cwd(),
  input: () => addAbortSignal(interruption.signal, process.stdin),
  lines: () => linesOf(addAbortSignal(interruption.signal, process.stdin)),
  streams: () => ({ input: process.stdin, output: process.stdout }),
  signal: interruption.signal,
  ...runTime(),
  confirm: isAttended ? confirm : null,
  ask: isAttended ? ask : null,
  version,
  build,
  node: `${process.version} on ${process.platform} ${process.arch}`,
  extension,
  session,
};

for (const stream of [process.stdout, process.stderr]) {
  endWithOutput(stream, session.runExitHooks);
}

session.observe((event) => {
  hasSent ||=
    event.kind === 'client' && event.event.kind === 'started' && requestKind(event.event) === 'write';
});

async function main(): Promise<void> {
  process.exitCode = await runCli(process.argv.slice(2), context);
}

void main();
