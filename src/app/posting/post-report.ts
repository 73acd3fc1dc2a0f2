import {
  commentParts,
  withNotice,
  messageOf,
  pendingNotice,
  wholeText,
  commentsAbout,
  settleComments,
} from '../../forge/index.ts';
import type { Marker, Forge, ForgeRun } from '../../forge/index.ts';
import { repositoryFolder } from '../project/repository-folder.ts';
import type { Selection } from '../project/selection.ts';
import { writeOutput } from '../project/write-output.ts';
import { linksOf, readForgeRun } from './forge-run.ts';
import type { ForgeContext } from './open-forge.ts';
import { openForge } from './open-forge.ts';
import type { ResultReport } from './result-document.ts';
import { readReport } from './result-document.ts';
import { appendStepSummary } from './step-summary.ts';
import { renderReport } from './render-report.ts';

/** The result to post, and where. */
export interface PostOptions extends ForgeContext {
  readonly forge: ForgeRun['kind'];
  /** Path of the result; null to only mark the posted plan as outdated. */
  readonly file: string | null;
  readonly selection: Selection;
  /** The command that made the file; counts only if it failed before it had a plan or outcomes, which tell the command themselves. */
  readonly subject?: 'plan' | 'apply' | undefined;
  /** The project's name in comments; its folder in the repository unless given. */
  readonly name?: string | undefined;
  /** The pull request; that of the run unless given. */
  readonly pullRequest?: number | undefined;
  /** Path of a file to write the whole text to. */
  readonly artifact?: string | undefined;
}

/** What was done with a result. */
export type Posted =
  | { readonly kind: 'posted'; readonly pullRequest: number; readonly parts: number; readonly writes: number }
  /** A result for a newer commit is already posted, and stays. */
  | { readonly kind: 'superseded'; readonly pullRequest: number; readonly sha: string }
  | { readonly kind: 'outdated'; readonly pullRequest: number; readonly marked: boolean }
  /** Nothing was posted; `summary` says whether the step summary has it. */
  | { readonly kind: 'not-posted'; readonly reason: string; readonly summary: boolean };

const FORK = 'the files come from a fork, and what can write a comment must not be steered by them';

const NO_REQUEST = {
  github: 'no pull request belongs to this run',
  gitlab: 'no merge request belongs to this run',
} as const;

/** Posts a result of another command to its pull request, in place of the previous result. */
export async function postReport(options: PostOptions): Promise<Posted> {
  const run = await readForgeRun(options.forge, options.env);
  const folder = await repositoryFolder(options.selection);
  const name = options.name ?? folder;
  if (options.file === null) {
    return markOutdated(run, name, options);
  }
  const report = await readReport(options.file);
  const subject = subjectOf(report, options.subject);
  const rendered = renderReport(report, linksOf(run, folder), { subject });
  if (options.artifact !== undefined) {
    await writeOutput(
      { cwd: options.selection.cwd, path: options.artifact, config: options.selection.config },
      wholeText(rendered, name),
    );
  }
  const keep = async (reason: string): Promise<Posted> => ({
    kind: 'not-posted',
    reason,
    summary: await appendStepSummary(rendered, name, options.env),
  });
  if (run.foreign) {
    return keep(FORK);
  }
  const forge = await openForge(run, options);
  const number = await pullRequestNumber(forge, run, options);
  if (number === null) {
    return keep(NO_REQUEST[options.forge]);
  }
  const at = options.clock.now();
  const look = async (): Promise<{ readonly headSha: string; readonly fork: boolean }> =>
    forge.pullRequest(number);
  // Only a plan can come from a fork: what was applied is on a branch of this repository.
  if (subject === 'plan' && (await look()).fork) {
    return keep(FORK);
  }
  const marker: Marker = { subject, name, sha: run.sha, run: run.run, at, state: rendered.digest ?? '' };
  const settled = await settleComments(
    forge.thread(number),
    async () => {
      const headSha = subject === 'plan' ? (await look()).headSha : null;
      const message = messageOf(rendered, run, { marker, headSha });
      return { marker, headSha, bodies: commentParts(message, forge.limit) };
    },
    options.clock,
  );
  return settled.kind === 'superseded'
    ? { kind: 'superseded', pullRequest: number, sha: settled.by.sha }
    : { kind: 'posted', pullRequest: number, parts: settled.parts, writes: settled.writes };
}

/**
 * Returns whether a result replaces the posted plan or the posted apply, which stand beside each other; `failed` decides for other
 * results.
 */
function subjectOf(report: ResultReport, failed: 'plan' | 'apply' = 'plan'): 'plan' | 'apply' {
  return report.kind === 'outcomes' ? 'apply' : report.kind === 'plan' ? 'plan' : failed;
}

/** Returns the pull request that is given, that of the event, or the one that contains the commit; null if there is none. */
async function pullRequestNumber(
  forge: Forge,
  run: ForgeRun,
  { pullRequest }: PostOptions,
): Promise<number | null> {
  return pullRequest ?? run.pullRequest?.number ?? (run.sha === '' ? null : forge.pullRequestOf(run.sha));
}

/** Adds a notice to a posted plan that it is for an older commit; does nothing if it is for the newest. */
async function markOutdated(run: ForgeRun, name: string, options: PostOptions): Promise<Posted> {
  if (run.foreign) {
    return { kind: 'not-posted', reason: FORK, summary: false };
  }
  const forge = await openForge(run, options);
  const number = await pullRequestNumber(forge, run, options);
  if (number === null) {
    return { kind: 'not-posted', reason: NO_REQUEST[options.forge], summary: false };
  }
  const { headSha } = await forge.pullRequest(number);
  const thread = forge.thread(number);
  const [first] = commentsAbout(await thread.list(), { subject: 'plan', name });
  if (first === undefined || first.marker.sha === headSha) {
    return { kind: 'outdated', pullRequest: number, marked: false };
  }
  const written = await thread.update(
    first.id,
    withNotice(first.body, pendingNotice(first.marker.sha, headSha)),
  );
  return { kind: 'outdated', pullRequest: number, marked: written.kind === 'done' };
}
