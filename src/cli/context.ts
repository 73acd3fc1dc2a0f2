import type { Readable, Writable } from 'node:stream';
import type { CommandContext as FrameworkContext } from '@stricli/core';
import type { Environment } from '../model/index.ts';
import type { Extension, RunTime } from '../app/index.ts';
import type { Pieces } from '../report/index.ts';
import type { ExitCode } from './exit-code.ts';
import type { Session } from './session.ts';

/** A stream to write to. */
export interface OutputStream {
  write(text: string): void;
  /** Writes a text as fast as it is read. Never rejects: a listener on the stream learns that its reader is gone. */
  writeAll(text: Pieces): Promise<void>;
  readonly isTTY: boolean;
  /** Width of the terminal, in columns; null when there is none. */
  readonly columns: number | null;
}

/** Everything that commands take from the process, so that tests can bring their own. */
export interface CliContext extends RunTime {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Environment;
  readonly cwd: string;
  /** Standard input, as its bytes come. */
  readonly input: () => AsyncIterable<Uint8Array>;
  /** Standard input, line by line. */
  readonly lines: () => AsyncIterable<string>;
  /** Standard input and output as they are, for a protocol of its own; null where there are none. */
  readonly streams: (() => { readonly input: Readable; readonly output: Writable }) | null;
  /** Aborts when the user interrupts the run. */
  readonly signal: AbortSignal;
  /** Asks a question to be answered with `yes`, or with `word`; null when nobody can answer. */
  readonly confirm: ((question: string, word?: string) => Promise<boolean>) | null;
  /** Asks a question to be answered with a text; null when nobody can answer. */
  readonly ask: ((question: string) => Promise<string>) | null;
  readonly version: () => string;
  /** The commit that the program was built from; null where its build did not know. */
  readonly build: () => string | null;
  /** The version of Node, and the platform: `v22.11.0 on linux x64`. */
  readonly node: string;
  /** What the parts of the program that can be taken out add to use cases. */
  readonly extension: Extension | undefined;
  /** How the project's folder is reached from `cwd`, as `../`; absent where that is the same, or results name files otherwise. */
  readonly way?: string;
  /** Hears the last lines of a result; absent unless somebody is told of it. */
  readonly hearSummary?: (text: string) => void;
  /** State that all parts of this run share. */
  readonly session: Session;
}

/** The `this` of a command's function. */
export interface CommandContext extends FrameworkContext {
  readonly cli: CliContext;
  /** Reports how the command ended. */
  readonly exit: (code: ExitCode) => void;
}
