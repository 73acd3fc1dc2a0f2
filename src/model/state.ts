import { groupBy, memoiseWeakly } from '../data/index.ts';
import type {
  DesiredRuleset,
  LiveRuleset,
  LiveRulesetHead,
  RuleOwnership,
  RulesetAddress,
} from './ruleset.ts';
import type { DesiredList } from './list.ts';
import type { DesiredSetting } from './setting.ts';
import type { Labels, Scope, ScopeRef, ZoneName } from './scope.ts';
import type { Cause } from './source.ts';
import type { PlanLevel } from './quota.ts';
import { zoneName } from './scope.ts';
import { referenceFacts } from './ruleset.ts';

/** Everything the files want of one scope. */
export interface DesiredScope {
  readonly scope: ScopeRef;
  /** Name of the environment variable that holds this scope's token, when it is not the usual one. */
  readonly tokenEnv?: string | undefined;
  /** Where the files name the token variable. */
  readonly tokenCause?: Cause | undefined;
  /**
   * Whether custom rulesets that the files do not name are left alone (`declared`) or deleted (`all`). `listed`: as `declared`, but the list is
   * read to name what nobody manages. `everything`: undeclared entry points are unwanted too, to show it; never used for a plan that could be
   * applied.
   */
  readonly rulesetOwnership: 'declared' | 'listed' | 'all' | 'everything';
  /** Which rules of custom rulesets that the files do not name are ours, where `all` deletes these; absent: all of them. */
  readonly ruleOwnership?: RuleOwnership;
  readonly rulesets: readonly DesiredRuleset[];
  /** The lists of an account; absent where the files declare none. */
  readonly lists?: readonly DesiredList[];
  /** The settings of a zone; absent where the files declare none. */
  readonly settings?: readonly DesiredSetting[];
  /** IANA name of the project's time zone; absent when it is UTC. */
  readonly timeZone?: string;
  /** Labels for selecting the scope; absent when the files give none. */
  readonly labels?: Labels;
  /** The plan level that the files say a zone has; absent where they say none. */
  readonly plan?: PlanLevel;
  /** Where they say it. */
  readonly planCause?: Cause;
  /** The files that declare the scope, relative to the project folder; absent when none does. */
  readonly files?: readonly string[];
  readonly cause: Cause;
}

/** What is live at the address of a declared ruleset. Absence is proven, never inferred from a failed read. */
export type LiveSlot =
  | { readonly kind: 'present'; readonly ruleset: LiveRuleset }
  | { readonly kind: 'absent' };

/** The live state of one ruleset. */
export interface LiveEntry {
  readonly address: RulesetAddress;
  readonly slot: LiveSlot;
}

/** The live state of one scope, as far as its desired state needs it. */
export interface LiveScope {
  readonly scope: Scope;
  /** One entry for each declared ruleset, and for each other ruleset that is unwanted. */
  readonly entries: readonly LiveEntry[];
  /** Heads of all rulesets that rules of the scope can refer to: managed rulesets, and the scope's custom rulesets. */
  readonly catalogue: readonly LiveRulesetHead[];
  /**
   * Undeclared rulesets that were read: those of a phase in which a custom ruleset is to be deleted, since their rules may name it, and custom
   * rulesets that changed rules execute.
   */
  readonly users?: readonly LiveRuleset[];
  /** Undeclared rulesets that the list of the scope has and nobody wanted to see; absent where the list was not read. */
  readonly undeclared?: readonly RulesetAddress[];
  /** Undeclared rulesets that were to be shown and could not be read. */
  readonly unseen?: readonly UnseenRuleset[];
}

/** A ruleset of which only the address is known, and why. */
export interface UnseenRuleset {
  readonly address: RulesetAddress;
  readonly reason: string;
}

interface InScope {
  readonly scope: ScopeRef;
}

/**
 * Finds the declarations of a scope; files may name the scope by name or by id. Runs ask for every zone, so each array is indexed once: it must
 * not change afterwards.
 */
export function declaredScopesOf<Declared extends InScope>(
  scopes: readonly Declared[],
  { kind, id, name, accountId }: Pick<Scope, 'kind' | 'id' | 'name'> & Partial<Pick<Scope, 'accountId'>>,
): readonly Declared[] {
  const sought = foldedZone({ kind, name });
  const account = sought.account ?? accountId;
  const index = placesByName(scopes);
  const places = new Set([name, id].flatMap((text) => index.get(keyOf({ kind, name: text })) ?? []));
  return [...places]
    .toSorted(([a], [b]) => a - b)
    .flatMap(([at]) => scopes[at] ?? [])
    .filter(({ scope }) => {
      const own = foldedZone(scope);
      return (
        scope.name === id || (own.bare === sought.bare && (own.account === null || own.account === account))
      );
    });
}

/** Returns the entries of an array by kind and name of the scope, whatever account a zone is said to be in. */
const placesByName = memoiseWeakly((scopes: readonly InScope[]) =>
  groupBy(scopes.entries(), ([, { scope }]) => keyOf(scope)),
);

function keyOf(scope: ScopeRef): string {
  return `${scope.kind}:${foldedZone(scope).bare}`;
}

/** Capitals mean nothing in the name of an account either: the service may spell it otherwise than the files (`chooserAmong`). */
function foldedZone({ kind, name }: ScopeRef): ZoneName {
  return zoneName({ kind, name: name.toLowerCase() });
}

/** The address of an entry point. */
export type EntrypointAddress = Extract<RulesetAddress, { readonly kind: 'entrypoint' }>;

/**
 * Returns the declared entry points of a scope if nothing else has to be read for it: the files declare only entry points, and their rules name
 * no other ruleset. Null for every other scope.
 */
export function plainEntrypoints({
  rulesets,
  rulesetOwnership,
}: DesiredScope): readonly EntrypointAddress[] | null {
  const addresses = rulesets.flatMap((ruleset) =>
    ruleset.address.kind === 'entrypoint' && !referenceFacts(ruleset).namesRulesets ? [ruleset.address] : [],
  );
  return rulesetOwnership === 'declared' && rulesets.length > 0 && addresses.length === rulesets.length
    ? addresses
    : null;
}
