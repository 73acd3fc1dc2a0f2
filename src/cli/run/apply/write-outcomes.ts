import type { Plan, OutcomesDocument } from '../../../model/index.ts';
import { outcomesDocument } from '../../../report/index.ts';
import type { Look } from '../../../report/index.ts';
import { outcomesRenderings } from '../../renderings.ts';
import { writeResult } from '../../result.ts';
import { selectionOf } from '../../service-choice.ts';
import type { ApplyCommand } from '../apply-run.ts';

/** How an apply ended; parts that are left out did not happen. */
export type ApplyEnd = Pick<Parameters<typeof outcomesDocument>[1], 'result'> &
  Partial<Omit<Parameters<typeof outcomesDocument>[1], 'dryRun'>>;

/** Writes how an apply ended, in the formats that are wanted. */
export async function writeOutcomes(
  { context, flags, paths }: ApplyCommand,
  plan: Plan,
  ended: ApplyEnd,
  text: (look: Look, document: OutcomesDocument) => string,
): Promise<void> {
  const document = outcomesDocument(plan, {
    outcomes: [],
    refusals: [],
    ...ended,
    dryRun: flags.dryRun === true,
  });
  await writeResult(context, flags, {
    text: (look) => text(look, document),
    json: () => document,
    ...outcomesRenderings(plan, document, selectionOf(context, flags, paths)),
  });
}
