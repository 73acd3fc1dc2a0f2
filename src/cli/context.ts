import type { Environment } from '../model/environment.ts';
import type { RunTime } from '../app/run/time.ts';
import type { ServiceOptions } from '../app/service/service-options.ts';
import type { Pieces } from '../report/pieces.ts';
import type { CommandContext as FrameworkContext } from '@stricli/core';
import type { ExitCode } from './exit-code.ts';
import type { Session } from './session.ts';

/** A stream to write to. */
export interface OutputStream {
  write(text: string): void;
  /** Writes a text as fast as it is read. Never rejects: who listens to the stream hears that nobody reads any more. */
  writeAll(text: Pieces): Promise<void>;
  readonly isTTY: boolean;
  /** Width of the terminal; null where there is none. */
  readonly columns: number | null;
}

/** Everything that commands take from the process, so that tests can bring their own. */
export interface CliContext extends RunTime {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Environment;
  readonly cwd: string;
  /** Standard input, line by line. */
  readonly lines: () => AsyncIterable<string>;
  /** Aborts when the user interrupts. */
  readonly signal: AbortSignal;
  /** Called before the first connection; nothing is done unless given. */
  readonly beforeConnecting?: NonNullable<ServiceOptions['beforeConnecting']> | undefined;
  /** Asks a question that wants `yes`, or the word that is given; null where nobody can answer. */
  readonly confirm: ((question: string, word?: string) => Promise<boolean>) | null;
  /** Asks a question that wants a text; null where nobody can answer. */
  readonly ask: ((question: string) => Promise<string>) | null;
  /** Version of this program. */
  readonly version: () => string;
  /** What the parts of this run share. */
  readonly session: Session;
}

/** What a command's function finds as `this`. */
export interface CommandContext extends FrameworkContext {
  readonly cli: CliContext;
  /** Says how the command ended. */
  readonly exit: (code: ExitCode) => void;
}
