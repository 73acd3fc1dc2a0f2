import type { Look } from '../../report/index.ts';
import type { CliContext } from '../context.ts';
import { EXIT } from '../exit-code.ts';
import { writeErrorJson } from '../report-failure.ts';
import type { AnyFlags } from '../flags.ts';
import { stderrLook, stdoutLook } from '../result.ts';
import type { WriteFlags } from '../write-flags.ts';
import type { EndedEarly } from './report-findings.ts';

/** Flags that make a question unnecessary. */
type AskingFlags = AnyFlags & Pick<WriteFlags, 'yes' | 'dryRun'>;

/** A question that is asked before writes. */
export interface Question {
  readonly question: string;
  /** The answer that confirms; `yes` by default. */
  readonly word?: string;
  readonly act: keyof typeof ACTS;
  /** What confirms without a question; `--yes` by default. */
  readonly instead?: string;
  /** Formats what the answer is about, which is printed where `showInText` has not shown it: nobody can agree to what was not shown. */
  readonly about?: (look: Look) => string;
}

/** How a command goes on: with its writes, without them, or not at all, which has been reported then. */
export type Confirmation = { readonly kind: 'yes' | 'dry-run' } | EndedEarly;

/** For each act, its name in a hint, and the word for what was not done without consent. */
const ACTS = {
  apply: ['apply', 'written'],
  delete: ['delete', 'deleted'],
  bringBack: ['bring these rules of others back', 'written'],
  putBack: ['put it back', 'written'],
  validate: ['switch validation mode on', 'written'],
  finish: ['migrate', 'written'],
} as const;

/** Shows in text what a command is about to do; in other formats, stdout contains only the result. */
export function showInText(context: CliContext, flags: AnyFlags, about: (look: Look) => string): void {
  if (flags.format === 'text') {
    context.stdout.write(about(stdoutLook(context, { ...flags, output: undefined })));
  }
}

/**
 * Asks before anything is written, unless flags have answered. Ends a command that is not confirmed, and writes an error in place of the result where
 * JSON is wanted. Throws when the question is interrupted.
 */
export async function ask(
  context: CliContext,
  flags: AskingFlags,
  { question, word, act, instead = '--yes', about }: Question,
): Promise<Confirmation> {
  if (flags.dryRun === true) {
    return { kind: 'dry-run' };
  }
  if (flags.yes === true) {
    return { kind: 'yes' };
  }
  const [verb, done] = ACTS[act];
  if (context.confirm === null) {
    return notConfirmed(context, flags, {
      code: 'confirm/no-terminal',
      message: `Not confirmed: there is no terminal to ask on. Nothing was ${done}.`,
      hint: `To ${verb} without a question: ${instead}`,
    });
  }
  if (about !== undefined && flags.format !== 'text') {
    context.stderr.write(about(stderrLook(context, flags)));
  }
  if (await context.confirm(question, word)) {
    return { kind: 'yes' };
  }
  context.signal.throwIfAborted();
  return notConfirmed(context, flags, {
    code: 'confirm/declined',
    message: `Not confirmed. Nothing was ${done}.`,
  });
}

async function notConfirmed(
  context: CliContext,
  flags: AnyFlags,
  error: Parameters<typeof writeErrorJson>[2],
): Promise<Confirmation> {
  const { message, hint } = error;
  context.stderr.write(`${hint === undefined ? message : `${message} ${hint}`}\n`);
  await writeErrorJson(context, flags, error);
  return { kind: 'ended', code: EXIT.refused };
}
