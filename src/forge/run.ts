/** A pull request or merge request, as the run that looks at it knows it. */
export interface PullRequestFacts {
  readonly number: number;
  /** The commit that it proposes; null where the event does not say. */
  readonly headSha: string | null;
  /** Whether it comes from another repository, whose files must not reach anything that can write. */
  readonly fork: boolean;
}

/** The run of a forge that this program is part of, as its environment describes it. */
export interface ForgeRun {
  readonly kind: 'github' | 'gitlab';
  readonly apiUrl: string;
  /** Web address of the repository. */
  readonly webUrl: string;
  /** `owner/name`, or the number of a project. */
  readonly repository: string;
  /** The commit that the result is for: that of the pull request, not of a trial merge. */
  readonly sha: string;
  /** Grows with every run of the repository; a repeated run keeps its number. */
  readonly run: number;
  /** Web address of the run. */
  readonly runUrl: string | null;
  readonly pullRequest: PullRequestFacts | null;
  /** Whether the run is for files of another repository, whichever event started it. */
  readonly foreign: boolean;
}

/** Where files of the repository can be looked at as they were for a run; `folder` is the project's place in it. */
export function sourceBase({ kind, webUrl, sha }: ForgeRun, folder: string): string {
  const parts = folder.split('/').filter((part) => part !== '' && part !== '.');
  const path = parts.map((part) => `${encodeURIComponent(part)}/`).join('');
  return `${webUrl}/${kind === 'gitlab' ? '-/' : ''}blob/${sha}/${path}`;
}
