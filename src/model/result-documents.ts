import type { WaveResult } from './rollout.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { ErrorFacts } from './error.ts';
import type { GuardFinding } from './guard.ts';
import type { Outcome, Rollback, RunResult, Preflight } from './outcome.ts';
import type { PlanDifference } from './plan-difference.ts';
import type { FailedScope, PlanNote, PlanSummary } from './plan.ts';
import type { LiveRulesetHead } from './ruleset.ts';
import type { Scope } from './scope.ts';
import type { LiveRuleName, DriftChange } from './drift.ts';

/** The JSON output of `validate`, and of every command that stops because the project's files are invalid. */
export interface ValidationDocument {
  readonly kind: 'validation';
  readonly formatVersion: 1;
  readonly valid: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** The JSON output of `apply`. */
export interface OutcomesDocument {
  readonly kind: 'outcomes';
  readonly formatVersion: 1;
  readonly result: RunResult;
  readonly dryRun: boolean;
  /** Digest and summary of the plan that was carried out, and the number of its scopes, which older documents lack. */
  readonly plan: { readonly digest: string; readonly summary: PlanSummary; readonly scopes?: number };
  readonly outcomes: readonly Outcome[];
  /** The result of checking the writes before the first one. */
  readonly preflight: Preflight;
  /** What was put back after a failure; absent when nothing was to be put back. */
  readonly rollback?: Rollback | undefined;
  /** What became of the waves that the run was about; absent for a plan without waves. */
  readonly waves?: readonly WaveResult[] | undefined;
  /** What `--only-strengthening` left out, and why; absent when nothing. */
  readonly leftOut?: readonly PlanNote[] | undefined;
  /** What guards refused; then nothing was written. */
  readonly refusals: readonly GuardFinding[];
  /** How the plan differs from the one that was reviewed; then nothing was written. */
  readonly differences?: readonly PlanDifference[] | undefined;
  /** Scopes that could not be planned, and why. */
  readonly failedScopes: readonly FailedScope[];
}

/** The JSON output of a command that an error stopped. */
export interface ErrorDocument {
  readonly kind: 'error';
  readonly formatVersion: 1;
  readonly error: ErrorFacts;
}

/** The fields of a managed rule that matter for overrides. */
export interface CatalogRule {
  readonly id: string;
  readonly description: string;
  readonly action: string;
  readonly enabled: boolean;
  readonly tags: readonly string[];
}

/** A managed ruleset; `rules` is present when the rules were asked for. */
export interface CatalogRuleset {
  readonly ruleset: LiveRulesetHead;
  readonly rules?: readonly CatalogRule[];
}

/** The managed rulesets that a scope can see. */
export interface CatalogReport {
  readonly scope: Scope;
  readonly rulesets: readonly CatalogRuleset[];
}

/** The result of a check; `unknown`: the check could not be made. */
export type DoctorStatus = 'good' | 'warning' | 'problem' | 'unknown';

/** One check of `doctor`. */
export interface DoctorCheck {
  /** What was checked, such as `token` or `read http_ratelimit`. */
  readonly subject: string;
  /** Of a check of one phase: the right that it tried. */
  readonly phaseRight?: 'read' | 'write';
  readonly status: DoctorStatus;
  readonly message: string;
  /** What to do about it. */
  readonly hint?: string | undefined;
}

/** A group of checks: those of the way to the service, or those of one scope. */
export interface DoctorGroup {
  readonly name: string;
  readonly checks: readonly DoctorCheck[];
}

/** The result of `doctor`. */
export interface DoctorReport {
  readonly way: DoctorGroup;
  readonly scopes: readonly DoctorGroup[];
  /** Scopes that were looked up but not checked, since others with the same credentials were. */
  readonly leftOut: readonly string[];
}

/** Which rules a version of a ruleset changed compared with the previous version that still exists. */
export interface VersionChanges {
  /** The version compared with. */
  readonly against: string;
  readonly added: readonly LiveRuleName[];
  readonly changed: readonly LiveRuleName[];
  readonly deleted: readonly LiveRuleName[];
  readonly moved: readonly LiveRuleName[];
  /** Whether the ruleset's description changed. */
  readonly description: boolean;
}

/** The most versions that are listed, since each costs a request. */
export const MOST_VERSIONS = 1000;

/** A version of a ruleset, its number of rules, and what it changed. */
export interface VersionEntry extends LiveRulesetHead {
  /** Null when the version no longer exists. */
  readonly rules: number | null;
  /** Null for the oldest version that still exists, and when this version or the previous one no longer exists. */
  readonly changes: VersionChanges | null;
}

/** The latest versions of a ruleset, oldest first; the last is the one in force. */
export interface VersionList {
  readonly scope: Scope;
  readonly ruleset: LiveRulesetHead;
  readonly versions: readonly VersionEntry[];
  /** Number of versions older than the listed ones. */
  readonly older: number;
}

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
  readonly lists: number;
  readonly settings: number;
  readonly leftOut: readonly LeftOut[];
  /** Names, as in files, of live rulesets with rules that no file declares and that the import was not asked for. */
  readonly unmanaged: readonly string[];
  /** Live lists and settings that no file declares and that the import was not asked for; of settings only those that are not at their defaults. */
  readonly unmanagedObjects: readonly string[];
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

/** A file that an import would create or change: its text before (empty if there is no file) and after, secrets redacted. */
export interface PendingFile {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** Zones that are alike, and that one file declares; zones that use one pack; or one zone, whose file has locals of a configuration as variables. */
export interface FoldedZones {
  readonly file: string;
  /** The name of the pack that the file has; null where it declares zones. */
  readonly pack: string | null;
  readonly zones: readonly string[];
  /** Variables for what differs between them. */
  readonly variables: readonly string[];
  /** Variables that are locals of the configuration. */
  readonly locals: readonly string[];
}

/** Comments of another tool's files that files have now. */
export interface SourceComments {
  /** How many rulesets and rules have comments. */
  readonly taken: number;
  /** What is not carried over, and why. */
  readonly left: readonly { readonly address: string; readonly why: string }[];
}

/** Something that a configuration names or computes, and that files have as the value that came of it. */
export interface ComputedValue {
  /** The address of the block, without keys. */
  readonly address: string;
  readonly attribute: string;
  /** As it stands in the configuration: `join(" ", local.office)`. */
  readonly text: string;
  /** The file of the configuration, from its folder. */
  readonly file: string;
  readonly line: number;
}

/** What became of what another tool holds in an import. */
export interface SourceImport {
  /** The file that the import was from. */
  readonly file: string;
  /** The addresses of what files declare now. */
  readonly imported: readonly string[];
  /** What files could hold, or nearly, but none holds; the address is empty for an entry that has none. */
  readonly left: readonly { readonly address: string; readonly why: string }[];
  /** The addresses of what is of zones and accounts that the import was not asked for. */
  readonly notAsked: readonly string[];
  /** Sensitive variables that the project file declares for secrets of the source, by the variable of the environment that is to have the value. */
  readonly variables: readonly {
    readonly name: string;
    readonly from: string;
    /** What holds the secret: the name of a header, or the key of a parameter. */
    readonly holder: string;
    readonly addresses: readonly string[];
  }[];
  /** What the source and live disagree about: a plan of the files shows it. */
  readonly differences: readonly {
    readonly scope: string;
    readonly address: string;
    readonly text: string;
  }[];
  readonly folded: readonly FoldedZones[];
  /** What came of comments; null where there was nothing to take them from. */
  readonly comments: SourceComments | null;
  readonly computed: readonly ComputedValue[];
}

/** What became of a state of Terraform or OpenTofu in an import. */
export interface TerraformImport extends SourceImport {
  readonly tool: 'terraform' | 'opentofu';
  /** "" where the state does not say. */
  readonly version: string;
  /** Other types of resources, with the command that converts them; null where Terraform keeps them. */
  readonly elsewhere: readonly {
    readonly type: string;
    readonly instances: number;
    /** The zones that have them, by name, or by id where the import does not read the zone. */
    readonly zones: readonly string[];
    readonly command: string | null;
  }[];
  /** Addresses that the plan, where the file is one, has changes for: they are not in the files. */
  readonly pending: readonly string[];
  /** How Terraform forgets what was imported. */
  readonly wayOut: {
    /** The file with the blocks; null where there is none to write, or where another is in its place. */
    readonly file: string | null;
    /** Whether a file of that name is there that no import wrote. */
    readonly isTaken: boolean;
    readonly blocks: string;
    readonly resources: readonly string[];
    readonly commands: readonly string[];
    readonly versions: string;
  };
}

/** What became of the configuration of octorules in an import. */
export interface OctorulesImport extends SourceImport {
  /** What is to be done by hand. */
  readonly notes: readonly string[];
}

/** The result of an import. */
export interface ImportSummary {
  readonly scopes: readonly ImportedScope[];
  /** All files that were created or changed, including the project file. */
  readonly written: readonly string[];
  /** What a dry run would have written; null when it was no dry run. */
  readonly pending: readonly PendingFile[] | null;
  readonly requests: number;
  /** Absent where the import was not from Terraform. */
  readonly terraform?: TerraformImport;
  readonly octorules?: OctorulesImport;
}
