import { execFile } from 'node:child_process';
import { parse } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Maximum output of Git for one file, in bytes; larger files are not project files. */
const MAX_BYTES = 32 * 1024 * 1024;

/** What a Git command reads, and how much it may print. */
export interface GitOptions {
  readonly input?: string;
  readonly maxBytes?: number;
}

/**
 * Runs Git in a folder and returns what it prints. Arguments are passed unchanged, without a shell. `gitFailure` explains what this throws.
 */
export async function gitBytes(
  folder: string,
  words: readonly string[],
  { input = '', maxBytes = MAX_BYTES }: GitOptions = {},
): Promise<Buffer> {
  // Windows looks for a program in the working folder first, where a checkout may have brought one along.
  const cwd = parse(folder).root;
  const running = run('git', ['-C', folder, ...words], { cwd, maxBuffer: maxBytes, encoding: 'buffer' });
  // If Git exits before it has read its input, its own error says why.
  running.child.stdin?.on('error', () => undefined).end(input);
  return (await running).stdout;
}

/** Like `gitBytes`, for commands that print text. */
export async function gitText(
  folder: string,
  words: readonly string[],
  options?: GitOptions,
): Promise<string> {
  return (await gitBytes(folder, words, options)).toString('utf8');
}
