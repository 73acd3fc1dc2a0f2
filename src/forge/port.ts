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
export type WriteResult =
  | { readonly kind: 'done' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'unknown'; readonly reason: string };

/** The comments of one pull request or issue. */
export interface Thread {
  /** Reads all comments, from all pages. */
  list(): Promise<readonly Comment[]>;
  create(body: string): Promise<WriteResult>;
  update(id: number, body: string): Promise<WriteResult>;
  remove(id: number): Promise<WriteResult>;
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
  label(number: number): Promise<WriteResult>;
  create(text: IssueText): Promise<WriteResult>;
  update(number: number, change: Partial<IssueText> & { readonly open?: boolean }): Promise<WriteResult>;
  thread(number: number): Thread;
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
  thread(pullRequest: number): Thread;
  issues(label: string): Issues;
}
