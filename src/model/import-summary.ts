import type { DriftChange } from './drift.ts';

/** Why a live ruleset is left out. */
export interface WhyLeftOut {
  readonly code:
    /** Another interface writes it. */
    | 'written-elsewhere'
    /** `ownership` gives none of its rules to the project. */
    | 'not-owned'
    /** The service does not say whose it is. */
    | 'owner-unknown'
    /** No file can say all of it. */
    | 'unfit';
  readonly reason: string;
}

/** A live ruleset that no file of ours has or can have. */
export interface LeftOut extends WhyLeftOut {
  readonly kind: 'entrypoint' | 'custom';
  readonly phase: string;
  readonly name: string;
}

/** A field of rules that this version does not know, and how many rules have it. */
export interface UnknownField {
  readonly field: string;
  readonly rules: number;
}

/** What an import makes of the files of one scope. */
export interface ImportedFiles {
  /** Where no file changes: `unchanged` if nothing is kept that differs from live, else `differs`. */
  readonly kind: 'new' | 'changed' | 'differs' | 'unchanged';
  readonly rulesets: number;
  readonly rules: number;
  readonly leftOut: readonly LeftOut[];
  /** Live rulesets with rules that no file declares and that were not asked for, as the files would call them. */
  readonly unmanaged: readonly string[];
  /** What differs from live and stays as the files say it, with the reason. */
  readonly kept: readonly string[];
  /** Rules that are not live and go out of the files, each with the place where it stood. */
  readonly removed: readonly string[];
  /** Rules that have another name live, each with its old one, the place where it stands, and the new one. */
  readonly renamed: readonly string[];
  /** Variables and comments that go out of what stays in the files, each with the place where it stood. */
  readonly dropped: readonly string[];
  /** Headers whose values look like secrets and stand in the files in clear, with their rules. */
  readonly inClear: readonly string[];
  /** What files that declared the scope already take over from live: each rule that differed, judged by what live has become. */
  readonly changes: readonly DriftChange[];
  /** What rules have live that no file can say. */
  readonly unknown: readonly UnknownField[];
}

/** Why an import would write none of the files of a scope, and what to do about it. */
export interface ImportRefusal {
  readonly message: string;
  readonly hint?: string | undefined;
}

/** What became of the files of one scope in an import. */
export type ImportedScope =
  | (ImportedFiles & {
      readonly scope: string;
      /** Files that were made or changed, by their paths from the project folder. */
      readonly files: readonly string[];
      /** Of a dry run alone: an import itself would fail with this, and change none of them. */
      readonly refusal?: ImportRefusal | undefined;
    })
  /** It could not be read or written; its files are as they were. */
  | (ImportRefusal & { readonly kind: 'failed'; readonly scope: string });

/** A file that a dry run would make or change: its text before, empty where there is none, and after, without what looks like a secret. */
export interface PendingFile {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** What an import did. */
export interface ImportSummary {
  readonly scopes: readonly ImportedScope[];
  /** All files that were made or changed, the project file among them. */
  readonly written: readonly string[];
  /** What a dry run would have written; null where the run was none. */
  readonly pending: readonly PendingFile[] | null;
  readonly requests: number;
}
