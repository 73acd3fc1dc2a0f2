import type { ReadClient } from '../../api/client.ts';
import { listZones, resolveScopes } from '../../live/resolve-scopes.ts';
import { groupBy } from '../../model/group-by.ts';
import type { RulewrightError } from '../../model/error.ts';
import type { Scope, ScopeRef } from '../../model/scope.ts';
import { scopeLabel } from '../../model/scope.ts';
import type { DesiredScope } from '../../model/state.ts';

/** Which scopes are asked for. */
export interface ScopesRequest {
  readonly zones: readonly string[];
  readonly accounts: readonly string[];
  /** Every zone that the credentials may see; with accounts named, every zone of theirs. */
  readonly allZones: boolean;
}

/** A scope that is asked for: found, with what the project declares of it, or not. */
export type WantedScope =
  | {
      readonly kind: 'found';
      readonly scope: Scope;
      /** What files call it: its name, or its id where the name is not its own alone. */
      readonly name: string;
      readonly declared?: DesiredScope;
    }
  | { readonly kind: 'failed'; readonly label: string; readonly error: RulewrightError };

/** Looks up what is asked for, each scope once: accounts first, then zones as they are named or listed. */
export async function findScopes(
  { zones, accounts, allZones }: ScopesRequest,
  project: readonly DesiredScope[],
  clientFor: (tokenEnv: string | undefined) => ReadClient,
): Promise<readonly WantedScope[]> {
  const refs: readonly ScopeRef[] = [
    ...accounts.map((name) => ({ kind: 'account', name }) as const),
    ...zones.map((name) => ({ kind: 'zone', name }) as const),
  ];
  const tokens = groupBy(
    refs,
    (ref) => project.find(({ scope }) => scope.kind === ref.kind && scope.name === ref.name)?.tokenEnv,
  );
  const named: WantedScope[] = [];
  for (const [token, some] of tokens) {
    const found = await resolveScopes(clientFor(token), some);
    for (const [label, resolution] of found) {
      named.push(
        resolution.kind === 'found'
          ? {
              kind: 'found',
              scope: resolution.scope,
              name: resolution.scope.name,
              ...declaredAs(resolution.scope, project),
            }
          : { kind: 'failed', label, error: resolution.error },
      );
    }
  }
  const order = new Map(refs.map((ref, index) => [scopeLabel(ref), index]));
  named.sort((a, b) => (order.get(labelOf(a)) ?? 0) - (order.get(labelOf(b)) ?? 0));
  const listed = allZones ? await zonesOf(named, clientFor(undefined)) : [];
  const all = [
    ...named,
    ...listed.map((scope): WantedScope => ({
      kind: 'found',
      scope,
      name: scope.name,
      ...declaredAs(scope, project),
    })),
  ];
  return once(all, listed);
}

function labelOf(wanted: WantedScope): string {
  return wanted.kind === 'failed' ? wanted.label : scopeLabel(wanted.scope);
}

async function zonesOf(named: readonly WantedScope[], client: ReadClient): Promise<readonly Scope[]> {
  const accounts = new Set(
    named.flatMap((one) => (one.kind === 'found' && one.scope.kind === 'account' ? [one.scope.id] : [])),
  );
  const zones = await listZones(client);
  return accounts.size === 0 ? zones : zones.filter(({ accountId }) => accounts.has(accountId));
}

function declaredAs(scope: Scope, project: readonly DesiredScope[]): { readonly declared?: DesiredScope } {
  const declared = project.find(
    (one) =>
      one.scope.kind === scope.kind &&
      (one.scope.name === scope.id || one.scope.name.toLowerCase() === scope.name.toLowerCase()),
  );
  return declared === undefined ? {} : { declared };
}

/** Each scope once; zones of one name are called by their ids. */
function once(all: readonly WantedScope[], listed: readonly Scope[]): readonly WantedScope[] {
  const seen = new Set<string>();
  const bearers = new Map<string, Set<string>>();
  for (const { name, id } of [
    ...listed,
    ...all.flatMap((one) => (one.kind === 'found' ? [one.scope] : [])),
  ]) {
    bearers.set(name, (bearers.get(name) ?? new Set()).add(id));
  }
  return all.flatMap((one): readonly WantedScope[] => {
    if (one.kind === 'failed') {
      return [one];
    }
    const key = `${one.scope.kind}:${one.scope.id}`;
    if (seen.has(key)) {
      return [];
    }
    seen.add(key);
    return [(bearers.get(one.scope.name)?.size ?? 0) > 1 ? { ...one, name: one.scope.id } : one];
  });
}
