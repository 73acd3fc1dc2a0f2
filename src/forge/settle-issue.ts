import { assertNever } from '../data/index.ts';
import { RulewrightError } from '../model/index.ts';
import type { Clock } from '../network/index.ts';
import type { Marker } from './marker.ts';
import { readMarker, withMarker, isAbout } from './marker.ts';
import type { Issue, IssueText, Issues, ForgeWriteResult } from './port.ts';
import { commentsAbout, settleComments, sameText } from './settle-comments.ts';

/** The content that the drift issue of a project should have. */
export interface WantedIssue {
  readonly marker: Marker;
  /**
   * `drifted`: there is drift. `clean`: everything was read and there is none. `unknown`: none was found, but not everything was read, so
   * the issue is neither opened nor closed.
   */
  readonly finding: 'drifted' | 'clean' | 'unknown';
  readonly title: string;
  /** The body of the issue, then the bodies of comments for what does not fit into it. */
  readonly bodies: readonly string[];
  /** The comment for closing or reopening the issue. Begins with the marker. */
  readonly news: string;
}

/** How this run changed the drift issue. */
export type IssueChange = 'none' | 'opened' | 'changed' | 'closed' | 'reopened' | 'superseded';

/** The next step with the issues of a project. */
type IssueStep =
  | { readonly kind: 'nothing'; readonly issue: Issue | null }
  | { readonly kind: 'superseded'; readonly issue: Issue }
  | { readonly kind: 'create' }
  | { readonly kind: 'duplicate'; readonly issue: Issue; readonly of: number }
  | {
      readonly kind: 'update';
      readonly issue: Issue;
      readonly change: Exclude<IssueChange, 'opened' | 'superseded'>;
      /** Whether to open or close the issue; absent when that does not change. */
      readonly open?: boolean;
    };

/** Compares the issues of a project with the wanted issue and returns the next step. */
function nextStep(all: readonly Issue[], { marker, finding, title, bodies }: WantedIssue): IssueStep {
  const ours = oursAmong(all, marker);
  const open = ours.filter(({ issue }) => issue.open);
  const [kept = ours.at(-1), ...duplicates] = open;
  const [duplicate] = duplicates;
  if (kept === undefined) {
    return finding === 'drifted' ? { kind: 'create' } : { kind: 'nothing', issue: null };
  }
  const { issue, there } = kept;
  if (duplicate !== undefined) {
    return { kind: 'duplicate', issue: duplicate.issue, of: issue.number };
  }
  if (there.at > marker.at) {
    return { kind: 'superseded', issue };
  }
  const body = firstBody(bodies, marker, there);
  const says = sameText(issue.body, body) && issue.title === title;
  const another = there.state !== marker.state;
  switch (finding) {
    case 'drifted':
      if (issue.open) {
        return says
          ? { kind: 'nothing', issue }
          : { kind: 'update', issue, change: another ? 'changed' : 'none' };
      }
      return another ? { kind: 'update', issue, change: 'reopened', open: true } : { kind: 'nothing', issue };
    case 'clean':
      return issue.open || another
        ? { kind: 'update', issue, change: issue.open ? 'closed' : 'none', open: false }
        : { kind: 'nothing', issue };
    case 'unknown':
      return { kind: 'nothing', issue };
    default:
      return assertNever(finding);
  }
}

/** Returns the issues of this account about a project, each with its marker, oldest first. */
function oursAmong(
  all: readonly Issue[],
  marker: Marker,
): readonly { readonly issue: Issue; readonly there: Marker }[] {
  return all
    .filter(({ mine }) => mine)
    .flatMap((issue) => {
      const there = readMarker(issue.body);
      return isAbout(there, marker) ? [{ issue, there }] : [];
    })
    .sort((a, b) => a.issue.number - b.issue.number);
}

/** Returns the body of the issue; the state that the webhook was last told is carried over from the existing marker. */
function firstBody([body = '']: readonly string[], marker: Marker, there: Marker | null): string {
  return there?.told === undefined ? body : withMarker(body, { ...marker, told: there.told });
}

/** The result; the URL is null when there is no issue. */
export interface SettledIssue {
  readonly change: IssueChange;
  readonly webUrl: string | null;
  /** The change that the webhook was not told yet; null when there is none. */
  readonly unreported: Unreported | null;
}

/** A change of state that no webhook has received yet, perhaps because earlier deliveries failed. */
export interface Unreported {
  readonly change: Exclude<IssueChange, 'none' | 'superseded'>;
  readonly issue: Issue;
}

const MAX_ROUNDS = 6;

/**
 * Brings the issue of a project to the wanted state: reads the issues, does one step, and repeats this until nothing is left to do. When
 * two runs opened one each, the older stays. A person may close the issue while there is drift: it is reopened only when the drift changes.
 */
export async function settleIssue(issues: Issues, wanted: WantedIssue, clock: Clock): Promise<SettledIssue> {
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
      // Lists lag, and some tokens do not see their own issues; a second issue helps in neither case.
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

/** Records in the issue which state the webhook was told, so that the next run does not tell it again. */
export async function markNotified(
  issues: Issues,
  { issue }: Unreported,
  { marker }: WantedIssue,
): Promise<void> {
  const ours = oursAmong(await issues.list(), marker);
  const now = ours.find((one) => one.issue.number === issue.number);
  // If another run has written another state meanwhile, that run notifies the webhook itself.
  if (now !== undefined && now.there.state === marker.state) {
    const body = withMarker(now.issue.body, { ...now.there, told: marker.state });
    await issues.update(issue.number, { body });
  }
}

/**
 * Returns the change that the webhook was not told yet. Drift whose issue a person has closed counts as known, and an incomplete reading is
 * no news.
 */
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

/** Reads the issues of a project. When none with the label is open, reads all open issues as well, because people remove labels. */
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
  clock: Clock,
): Promise<ForgeWriteResult> {
  const there = step.kind === 'update' ? readMarker(step.issue.body) : null;
  const text: IssueText = { title: wanted.title, body: firstBody(wanted.bodies, wanted.marker, there) };
  switch (step.kind) {
    case 'create':
      return issues.create(text);
    case 'duplicate':
      // Without its marker the duplicate is not found again.
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

/** Posts one comment for people who follow the issue, unless it is there: the step may be repeated. */
async function tellNews(issues: Issues, number: number, { marker, news }: WantedIssue): Promise<void> {
  const thread = issues.thread(number);
  const told = commentsAbout(await thread.list(), { ...marker, subject: 'news' });
  if (!told.some((one) => one.marker.at === marker.at)) {
    await thread.create(news);
  }
}

/** Settles the comments for what does not fit into the body; they are updated in place as well. */
async function settleRest(issues: Issues, number: number, wanted: WantedIssue, clock: Clock): Promise<void> {
  const { marker, bodies } = wanted;
  await settleComments(
    issues.thread(number),
    () => Promise.resolve({ marker, headSha: null, bodies: bodies.slice(1) }),
    clock,
  );
}
