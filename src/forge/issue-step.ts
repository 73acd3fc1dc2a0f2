import { assertNever } from '../model/assert-never.ts';
import type { Marker } from './marker.ts';
import { isAbout, readMarker, withMarker } from './marker.ts';
import type { Issue } from './port.ts';
import { sameText } from './settle-comments.ts';

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
export type IssueStep =
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
export function nextStep(all: readonly Issue[], { marker, finding, title, bodies }: WantedIssue): IssueStep {
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
export function oursAmong(
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
export function firstBody([body = '']: readonly string[], marker: Marker, there: Marker | null): string {
  return there?.told === undefined ? body : withMarker(body, { ...marker, told: there.told });
}
