/** A comment on a pull request or an issue; GitLab calls it a note. */
export interface Comment {
  /** Increases with every comment: the oldest has the lowest id. */
  readonly id: number;
  readonly body: string;
  /** Whether this account wrote it; comments of others are neither trusted nor changed. */
  readonly mine: boolean;
}

/** An issue. */
export interface Issue {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly open: boolean;
  /** Whether the issue has the label by which this program finds its issues. */
  readonly labelled: boolean;
  readonly mine: boolean;
  readonly webUrl: string;
}

/**
 * The result of a write. `gone`: the object does not exist any more. `unknown`: no answer, or 5xx; the write may have been done, and only
 * reading shows whether. Every other failure is thrown.
 */
export type ForgeWriteResult =
  | { readonly kind: 'done' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'unknown'; readonly reason: string };

/** The comments of one pull request or issue. */
export interface CommentThread {
  /** Reads all comments, from all pages. */
  list(): Promise<readonly Comment[]>;
  create(body: string): Promise<ForgeWriteResult>;
  update(id: number, body: string): Promise<ForgeWriteResult>;
  remove(id: number): Promise<ForgeWriteResult>;
}

/** The text of an issue. */
export interface IssueText {
  readonly title: string;
  readonly body: string;
}

/** The issues of a repository that have, or once had, a label. */
export interface Issues {
  /** Lists open and closed issues with the label. */
  list(): Promise<readonly Issue[]>;
  /** Lists open issues whatever their labels, because people remove labels; only those of this account if the forge can filter by it. */
  listOpen(): Promise<readonly Issue[]>;
  /** Adds the label to an issue and keeps its others. */
  label(number: number): Promise<ForgeWriteResult>;
  create(text: IssueText): Promise<ForgeWriteResult>;
  update(number: number, change: Partial<IssueText> & { readonly open?: boolean }): Promise<ForgeWriteResult>;
  thread(number: number): CommentThread;
}

/** The current state of a pull request at the forge. */
export interface PullRequest {
  readonly headSha: string;
  /** Whether its files come from another repository. */
  readonly fork: boolean;
}

/** The interface to a forge, implemented for GitHub and GitLab. */
export interface Forge {
  /** The maximum number of characters of a comment and of the body of an issue. */
  readonly limit: number;
  pullRequest(number: number): Promise<PullRequest>;
  /** Returns the pull request that a commit came from; null when there is none. */
  pullRequestOf(sha: string): Promise<number | null>;
  thread(pullRequest: number): CommentThread;
  issues(label: string): Issues;
}

/** The facts about a pull request or merge request that a run knows. */
export interface PullRequestFacts {
  readonly number: number;
  /** The head commit; null when the event does not say. */
  readonly headSha: string | null;
  /** Whether it comes from another repository, whose files must not reach anything that can write. */
  readonly fork: boolean;
}

/** The forges that a run can be part of. */
export type ForgeKind = 'github' | 'gitlab';

/** The CI run at a forge that this program is part of, as described by its environment. */
export interface ForgeRun {
  readonly kind: ForgeKind;
  readonly apiUrl: string;
  /** The web address of the repository. */
  readonly webUrl: string;
  /** `owner/name` on GitHub, the number of the project on GitLab. */
  readonly repository: string;
  /** The commit that the result belongs to: that of the pull request, not that of a trial merge. */
  readonly sha: string;
  /** Increases with every run of the repository; a repeated run keeps its number. */
  readonly run: number;
  /** The web address of the run. */
  readonly runUrl: string | null;
  readonly pullRequest: PullRequestFacts | null;
  /** Whether the run is about files of another repository, whichever event started it. */
  readonly foreign: boolean;
}

/** Returns the web address of the project's folder at the commit of a run; `folder` is its path in the repository. */
export function sourceBase({ kind, webUrl, sha }: ForgeRun, folder: string): string {
  const parts = folder.split('/').filter((part) => part !== '' && part !== '.');
  const path = parts.map((part) => `${encodeURIComponent(part)}/`).join('');
  return `${webUrl}/${kind === 'gitlab' ? '-/' : ''}blob/${sha}/${path}`;
}

/** The formats of a notification. */
export const WEBHOOK_SHAPES = ['json', 'slack'] as const;

export type WebhookShape = (typeof WEBHOOK_SHAPES)[number];
