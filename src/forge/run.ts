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
