import type { Clock } from '../../src/network/clock.ts';
import { runTime } from '../../src/app/run/time.ts';
import type { CliContext, OutputStream } from '../../src/cli/context.ts';
import { linesOf } from '../../src/start/input-lines.ts';
import { extension } from '../../src/extensions.ts';
import { runCli } from '../../src/start/run-cli.ts';
import { startSession } from '../../src/cli/session.ts';
import { createFakeClock } from '../fake-clock.ts';
import { undescribed } from '../schemas/closed-schema.ts';

/** The clock of all commands that run the service themselves: the state that one leaves behind is not younger than the next one. */
const emulatorClock = createFakeClock(Date.now());

/** The surroundings of a command; everything has a default. */
export interface Setting {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly tty?: boolean;
  readonly columns?: number;
  /** The answer to a confirmation, or a function that gives it; without it there is no terminal to ask on. */
  readonly answer?: boolean | (() => boolean | Promise<boolean>);
  /** The answers to questions for a text, in order. */
  readonly typed?: readonly string[];
  readonly signal?: AbortSignal;
  /** The clock for waits and for the days of the cache; unless given, that of the machine, or with `--emulator` one on which waits take no time. */
  readonly clock?: Clock;
  /** The content of stdin. */
  readonly input?: string;
  /** The version that the program reports. */
  readonly version?: string;
  /** Called with each text as it is written to stdout. */
  readonly onStdout?: (text: string) => void;
}

/** The result of a command. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly questions: readonly string[];
}

/** An output stream that passes each text on to a function. */
export function into(write: (text: string) => void): OutputStream {
  return {
    write,
    writeAll: (text) => {
      for (const piece of typeof text === 'string' ? [text] : text) {
        write(piece);
      }
      return Promise.resolve();
    },
    isTTY: false,
    columns: null,
  };
}

async function* bytesOf(text: string): AsyncIterable<Uint8Array> {
  yield await Promise.resolve(new TextEncoder().encode(text));
}

/** A command context without a terminal to ask on. */
export function unattended(
  given: Pick<CliContext, 'stdout' | 'stderr' | 'cwd'> & Partial<CliContext>,
): CliContext {
  return {
    env: {},
    input: () => bytesOf(''),
    lines: () => linesOf([]),
    streams: null,
    signal: new AbortController().signal,
    confirm: null,
    ask: null,
    version: () => '1.2.3',
    build: () => 'abcdef0',
    node: 'v20.19.0 on linux x64',
    extension,
    session: startSession(),
    ...runTime(given.clock),
    ...given,
  };
}

/** Runs a command in this process, as `main.ts` does. Throws if it prints JSON that no schema in `schemas/` describes. */
export async function rulewright(argv: readonly string[], setting: Setting = {}): Promise<Ended> {
  let stdout = '';
  let stderr = '';
  const questions: string[] = [];
  const { tty = false, answer, version } = setting;
  const clock = setting.clock ?? (argv.includes('--emulator') ? emulatorClock : undefined);
  const typed = [...(setting.typed ?? [])];
  const columns = tty ? (setting.columns ?? 80) : null;
  const stream = (write: (text: string) => void): OutputStream => ({ ...into(write), isTTY: tty, columns });
  const context = unattended({
    stdout: stream((text) => {
      stdout += text;
      setting.onStdout?.(text);
    }),
    stderr: stream((text) => {
      stderr += text;
    }),
    // Without COLUMNS, lines would not wrap as they do in a terminal.
    env: { COLUMNS: '80', ...setting.env },
    cwd: setting.cwd ?? '/nowhere',
    input: () => bytesOf(setting.input ?? ''),
    lines: () => linesOf([new TextEncoder().encode(setting.input ?? '')]),
    ...(clock === undefined ? {} : { clock }),
    signal: setting.signal ?? new AbortController().signal,
    ...(version === undefined ? {} : { version: () => version }),
    confirm:
      answer === undefined
        ? null
        : async (question) => {
            questions.push(question);
            return typeof answer === 'boolean' ? answer : answer();
          },
    ask:
      setting.typed === undefined
        ? null
        : (question) => {
            questions.push(question);
            return Promise.resolve(typed.shift() ?? '');
          },
  });
  const code = await runCli(argv, context);
  if (stdout.startsWith('{\n')) {
    const problems = await undescribed(JSON.parse(stdout));
    if (problems !== null) {
      throw new Error(`no schema describes what ${argv.join(' ')} prints: ${JSON.stringify(problems)}`);
    }
  }
  return { code, stdout, stderr, questions };
}
