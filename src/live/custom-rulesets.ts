import { RulewrightError, referenceFacts, scopeLabel } from '../model/index.ts';
import type { LiveRulesetHead, RulesetAddress, Scope, DesiredScope } from '../model/index.ts';
import type { AccountLists } from './read-live-lists.ts';

type CustomAddress = Extract<RulesetAddress, { readonly kind: 'custom' }>;

/** The custom rulesets in a scope's list, and whether they are known to belong to the scope. */
export interface CustomRulesets {
  /** `unsure`: some may belong to the zone's account. */
  readonly kind: 'own' | 'unsure';
  readonly heads: readonly LiveRulesetHead[];
}

/**
 * Returns a scope's own custom rulesets (design: planning, step 1). An account's list shows only its own; for a zone the account's list is
 * read, and its rulesets are left out.
 */
export async function ownCustomRulesets(
  scope: Scope,
  listed: readonly LiveRulesetHead[],
  accountLists: AccountLists,
): Promise<CustomRulesets> {
  const heads = customsIn(listed);
  if (scope.kind === 'account' || heads.length === 0) {
    return { kind: 'own', heads };
  }
  const account = await accountLists(scope.accountId);
  return account.kind === 'listed'
    ? { kind: 'own', heads: heads.filter(({ id }) => !account.ids.has(id)) }
    : { kind: 'unsure', heads };
}

/** As `ownCustomRulesets`, but does not read the account's list when nothing that the files declare depends on the owner. */
export function customRulesetsFor(
  scope: Scope,
  desired: DesiredScope,
  {
    listed,
    accountLists,
  }: { readonly listed: readonly LiveRulesetHead[]; readonly accountLists: AccountLists },
): Promise<CustomRulesets> {
  const heads = customsIn(listed);
  return scope.kind === 'zone' && heads.length > 0 && !dependsOnOwner(desired, heads)
    ? Promise.resolve({ kind: 'unsure', heads })
    : ownCustomRulesets(scope, listed, accountLists);
}

function customsIn(listed: readonly LiveRulesetHead[]): readonly LiveRulesetHead[] {
  return listed.filter(({ kind }) => kind === 'custom');
}

/**
 * Returns the custom ruleset with a name and phase, or `null` when the list shows none. Throws when there are several, and when it is not
 * known whether it belongs to the scope.
 */
export function customRuleset(
  scope: Scope,
  customs: CustomRulesets,
  address: CustomAddress,
): LiveRulesetHead | null {
  const [head, ...others] = customs.heads.filter((candidate) => bears(candidate, address));
  if (head === undefined) {
    return null;
  }
  const named = `${scopeLabel(scope)}: custom ruleset ${JSON.stringify(address.name)} of phase ${address.phase}`;
  if (customs.kind === 'unsure') {
    throw new RulewrightError(
      `${named}: the service shows one, but not whether it belongs to the zone or to its account.`,
      { code: 'live/unknown-owner', fault: 'user', hint: ownerHint(scope) },
    );
  }
  if (others.length > 0) {
    throw ambiguous(named, [head, ...others]);
  }
  return head;
}

/** Returns the error for undeclared custom rulesets that belong either to the scope, and would have to be deleted, or to its account. */
export function unknownOwner(scope: Scope, heads: readonly LiveRulesetHead[]): RulewrightError {
  const named = heads.map(({ name, id }) => `${JSON.stringify(name)} (${id})`).join(', ');
  return new RulewrightError(
    `${scopeLabel(scope)}: custom rulesets that no file declares are to be deleted, but the service does not say which of these belong to the zone: ${named}.`,
    { code: 'live/unknown-owner', fault: 'user', hint: ownerHint(scope) },
  );
}

/** Returns the hint about how to find out whether custom rulesets belong to the zone or the account. */
export function ownerHint({ accountId }: Scope): string {
  return `The list of the account ${accountId} tells: the token needs the permission "Account Rulesets" Read or "Account WAF" Read.`;
}

/** Returns the error for several live rulesets with one address. */
export function ambiguous(named: string, heads: readonly LiveRulesetHead[]): RulewrightError {
  return new RulewrightError(
    `${named}: there are ${heads.length}: ${heads.map(({ id }) => id).join(', ')}.`,
    {
      code: 'live/ambiguous-ruleset',
      fault: 'user',
      hint: 'Delete or rename all but one of them.',
    },
  );
}

/** Whether a live ruleset has the name and phase of an address. */
function bears(head: LiveRulesetHead, address: CustomAddress): boolean {
  return head.name === address.name && head.phase === address.phase;
}

function dependsOnOwner(desired: DesiredScope, heads: readonly LiveRulesetHead[]): boolean {
  return (
    desired.rulesetOwnership === 'all' ||
    desired.rulesetOwnership === 'everything' ||
    desired.rulesets.some(
      (ruleset) =>
        referenceFacts(ruleset).namesCustom ||
        heads.some((head) => ruleset.address.kind === 'custom' && bears(head, ruleset.address)),
    )
  );
}
