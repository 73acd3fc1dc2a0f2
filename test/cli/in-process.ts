import type { Clock } from '../../src/network/clock.ts';
import { runTime } from '../../src/app/run/time.ts';
import type { CliContext, OutputStream } from '../../src/cli/context.ts';
import { linesOf } from '../../src/cli/start/input-lines.ts';
import { runCli } from '../../src/cli/start/run-cli.ts';
import { startSession } from '../../src/cli/session.ts';
import { undescribed } from '../schemas/closed-schema.ts';

/** What a command line is given; everything has a default. */
export interface Setting {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly tty?: boolean;
  readonly columns?: number;
  /** The answer to a question, or what happens while it is asked; without it nobody is there to answer. */
  readonly answer?: boolean | (() => boolean | Promise<boolean>);
  /** The texts that answer questions for one, in their order. */
  readonly typed?: readonly string[];
  readonly signal?: AbortSignal;
  /** What waiting and the days of the cache go by. */
  readonly clock?: Clock;
  /** What comes on stdin. */
  readonly input?: string;
  /** The version that the program says it has. */
  readonly version?: string;
  /** Hears what goes to stdout as it comes. */
  readonly onStdout?: (text: string) => void;
}

/** How a command line ended. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly questions: readonly string[];
}

/** A stream that hands on what is written to it. */
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

/** What a command gets where nobody answers. */
export function unattended(
  given: Pick<CliContext, 'stdout' | 'stderr' | 'cwd'> & Partial<CliContext>,
): CliContext {
  return {
    env: {},
    lines: () => linesOf([]),
    signal: new AbortController().signal,
    confirm: null,
    ask: null,
    version: () => '1.2.3',
    session: startSession(),
    ...runTime(given.clock),
    ...given,
  };
}

/** Runs a command line in this process, as `main.ts` would. JSON that it prints has to be what `schemas/` describes, and nothing else. */
export async function rulewright(argv: readonly string[], setting: Setting = {}): Promise<Ended> {
  let stdout = '';
  let stderr = '';
  const questions: string[] = [];
  const { tty = false, answer, version } = setting;
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
    // Whole lines are for logs; in tests rows are as a terminal shows them.
    env: { COLUMNS: '80', ...setting.env },
    cwd: setting.cwd ?? '/nowhere',
    lines: () => linesOf([new TextEncoder().encode(setting.input ?? '')]),
    ...(setting.clock === undefined ? {} : { clock: setting.clock }),
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
