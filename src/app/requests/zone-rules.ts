import { foldedName, isId, zoneName } from '../../model/index.ts';
import type { DesiredScope, PlanLevel } from '../../model/index.ts';
import { prepareScope, PLAN_CODES } from '../../simulate/index.ts';
import type { Evaluation, PreparedZone, SimulatedScope } from '../../simulate/index.ts';

/** The scopes whose rules apply to requests to a zone: its account, if known, and the zone itself. */
export type ZoneScopes =
  | { readonly kind: 'found'; readonly scopes: readonly DesiredScope[] }
  | { readonly kind: 'no-zone' | 'no-account' | 'which-account'; readonly known: readonly string[] }
  /** The zone names its account by id, while these accounts are declared by name: each may be that account or not. */
  | { readonly kind: 'same-account'; readonly id: string; readonly known: readonly string[] }
  /** The zone names its account by id, and the account that is wanted has another id. */
  | { readonly kind: 'other-account'; readonly id: string; readonly known: readonly string[] };

/**
 * Finds a zone and its account among the scopes of a project. Without `account`, a zone whose name contains its account has the
 * rules of no other account; for any other zone, the only declared account applies, if there is exactly one. An ambiguous account
 * does not matter if no account has an entry point.
 */
export function zoneScopes(
  all: readonly DesiredScope[],
  { zone, account }: { readonly zone: string; readonly account?: string | undefined },
): ZoneScopes {
  const zones = all.filter(({ scope }) => scope.kind === 'zone');
  const accounts = all.filter(({ scope }) => scope.kind === 'account');
  const own = zones.find(({ scope }) => scope.name === foldedName({ kind: 'zone', name: zone }));
  if (own === undefined) {
    return { kind: 'no-zone', known: namesOf(zones) };
  }
  const { account: id } = zoneName(own.scope);
  if (id !== null && account !== undefined && isId(account) && account !== id) {
    return { kind: 'other-account', id, known: [] };
  }
  const said = account ?? id;
  const above = accounts.find(({ scope }) => scope.name === said);
  if (above !== undefined) {
    return { kind: 'found', scopes: [above, own] };
  }
  if (account !== undefined) {
    return { kind: 'no-account', known: namesOf(accounts) };
  }
  if (id !== null) {
    const known = accounts.filter(({ scope }) => !isId(scope.name));
    return known.some(hasEntryPoint)
      ? { kind: 'same-account', id, known: namesOf(known) }
      : { kind: 'found', scopes: [own] };
  }
  const [only, ...more] = accounts;
  if (more.length > 0 && accounts.some(hasEntryPoint)) {
    return { kind: 'which-account', known: namesOf(accounts) };
  }
  return { kind: 'found', scopes: only === undefined || more.length > 0 ? [own] : [only, own] };
}

/** The properties of a zone that its preparation needs besides its rules. */
export interface ZonePreparation {
  readonly name: string;
  readonly plan?: PlanLevel | undefined;
  readonly source: PreparedZone['source'];
  readonly evaluation: Evaluation;
  /** What it has beside rulesets, where somebody looked. */
  readonly old?: PreparedZone['old'];
}

/** Compiles the rules that apply to requests to a zone. */
export function prepareZone(
  scopes: readonly SimulatedScope[],
  { name, plan, source, evaluation, old }: ZonePreparation,
): PreparedZone {
  return {
    zone: { name: zoneName({ kind: 'zone', name }).bare, plan: plan === undefined ? '' : PLAN_CODES[plan] },
    scopes: scopes.map((scope) => prepareScope(scope, evaluation)),
    source,
    old,
  };
}

function hasEntryPoint({ rulesets }: DesiredScope): boolean {
  return rulesets.some(({ address }) => address.kind === 'entrypoint');
}

function namesOf(scopes: readonly DesiredScope[]): readonly string[] {
  return scopes.map(({ scope }) => scope.name);
}
