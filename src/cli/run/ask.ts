import type { Unconfirmed } from '../../model/unconfirmed.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import type { OutputFlags } from '../flags.ts';
import { tell } from '../result.ts';

/** A confirmation before writes. */
interface Question {
  readonly question: string;
  readonly act: keyof typeof ACTS;
  /** What the answer is about, where it was not shown yet: nobody can say yes to that. */
  readonly about?: () => string;
}

/** What is asked for, and what is said where nothing of it was done. */
const ACTS = {
  apply: ['apply', 'written'],
  delete: ['delete', 'deleted'],
  bringBack: ['bring them back and apply', 'written'],
} as const;

/** Asks before anything is written, unless that was agreed to or cannot happen; says why when it is not to go on. */
export async function ask(
  context: CliContext,
  flags: OutputFlags & { readonly yes?: boolean | undefined; readonly dryRun?: boolean | undefined },
  { question, act, about }: Question,
): Promise<'yes' | Unconfirmed> {
  if (flags.dryRun === true || flags.yes === true) {
    return 'yes';
  }
  const [verb, done] = ACTS[act];
  const nothing = `Nothing was ${done}.`;
  if (context.confirm === null) {
    context.stderr.write(
      `Not confirmed: there is no terminal to ask on. ${nothing} To ${verb} without a question: --yes\n`,
    );
    return 'no-terminal';
  }
  if (about !== undefined) {
    context.stderr.write(about());
  }
  if (await context.confirm(question)) {
    return 'yes';
  }
  context.signal.throwIfAborted();
  tell(context, flags, `Not confirmed. ${nothing}`);
  return 'declined';
}

/** How a command ends that was not agreed to. */
export const UNCONFIRMED_EXIT: Readonly<Record<Unconfirmed, ExitCode>> = {
  'no-terminal': EXIT.refused,
  declined: EXIT.refused,
};
