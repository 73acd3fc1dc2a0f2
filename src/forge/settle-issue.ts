import { assertNever } from '../model/assert-never.ts';
import { RulewrightError } from '../model/error.ts';
import type { IssueChange, IssueStep, WantedIssue } from './issue-step.ts';
import { firstBody, nextStep, oursAmong } from './issue-step.ts';
import type { Marker } from './marker.ts';
import { readMarker, withMarker } from './marker.ts';
import type { ForgeClock, Issue, IssueText, Issues, WriteResult } from './port.ts';
import { commentsAbout, settleComments } from './settle-comments.ts';

/** The result; the URL is null without an issue. */
export interface SettledIssue {
  readonly change: IssueChange;
  readonly webUrl: string | null;
  /** What the webhook has not heard of yet; null where it knows. */
  readonly unreported: Unreported | null;
}

/** A change of state that no webhook has received yet, perhaps because earlier deliveries failed. */
export interface Unreported {
  readonly change: Exclude<IssueChange, 'none' | 'superseded'>;
  readonly issue: Issue;
}

const MAX_ROUNDS = 6;

/**
 * Makes the one issue of a project as wanted: looks, does one step, looks again until nothing is left. Two runs that opened one each
 * keep the older. A person may close it while there is drift: it is opened again only when the drift is another.
 */
export async function settleIssue(
  issues: Issues,
  wanted: WantedIssue,
  clock: ForgeClock,
): Promise<SettledIssue> {
  let change: IssueChange = 'none';
  let taken = false;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const step = nextStep(await look(issues, wanted.marker), wanted);
    if ((step.kind === 'nothing' || step.kind === 'update') && step.issue?.labelled === false) {
      await issues.label(step.issue.number);
    }
    if (step.kind === 'superseded') {
      return {
        change: change === 'none' ? 'superseded' : change,
        webUrl: step.issue.webUrl,
        unreported: null,
      };
    }
    if (step.kind === 'nothing') {
      if (step.issue?.open === true && wanted.finding === 'drifted') {
        await settleRest(issues, step.issue.number, wanted, clock);
      }
      return {
        change,
        webUrl: step.issue?.webUrl ?? null,
        unreported: unreportedOf(step.issue, change, wanted),
      };
    }
    if (step.kind === 'create' && taken) {
      // Lists lag, and some tokens do not see their own issues; a second one helps neither.
      await clock.sleep(1000 * 2 ** round);
      continue;
    }
    const written = await carryOut(issues, step, wanted, clock);
    if (step.kind === 'create') {
      change = 'opened';
      taken = written.kind === 'done';
    } else if (step.kind === 'update' && change === 'none') {
      change = step.change;
    }
    if (written.kind === 'unknown') {
      await clock.sleep(1000 * 2 ** round);
    }
  }
  throw new RulewrightError(
    taken
      ? 'the issue was opened, but the forge does not list it among those of this account'
      : 'the issue could not be updated',
    {
      code: 'forge/unsettled',
      fault: 'remote',
      hint: taken
        ? 'close it by hand, and give the step a token that may read issues and say which account it belongs to'
        : 'run it again; give the workflow a concurrency group, so that its runs do not overlap',
    },
  );
}

/** Keeps in the issue what the webhook has heard of, so that the next run does not tell it again. */
export async function markNotified(
  issues: Issues,
  { issue }: Unreported,
  { marker }: WantedIssue,
): Promise<void> {
  const ours = oursAmong(await issues.list(), marker);
  const now = ours.find((one) => one.issue.number === issue.number);
  // Another run has written meanwhile: it tells its own state.
  if (now !== undefined && now.there.state === marker.state) {
    const body = withMarker(now.issue.body, { ...now.there, told: marker.state });
    await issues.update(issue.number, { body });
  }
}

/** Drift whose issue a person has closed is known, and what could not be read is no news. */
function unreportedOf(
  issue: Issue | null,
  change: IssueChange,
  { finding, marker }: WantedIssue,
): Unreported | null {
  const told = issue === null ? '' : (readMarker(issue.body)?.told ?? '');
  if (issue === null || told === marker.state || issue.open !== (finding === 'drifted')) {
    return null;
  }
  switch (finding) {
    case 'unknown':
      return null;
    case 'clean':
      return { change: 'closed', issue };
    case 'drifted':
      return { change: told === '' ? openingOf(change) : 'changed', issue };
    default:
      return assertNever(finding);
  }
}

function openingOf(change: IssueChange): 'reopened' | 'opened' {
  return change === 'reopened' ? 'reopened' : 'opened';
}

/** The issues of a project; among all that are open where none with the label is, for people take labels away. */
async function look(issues: Issues, marker: Marker): Promise<readonly Issue[]> {
  const labelled = await issues.list();
  return oursAmong(labelled, marker).some(({ issue }) => issue.open)
    ? labelled
    : [...labelled.filter(({ open }) => !open), ...(await issues.listOpen())];
}

async function carryOut(
  issues: Issues,
  step: Exclude<IssueStep, { readonly kind: 'nothing' | 'superseded' }>,
  wanted: WantedIssue,
  clock: ForgeClock,
): Promise<WriteResult> {
  const there = step.kind === 'update' ? readMarker(step.issue.body) : null;
  const text: IssueText = { title: wanted.title, body: firstBody(wanted.bodies, wanted.marker, there) };
  switch (step.kind) {
    case 'create':
      return issues.create(text);
    case 'duplicate':
      // Without its marker it is not found again.
      return issues.update(step.issue.number, { body: `Duplicate of #${step.of}.`, open: false });
    case 'update': {
      const { number } = step.issue;
      if (step.change === 'closed' || step.change === 'reopened') {
        await tellNews(issues, number, wanted);
      }
      if (wanted.finding === 'clean') {
        await settleRest(issues, number, { ...wanted, bodies: [] }, clock);
      }
      return issues.update(number, { ...text, ...(step.open === undefined ? {} : { open: step.open }) });
    }
    default:
      return assertNever(step);
  }
}

/** One comment for people who follow the issue; looked up first, since the step may be done a second time. */
async function tellNews(issues: Issues, number: number, { marker, news }: WantedIssue): Promise<void> {
  const thread = issues.thread(number);
  const told = commentsAbout(await thread.list(), { ...marker, subject: 'news' });
  if (!told.some((one) => one.marker.at === marker.at)) {
    await thread.create(news);
  }
}

/** What does not fit into the body stands in comments, which are updated in place as well. */
async function settleRest(
  issues: Issues,
  number: number,
  wanted: WantedIssue,
  clock: ForgeClock,
): Promise<void> {
  const { marker, bodies } = wanted;
  await settleComments(
    issues.thread(number),
    () => Promise.resolve({ marker, headSha: null, bodies: bodies.slice(1) }),
    clock,
  );
}
