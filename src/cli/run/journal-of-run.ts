import { resolve } from 'node:path';
import type { JournalChoice } from '../../app/index.ts';
import { notPutBack, settleUnfinished, unfinishedRun, projectFolder } from '../../app/index.ts';
import type { Plan } from '../../model/index.ts';
import { notPutBackDocument, unfinishedDocument } from '../../report/index.ts';
import type { CliContext } from '../context.ts';
import type { FormatFlags, GuardFlags, SelectionFlags, ServiceFlags, PartFlags } from '../flags.ts';
import type { WriteFlags } from '../write-flags.ts';
import { startProgress } from '../progress.ts';
import { detailOf, tell } from '../result.ts';
import { tellDocument } from '../tell-document.ts';
import { selectionOf, serviceOf } from '../service-choice.ts';
import { isNarrowed } from './saved-plan.ts';

/** Flags of a command that records its writes in a journal. */
export interface JournalFlags
  extends
    FormatFlags,
    SelectionFlags,
    ServiceFlags,
    GuardFlags,
    PartFlags,
    Pick<WriteFlags, 'journal' | 'dryRun' | 'yes'> {}

/** A command that records its writes in a journal, as it was typed. */
export interface Journaling {
  readonly context: CliContext;
  readonly flags: JournalFlags;
  readonly paths: readonly string[];
}

/** Returns the journal that the flags name, or that of the project. */
export async function journalChoice(
  context: CliContext,
  flags: Pick<JournalFlags, 'journal'> & SelectionFlags,
  paths: readonly string[],
): Promise<JournalChoice> {
  return {
    journal: flags.journal === undefined ? null : resolve(context.cwd, flags.journal),
    cwd: await projectFolder(selectionOf(context, flags, paths)),
  };
}

/** Reports that the run waits, for at most `ms` milliseconds. */
export function tellWaiting({ context, flags }: Journaling, ms: number): void {
  const seconds = Math.ceil(ms / 1000);
  const text = `An earlier apply crashed right after it had sent a write, which may still take effect: waiting for it, ${seconds} s at most.`;
  tell(context, flags, text);
}

/** Reports what an earlier apply that crashed did and did not do; returns whether there was one. */
export async function tellUnfinished({ context, flags, paths }: Journaling): Promise<boolean> {
  const service = await serviceOf(context, flags, paths);
  const choice = await journalChoice(context, flags, paths);
  const run = await startProgress(context, flags, (report) => unfinishedRun(choice, service, report));
  if (run !== null && flags.quiet !== true) {
    tellDocument(context, flags, unfinishedDocument(run, detailOf(flags)));
  }
  return run !== null;
}

/** Reports what an earlier apply failed to put back: what follows goes on from there. */
export async function tellNotPutBack({ context, flags, paths }: Journaling): Promise<void> {
  const service = await serviceOf(context, flags, paths);
  const choice = await journalChoice(context, flags, paths);
  const left = await startProgress(context, flags, (report) => notPutBack(choice, service, report));
  if (left.length > 0 && flags.quiet !== true) {
    tellDocument(context, flags, notPutBackDocument(left));
  }
}

/** Records the end of a crashed run once nothing is left to do in a plan of the whole project, or of all scopes of that run, such as its shard. */
export async function settle({ context, flags, paths }: Journaling, plan: Plan): Promise<void> {
  // Paths and targets can leave out a part of a scope.
  const isPart = paths.length > 0 || (flags.target ?? []).length > 0;
  if (!isPart && flags.dryRun !== true) {
    const within = isNarrowed(flags, paths) ? plan : undefined;
    await settleUnfinished(await journalChoice(context, flags, paths), { clock: context.clock, within });
  }
}
