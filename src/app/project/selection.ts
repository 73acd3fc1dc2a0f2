import type { ScopeKind } from '../../model/scope.ts';
import type { Environment } from '../../model/environment.ts';
import type { Shard } from '../../model/shard.ts';

/** Which project, and how much of it. */
export interface Selection {
  /** Folder from which the project is looked for. */
  readonly cwd: string;
  /** Path of the project file, when given. */
  readonly config?: string | undefined;
  /** A project folder, or files of the project that narrow the run to them. */
  readonly paths: readonly string[];
  /** Scopes (and phases) that narrow the run; empty means all. */
  readonly targets: readonly TargetFilter[];
  /** What the environment says; variables of `env` are looked up in it. */
  readonly environment?: Environment | undefined;
  /** Values that the command line gives to variables, as texts. */
  readonly variables?: ReadonlyMap<string, string> | undefined;
  /** `YYYY-MM-DD`: entries whose last day was before are warned of. */
  readonly today?: string | undefined;
  /** Stops the reading of the files. */
  readonly signal?: AbortSignal | undefined;
}

/** The revisions of Git that a run compares its files with. */
export interface Revisions {
  /** Whose guards hold for the run; those of the files unless given. */
  readonly settingsFrom?: string | undefined;
  /** Only scopes of which the files say something else than there. */
  readonly changedSince?: string | undefined;
}

/** What a plan is made of, and what for. */
export interface PlanSelection extends Selection, Revisions {
  /** Only this part of the scopes; the plan names the version that made it. */
  readonly shard?: (Shard & { readonly version: string }) | undefined;
  /** Plans only the changes that are proven neutral or strengthening and delete nothing; all of them unless given. */
  readonly only?: 'strengthening' | undefined;
  /** To be reviewed or carried out unless given. */
  readonly purpose?: PlanPurpose | undefined;
}

/** What a plan is for. */
export type PlanPurpose =
  | { readonly kind: 'plan' }
  /** To be saved, so that what is sensitive in it needs a digest. */
  | { readonly kind: 'save' }
  /**
   * To show how live differs. A list that is gone is a difference among others: no scope fails for it. What rules of others do to every
   * request is told as well. With `unmanaged`, what no file declares is shown too, as not wanted, and whose it is.
   */
  | { readonly kind: 'drift'; readonly unmanaged: boolean }
  /** A step of the WAF migration, which writes the managed rules of a zone itself. */
  | { readonly kind: 'migration' };

/** `zone:shop.example/http_ratelimit`, `shop.example`, `account:Example Shop`, `label:env=production`. */
export interface TargetFilter {
  readonly kind: ScopeKind | 'label' | null;
  /** Of the scope; of a label its name and text, `env=production`. */
  readonly name: string;
  readonly phase: string | null;
}

/** Reads one `--target`: `[zone:|account:]NAME[/PHASE]` or `label:NAME=TEXT[/PHASE]`; null when the text is neither. */
export function parseTarget(text: string): TargetFilter | null {
  const match = /^(?:(zone|account|label):)?([^/]+)(?:\/([a-z0-9_]+))?$/.exec(text);
  const [, kind, name, phase] = match ?? [];
  if (name === undefined || (kind === 'label' && !/^[^=]+=./u.test(name))) {
    return null;
  }
  const known = kind === 'zone' || kind === 'account' || kind === 'label' ? kind : null;
  return { kind: known, name, phase: phase ?? null };
}
