import type { ScopeRef } from './scope.ts';

/** The forms of logs that are read. */
export const LOG_FORMATS = ['logpush', 'har', 'combined', 'caddy', 'nginx', 'jsonl'] as const;

/** A form of logs. */
export type LogFormat = (typeof LOG_FORMATS)[number];

/** What a plan changes for requests, the most severe first; the words of the document. Each request has one, by its whole way. */
export const REPLAY_OUTCOMES = [
  'newly_blocked',
  'newly_challenged',
  'newly_passed',
  'otherwise_changed',
  'unknown',
  'unchanged',
] as const;

/** What a plan changes for a request. */
export type ReplayOutcome = (typeof REPLAY_OUTCOMES)[number];

/** How many records each outcome has. */
export type OutcomeCounts = Readonly<Record<ReplayOutcome, number>>;

/** What became of a request: it reached what is behind the service, or it ended before. */
export type TrafficOutcome = 'passed' | 'blocked' | 'challenged' | 'redirected';

/** A value of recorded requests, and how many have it. */
export interface ValueShare {
  readonly value: string;
  readonly records: number;
}

/** One recorded request, without what may identify somebody. */
export interface ReplayExample {
  /** RFC 3339; null where the record has no time. */
  readonly time: string | null;
  readonly method: string;
  readonly host: string;
  readonly path: string;
  readonly country: string;
  /** The network of the visitor, or the address where `--show-addresses` asks for it; empty where it is not known. */
  readonly from: string;
  readonly live: TrafficOutcome;
  readonly desired: TrafficOutcome;
  /** The changed rules that it comes from; empty where they are not known. */
  readonly rule: string;
}

/** The records with one outcome. */
export interface ReplayGroup {
  readonly records: number;
  /** How many verified bots sent, of those of which that is known. */
  readonly verified_bots: number;
  readonly bots_known: number;
  /** How many came from each network that was named. */
  readonly networks: readonly { readonly name: string; readonly records: number }[];
  /** The most frequent values that enough different clients sent. */
  readonly paths: readonly ValueShare[];
  readonly countries: readonly ValueShare[];
  readonly user_agents: readonly ValueShare[];
  readonly examples: readonly ReplayExample[];
}

/** The groups of records, but for those that stay as they are; only outcomes that some record has. */
export type ReplayGroups = Readonly<Partial<Record<Exclude<ReplayOutcome, 'unchanged'>, ReplayGroup>>>;

/** What the plan does to a rule. */
export type RuleChangeKind = 'added' | 'changed' | 'moved' | 'deleted' | 'none';

/** What recorded requests say of a rule. */
export interface ReplayRule {
  readonly scope: ScopeRef;
  readonly phase: string;
  /** Name of the custom ruleset; null for a rule of an entry point. */
  readonly ruleset: string | null;
  /** The `ref`, else the description, else its number in the ruleset. */
  readonly ref: string;
  /** Present when the `ref` tells people nothing. */
  readonly description?: string;
  readonly change: RuleChangeKind;
  /** Set if it is not enabled, after the change. */
  readonly disabled?: true;
  readonly matched_live: number;
  readonly matched_desired: number;
  /** Requests that it may match, for all that their records say; not among those that it matches. */
  readonly undecided_live: number;
  readonly undecided_desired: number;
  /** Requests that meet the condition of the wanted rule, and certainly end at an earlier one, or certainly pass it by a rule that skips it. */
  readonly ended_before: number;
  readonly skipped_before: number;
  /** Of the requests that it matches, live or after the change, or of which that is not known. */
  readonly outcomes: OutcomeCounts;
  /** Only of rules that the plan changes. */
  readonly groups?: ReplayGroups;
}

/** How often the simulation of live says what the service did. */
export interface ReplayAgreement {
  readonly compared: number;
  /** Of these, by versions of the rules that were in force before the live ones. */
  readonly compared_earlier: number;
  readonly agreed: number;
  /** Records with the service's action that are not compared. */
  readonly left_out: {
    /** From before the last change of the live rules, where it is not known which were in force. */
    readonly other_rules: number;
    readonly no_time: number;
    /** What live rules do with them is not known here. */
    readonly not_simulated: number;
  };
  readonly disagreements: readonly {
    readonly rule: string;
    readonly recorded: string;
    readonly simulated: string;
    readonly records: number;
  }[];
}

/** What a plan would have done to recorded requests. */
export interface ReplayDocument {
  readonly kind: 'replay';
  readonly formatVersion: 1;
  /** Requests to the zones that are replayed; `outcomes` adds up to it. */
  readonly records: number;
  /** Lines that could not be read. */
  readonly unreadable: number;
  /** Requests to hosts of no such zone. */
  readonly other_zones: number;
  /** Requests that name no host, where the plan is of several zones. */
  readonly without_host: number;
  readonly zones: readonly {
    readonly name: string;
    readonly records: number;
    readonly outcomes: OutcomeCounts;
    /** Set if the rules of its account could not be read, so that nothing is known of what they do. */
    readonly without_account?: true;
  }[];
  /** Of the first and the last record; null where no record has a time. */
  readonly period: { readonly from: string; readonly to: string } | null;
  readonly log: {
    readonly files: number;
    readonly formats: readonly string[];
    readonly bytes: number;
    /** SHA-256 (hex) of the logs as they are read, one after the other. */
    readonly digest: string;
  };
  /** Digest of the plan that was replayed. */
  readonly plan: string;
  readonly outcomes: OutcomeCounts;
  /** What records lack, where their outcome is not known for that. */
  readonly depends_on: readonly { readonly field: string; readonly records: number }[];
  readonly agreement: ReplayAgreement;
  readonly groups: ReplayGroups;
  readonly rules: readonly ReplayRule[];
  /** The first lines that could not be read. */
  readonly unreadable_lines: readonly {
    readonly file: string;
    readonly line: number;
    readonly reason: string;
  }[];
  /** Columns and keys that say nothing to rules. */
  readonly unknown_columns: readonly string[];
}
