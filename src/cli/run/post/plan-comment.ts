import { resolve } from 'node:path';
import type { Posted } from '../../../app/index.ts';
import { postReport, usage } from '../../../app/index.ts';
import type { ForgeKind } from '../../../forge/index.ts';
import { assertNever } from '../../../data/index.ts';
import { counted } from '../../../text/index.ts';
import { escapeText } from '../../../report/index.ts';
import type { CommandRun } from '../../command.ts';
import type { CliContext } from '../../context.ts';
import type { ExitCode } from '../../exit-code.ts';
import { EXIT } from '../../exit-code.ts';
import { writeResult } from '../../result.ts';
import { selectionOf } from '../../service-choice.ts';
import type { PostingFlags, PlanCommentFlags, PlanNoteFlags } from '../../flags/forge.ts';
import { forgeContext, whilePosting } from './forge-context.ts';

/** Posts a result to the pull request of this run. */
export const runPlanComment: CommandRun<PlanCommentFlags, [string?]> = (context, flags, file) =>
  post(context, flags, { forge: 'github', pullRequest: flags.pullRequest, file });

/** Posts a result to the merge request of this run. */
export const runPlanNote: CommandRun<PlanNoteFlags, [string?]> = (context, flags, file) =>
  post(context, flags, { forge: 'gitlab', pullRequest: flags.mergeRequest, file });

/** What to post, and where. */
interface Posting {
  readonly forge: ForgeKind;
  readonly pullRequest: number | undefined;
  readonly file: string | undefined;
}

async function post(
  context: CliContext,
  flags: PostingFlags,
  { forge, pullRequest, file }: Posting,
): Promise<ExitCode> {
  const given = [file, flags.findings].filter((one) => one !== undefined);
  if (given.length + (flags.pending === true ? 1 : 0) !== 1) {
    throw usage(
      'expected one of FILE, --findings and --pending',
      'name the JSON of a plan: plan --out plan.json',
    );
  }
  const [path] = given;
  const posted = await whilePosting(context, () =>
    postReport({
      ...forgeContext(context, flags),
      forge,
      file: path === undefined ? null : resolve(context.cwd, path),
      selection: selectionOf(context, flags, []),
      name: flags.name,
      subject: flags.subject,
      pullRequest,
      artifact: flags.artifact,
    }),
  );
  await writeResult(context, flags, {
    text: () => `${postedText(posted)}\n`,
    json: () => ({ kind: 'posted', formatVersion: 1, result: posted }),
  });
  return EXIT.done;
}

function postedText(posted: Posted): string {
  switch (posted.kind) {
    case 'posted':
      return posted.writes === 0
        ? `#${posted.pullRequest} shows it already.`
        : `#${posted.pullRequest} shows it${posted.parts === 1 ? '' : `, in ${counted(posted.parts, 'part')}`}.`;
    case 'superseded':
      return `#${posted.pullRequest} shows the result for a newer commit, ${escapeText(posted.sha.slice(0, 10))}; it stays.`;
    case 'outdated':
      return posted.marked
        ? `What #${posted.pullRequest} shows is marked as outdated.`
        : `#${posted.pullRequest} shows nothing that is outdated.`;
    case 'not-posted':
      return `Not posted: ${posted.reason}.${posted.summary ? ' The summary of the step has it.' : ''}`;
    default:
      return assertNever(posted);
  }
}
