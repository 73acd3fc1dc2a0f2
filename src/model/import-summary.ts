import type { DriftChange } from './drift.ts';

/** Why a live ruleset is left out. */
export interface WhyLeftOut {
  readonly code:
    /** Another interface writes it. */
    | 'written-elsewhere'
    /** `ownership` makes none of its rules ours. */
    | 'not-owned'
    /** The service does not say whom it belongs to. */
    | 'owner-unknown'
    /** No file can express all of it. */
    | 'unfit';
  readonly reason: string;
}

/** A live ruleset that the import leaves out of the files. */
export interface LeftOut extends WhyLeftOut {
  readonly kind: 'entrypoint' | 'custom';
  readonly phase: string;
  readonly name: string;
}

/** A rule field that this version does not know, and how many rules have it. */
export interface UnknownField {
  readonly field: string;
  readonly rules: number;
}

/** What an import does to the files of one scope. */
export interface ImportedFiles {
  /** When no file changes: `unchanged` if the files say exactly what is live, `differs` if a kept difference remains. */
  readonly kind: 'new' | 'changed' | 'differs' | 'unchanged';
  readonly rulesets: number;
  readonly rules: number;
  readonly leftOut: readonly LeftOut[];
  /** Names, as in files, of live rulesets with rules that no file declares and that the import was not asked for. */
  readonly unmanaged: readonly string[];
  /** Differences from live that stay in the files, each with the reason. */
  readonly kept: readonly string[];
  /** Rules removed from the files since they are not live, each with the place where it stood. */
  readonly removed: readonly string[];
  /** Rules that have another name live: old name, place in the files, and new name. */
  readonly renamed: readonly string[];
  /** Variables and comments lost from parts of the files that otherwise stay, each with the place where it stood. */
  readonly dropped: readonly string[];
  /** Headers whose values look like secrets and are written to the files in clear text, with their rules. */
  readonly inClear: readonly string[];
  /** Live rules that this version cannot read, each with the reason: the files keep their text, or leave them to others. */
  readonly unread: readonly string[];
  /** What files that already declared the scope take over from live: each rule that differed, judged by what live has become. */
  readonly changes: readonly DriftChange[];
  /** Fields of live rules that no file can express. */
  readonly unknown: readonly UnknownField[];
}

/** Why an import would not write the files of a scope, and what to do about it. */
export interface ImportRefusal {
  readonly message: string;
  readonly hint?: string | undefined;
}

/** The result of an import for one scope. */
export type ImportedScope =
  | (ImportedFiles & {
      readonly scope: string;
      /** Files that were created or changed, as paths relative to the project folder. */
      readonly files: readonly string[];
      /** Only in a dry run: the error with which a real import would fail, changing no file of the scope. */
      readonly refusal?: ImportRefusal | undefined;
    })
  /** The scope could not be read or its files not written; its files are as they were. */
  | (ImportRefusal & { readonly kind: 'failed'; readonly scope: string });

/** A file that an import would create or change: its text before (empty if there is no file) and after, secrets concealed. */
export interface PendingFile {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** The result of an import. */
export interface ImportSummary {
  readonly scopes: readonly ImportedScope[];
  /** All files that were created or changed, including the project file. */
  readonly written: readonly string[];
  /** What a dry run would have written; null when it was no dry run. */
  readonly pending: readonly PendingFile[] | null;
  readonly requests: number;
}
