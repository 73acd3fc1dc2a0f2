import type { ReadClient } from '../../api/client.ts';
import { listZones } from '../../live/resolve-scopes.ts';
import { declaredScopesOf } from '../../model/declared-scope.ts';
import { compareText } from '../../model/compare-text.ts';
import type { RulewrightError } from '../../model/error.ts';
import type { Scope, ScopeRef } from '../../model/scope.ts';
import { nameInAccount, scopeLabel } from '../../model/scope.ts';
import type { DesiredScope } from '../../model/state.ts';
import { reachScopes } from '../service/reach-scope.ts';

/** Which scopes are asked for; where none is, those that the project declares. */
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
      readonly declared?: DesiredScope | undefined;
    }
  | { readonly kind: 'failed'; readonly label: string; readonly error: RulewrightError };

/** Whether a request names nothing, and so asks for what the project declares. */
export function asksForProject({ zones, accounts, allZones }: ScopesRequest): boolean {
  return zones.length === 0 && accounts.length === 0 && !allZones;
}

/** Looks up what is asked for, each scope once: accounts first, then zones as they are named or listed. */
export async function findScopes(
  request: ScopesRequest,
  project: readonly DesiredScope[],
  clientFor: (tokenEnv: string | undefined) => ReadClient,
): Promise<readonly WantedScope[]> {
  const { zones, accounts, allZones } = request;
  const refs: readonly ScopeRef[] = asksForProject(request)
    ? project.map(({ scope }) => scope).toSorted((a, b) => compareText(a.kind, b.kind))
    : [
        ...accounts.map((name) => ({ kind: 'account', name }) as const),
        ...zones.map((name) => ({ kind: 'zone', name }) as const),
      ];
  const reached = await reachScopes(clientFor, project, refs);
  const named = [...new Set(refs.map(scopeLabel))].flatMap((label): readonly WantedScope[] => {
    const resolution = reached.get(label);
    return resolution === undefined
      ? []
      : [
          resolution.kind === 'found'
            ? foundScope(resolution.scope, project)
            : { kind: 'failed', label, error: resolution.error },
        ];
  });
  const listed = allZones ? await zonesOf(named, clientFor(undefined)) : [];
  const all = [...named, ...listed.map((scope) => foundScope(scope, project))];
  return once(all, listed);
}

async function zonesOf(named: readonly WantedScope[], client: ReadClient): Promise<readonly Scope[]> {
  const accounts = new Set(
    named.flatMap((one) => (one.kind === 'found' && one.scope.kind === 'account' ? [one.scope.id] : [])),
  );
  const zones = await listZones(client);
  return accounts.size === 0 ? zones : zones.filter(({ accountId }) => accounts.has(accountId));
}

function foundScope(scope: Scope, project: readonly DesiredScope[]): WantedScope {
  const [declared] = declaredScopesOf(project, scope);
  return { kind: 'found', scope, name: scope.name, declared };
}

/** Each scope once; zones of one name are called with their accounts, and accounts of one name by their ids. */
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
    const shared = (bearers.get(one.scope.name)?.size ?? 0) > 1;
    return [
      shared ? { ...one, name: one.scope.kind === 'zone' ? nameInAccount(one.scope) : one.scope.id } : one,
    ];
  });
}
