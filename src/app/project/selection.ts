import type { ProjectHeads } from '../../config/index.ts';
import type { AuditChoice } from '../planning/read-authors.ts';
import type { ScopeKind, Environment, PlanLevel, Shard } from '../../model/index.ts';

/** The project of a run, and the part of it that the run is about. */
export interface Selection {
  /** Folder from which the project is looked for. */
  readonly cwd: string;
  /** Path of the project file, when given. */
  readonly config?: string | undefined;
  /** A project folder, or files of the project that narrow the run to them. */
  readonly paths: readonly string[];
  /** The project files that the run has read. */
  readonly heads?: ProjectHeads | undefined;
  /** Scopes (and phases) that narrow the run; empty means all. */
  readonly targets: readonly TargetFilter[];
  /** The environment in which the variables of `env` are looked up. */
  readonly environment?: Environment | undefined;
  /** Values of variables from the command line, as texts. */
  readonly variables?: ReadonlyMap<string, string> | undefined;
  /** The plan level to judge the files by, whatever they say. */
  readonly plan?: PlanLevel | undefined;
  /** Whether the rules and lists of all scopes are laid side by side as well. */
  readonly across?: boolean | undefined;
  /** `YYYY-MM-DD`; entries whose last day is earlier cause a warning. */
  readonly today?: string | undefined;
  /** Stops the reading of the files. */
  readonly signal?: AbortSignal | undefined;
}

/** The revisions of Git that a run compares its files with. */
export interface Revisions {
  /** The revision whose guards apply to the run; those of the files unless given. */
  readonly settingsFrom?: string | undefined;
  /** The revision to compare with: only scopes for which the files declare something else are planned. */
  readonly changedSince?: string | undefined;
}

/** What to plan, and for what purpose. */
export interface PlanSelection extends Selection, Revisions {
  /** The part of the scopes to plan; the plan records the version that made it. */
  readonly shard?: (Shard & { readonly version: string }) | undefined;
  /** Plans only the changes that are proven neutral or strengthening and delete nothing; all of them unless given. */
  readonly only?: 'strengthening' | undefined;
  /** `plan` unless given: the plan is to be reviewed or applied. */
  readonly purpose?: PlanPurpose | undefined;
}

/** What a plan is for. */
export type PlanPurpose =
  | { readonly kind: 'plan' }
  /** To be saved, so that its sensitive values need digests. */
  | { readonly kind: 'save' }
  /**
   * To show how live differs. A missing list is one difference among others and fails no scope. Rules of others that affect every
   * request are reported as well. With `unmanaged`, what no file declares is shown too, as not wanted, with its owner.
   */
  | {
      readonly kind: 'drift';
      readonly unmanaged: boolean;
      /** Whether who made the differences is asked; not asked and not said unless given. */
      readonly audit?: AuditChoice;
    }
  /** A step of the WAF migration, which writes the managed rules of a zone itself. */
  | { readonly kind: 'migration' };

/** `zone:shop.example/http_ratelimit`, `shop.example`, `account:Example Shop`, `label:env=production`. */
export interface TargetFilter {
  readonly kind: ScopeKind | 'label' | null;
  /** The name of the scope, or the name and text of a label: `env=production`. */
  readonly name: string;
  readonly phase: string | null;
}

/** Parses one `--target`: `[zone:|account:]NAME[/PHASE]` or `label:NAME=TEXT[/PHASE]`; null if the text is neither. */
export function parseTarget(text: string): TargetFilter | null {
  const match = /^(?:(zone|account|label):)?([^/]+)(?:\/([a-z0-9_]+))?$/.exec(text);
  const [, kind, name, phase] = match ?? [];
  if (name === undefined || (kind === 'label' && !/^[^=]+=./u.test(name))) {
    return null;
  }
  const known = kind === 'zone' || kind === 'account' || kind === 'label' ? kind : null;
  return { kind: known, name, phase: phase ?? null };
}
