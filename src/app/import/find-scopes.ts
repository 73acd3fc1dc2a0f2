import type { ReadClient } from '../../api/index.ts';
import { listZones } from '../../live/index.ts';
import { declaredScopesOf, nameInAccount, scopeLabel } from '../../model/index.ts';
import { compareText, slug } from '../../text/index.ts';
import { groupBy } from '../../data/index.ts';
import type { RulewrightError, Scope, ScopeRef, DesiredScope } from '../../model/index.ts';
import { reachScopes } from '../service/reach-scope.ts';

/** The scopes to import; if none is named, those that the project declares. */
export interface ScopesRequest {
  readonly zones: readonly string[];
  readonly accounts: readonly string[];
  /** Whether to import every zone that the credentials can see, or, if accounts are named, every zone of these accounts. */
  readonly allZones: boolean;
}

/** A scope that exists, with what the project declares for it. */
interface FoundScope {
  readonly kind: 'found';
  readonly scope: Scope;
  /** What files call the scope: its name. Where several scopes share it, a zone's name with its account, or an account's id. */
  readonly name: string;
  readonly declared?: DesiredScope | undefined;
}

interface LostScope {
  readonly kind: 'failed';
  readonly label: string;
  readonly error: RulewrightError;
}

/** A requested scope, found or not; `fileName` is set if its first file cannot be called after its name. */
export type WantedScope = (FoundScope & { readonly fileName?: string }) | LostScope;

/** Whether a request names no scopes, and so asks for those that the project declares. */
export function asksForProject({ zones, accounts, allZones }: ScopesRequest): boolean {
  return zones.length === 0 && accounts.length === 0 && !allZones;
}

/** Looks up the requested scopes, each once: accounts first, then zones as they are named or listed. */
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
  const named = [...new Set(refs.map(scopeLabel))].flatMap((label): readonly (FoundScope | LostScope)[] => {
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
  return withFileNames(once(all, listed));
}

async function zonesOf(
  named: readonly (FoundScope | LostScope)[],
  client: ReadClient,
): Promise<readonly Scope[]> {
  const accounts = new Set(
    named.flatMap((one) => (one.kind === 'found' && one.scope.kind === 'account' ? [one.scope.id] : [])),
  );
  const zones = await listZones(client);
  return accounts.size === 0 ? zones : zones.filter(({ accountId }) => accounts.has(accountId));
}

function foundScope(scope: Scope, project: readonly DesiredScope[]): FoundScope {
  const [declared] = declaredScopesOf(project, scope);
  return { kind: 'found', scope, name: scope.name, declared };
}

/**
 * Removes duplicate scopes; zones that share a name get their account added to it, and accounts that share a name are called by
 * their ids.
 */
function once(
  all: readonly (FoundScope | LostScope)[],
  listed: readonly Scope[],
): readonly (FoundScope | LostScope)[] {
  const seen = new Set<string>();
  const bearers = new Map<string, Set<string>>();
  for (const scope of [...listed, ...all.flatMap((one) => (one.kind === 'found' ? [one.scope] : []))]) {
    const label = scopeLabel(scope);
    bearers.set(label, (bearers.get(label) ?? new Set()).add(scope.id));
  }
  return all.flatMap((one): readonly (FoundScope | LostScope)[] => {
    if (one.kind === 'failed') {
      return [one];
    }
    const key = `${one.scope.kind}:${one.scope.id}`;
    if (seen.has(key)) {
      return [];
    }
    seen.add(key);
    const shared = (bearers.get(scopeLabel(one.scope))?.size ?? 0) > 1;
    return [
      shared ? { ...one, name: one.scope.kind === 'zone' ? nameInAccount(one.scope) : one.scope.id } : one,
    ];
  });
}

/** Calls the files of scopes by their ids if different names would lead to the same file name. */
function withFileNames(all: readonly (FoundScope | LostScope)[]): readonly WantedScope[] {
  const key = ({ scope, name }: FoundScope): string => `${scope.kind}s/${fileName(scope, name)}`;
  const alike = groupBy(
    all.flatMap((one) => (one.kind === 'found' ? [one] : [])),
    key,
  );
  return all.map((one) =>
    one.kind === 'found' && (alike.get(key(one))?.length ?? 0) > 1 ? { ...one, fileName: one.scope.id } : one,
  );
}

/** File systems allow 255 bytes, including the suffix and that of a temporary file. */
const LONGEST_NAME = 200;

/**
 * Returns the name of a scope's first file, without suffix. Names come from the service, so only characters that are safe in a path
 * are kept.
 */
export function fileName({ kind, id }: Scope, name: string): string {
  const lower = name.toLowerCase();
  const isSafe = kind === 'zone' && /^(?!\.)[a-z0-9.@-]+$/u.test(lower);
  const file = isSafe ? lower : slug(name);
  return file === '' || file.length > LONGEST_NAME ? id : file;
}
