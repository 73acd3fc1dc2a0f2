/** A comment on a pull request or an issue; GitLab calls it a note. */
export interface Comment {
  /** Grows with every comment, so that the oldest has the lowest. */
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
  /** Whether it carries the label that its like are found by. */
  readonly labelled: boolean;
  readonly mine: boolean;
  readonly webUrl: string;
}

/**
 * The result of a write. `gone`: there is nothing at this place any more. `unknown`: no answer, or 5xx; it may have been done, and
 * only reading tells. Every other failure is thrown.
 */
export type WriteResult =
  | { readonly kind: 'done' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'unknown'; readonly reason: string };

/** The comments of one pull request or issue. */
export interface Thread {
  /** All of them, whatever pages they come in. */
  list(): Promise<readonly Comment[]>;
  create(body: string): Promise<WriteResult>;
  update(id: number, body: string): Promise<WriteResult>;
  remove(id: number): Promise<WriteResult>;
}

/** What an issue is to be. */
export interface IssueText {
  readonly title: string;
  readonly body: string;
}

/** The issues of a repository that carry one label, or did so once. */
export interface Issues {
  /** Open and closed ones with the label. */
  list(): Promise<readonly Issue[]>;
  /** Open ones with any label or none: people take labels away. By this account only, where the forge can tell. */
  listOpen(): Promise<readonly Issue[]>;
  /** Puts the label back, beside those that are there. */
  label(number: number): Promise<WriteResult>;
  create(text: IssueText): Promise<WriteResult>;
  update(number: number, change: Partial<IssueText> & { readonly open?: boolean }): Promise<WriteResult>;
  thread(number: number): Thread;
}

/** A pull request as the forge knows it now. */
export interface PullRequest {
  readonly headSha: string;
  /** Whether its files come from another repository. */
  readonly fork: boolean;
}

/** What this program needs of a forge; GitHub and GitLab are behind it. */
export interface Forge {
  /** Characters that a comment and the body of an issue may have. */
  readonly limit: number;
  pullRequest(number: number): Promise<PullRequest>;
  /** The pull request that brought a commit; null where none did. */
  pullRequestOf(sha: string): Promise<number | null>;
  thread(pullRequest: number): Thread;
  issues(label: string): Issues;
}

/** The time, as what waits for a forge sees it. */
export interface ForgeClock {
  now(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
