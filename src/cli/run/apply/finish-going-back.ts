import type { UnfinishedRollout } from '../../../app/index.ts';
import { finishRollback, interruptedRollback } from '../../../app/index.ts';
import { RulewrightError } from '../../../model/index.ts';
import { errorReport, escapeText, finishedRollbackDocument, wholeText } from '../../../report/index.ts';
import { someNames } from '../../../text/index.ts';
import { EXIT } from '../../exit-code.ts';
import { startProgress } from '../../progress.ts';
import { writeErrorJson } from '../../report-failure.ts';
import { detailOf, stdoutLook, tell } from '../../result.ts';
import { serviceOf } from '../../service-choice.ts';
import { tellDocument } from '../../tell-document.ts';
import { ask } from '../ask.ts';
import type { Journaling } from '../journal-of-run.ts';
import { journalChoice } from '../journal-of-run.ts';
import type { EndedEarly } from '../report-findings.ts';

/** Number of rulesets, lists and settings that are named. */
const NAMED = 5;

/**
 * Puts back the rest of what an earlier apply wrote that ended while it put that back, and ends the command: what that apply found wrong is not to be
 * written again by a mere repetition. Null: there was no such run, or nothing is to be written at all.
 */
export async function finishGoingBack(run: Journaling): Promise<EndedEarly | null> {
  const { context, flags, paths } = run;
  const options = await serviceOf(context, flags, paths);
  const choice = await journalChoice(context, flags, paths);
  const unfinished = await startProgress(context, flags, (report) =>
    interruptedRollback(choice, options, report),
  );
  if (unfinished === null) {
    return null;
  }
  tell(context, flags, toldOf(unfinished));
  const answer = await ask(context, flags, {
    question: 'Put back the rest of it? Type "yes" to confirm: ',
    act: 'putBack',
    instead: 'rulewright apply --yes',
  });
  if (answer.kind === 'ended') {
    return answer;
  }
  if (answer.kind === 'dry-run') {
    tell(context, flags, 'An apply finishes that before it does anything else.');
    return null;
  }
  const rollback = await startProgress(context, flags, (report) =>
    finishRollback(unfinished, choice, { options, report }),
  );
  const error = new RulewrightError(
    `An earlier apply ended while it put back what it had written. ${
      rollback.result === 'partial' ? 'Not all of it could be put back' : 'The rest is put back'
    }; nothing else was written.`,
    {
      code: 'apply/went-back',
      fault: 'remote',
      hint: 'see why that apply put it back, mend the files, and apply again',
    },
  );
  const document = finishedRollbackDocument(rollback, detailOf(flags));
  if (flags.format === 'text') {
    context.stdout.write(wholeText(document, stdoutLook(context, { ...flags, output: undefined })));
  } else {
    tellDocument(context, flags, document);
  }
  tellDocument(context, flags, errorReport(error));
  await writeErrorJson(context, flags, error);
  return { kind: 'ended', code: EXIT.partial };
}

function toldOf({ writes }: UnfinishedRollout): string {
  const steps = writes.flatMap(({ wrote }) =>
    [...wrote.steps, ...wrote.objects].filter(({ landed }) => landed > 0).map(({ step }) => step),
  );
  const what = steps.length === 0 ? '' : `: ${escapeText(someNames([...new Set(steps)], NAMED))}`;
  return `An earlier apply ended while it put back what it had written${what}.`;
}
