import { distance } from 'fastest-levenshtein';
import { compareText } from '../text/index.ts';
import { groupBy } from '../data/index.ts';
import { RulewrightError, isId, nameInAccount, scopeLabel, zoneName } from '../model/index.ts';
import type { Scope, ScopeRef } from '../model/index.ts';
import { orElse } from './service-error.ts';
import { findScopes, getZone, pageOfScopes } from './scopes.ts';
import type { ReadClient } from './client.ts';

/**
 * Resolves the scope that a file names. A name of 32 hex characters is an id: a zone is read by it; an account is taken without a request,
 * because a token may have rights in an account that it may not look up. A zone that is named with its account keeps that form as its name.
 * Throws `api/ambiguous-scope` for a name that several scopes have, and `api/unknown-scope` for one that none has.
 */
export async function resolveScope(client: ReadClient, ref: ScopeRef): Promise<Scope> {
  if (isId(ref.name)) {
    return ref.kind === 'zone'
      ? getZone(client, ref.name)
      : { kind: 'account', id: ref.name, name: ref.name, accountId: ref.name };
  }
  const found = await findScopes(client, ref.kind, zoneName(ref).bare);
  return chooserAmong(found)(ref) ?? (await refuseUnknown(client, ref));
}

/**
 * Returns a function that finds the scope with a name among the given ones: `null` when none has it; throws `api/ambiguous-scope` when
 * several do. Each scope is visited once, however many names are looked up.
 */
export function chooserAmong(found: readonly Scope[]): (ref: ScopeRef) => Scope | null {
  const exact = groupBy(found, ({ name }) => name);
  let alike: ReadonlyMap<string, readonly string[]> | undefined;
  return (ref) => {
    const { bare, account } = zoneName(ref);
    const spellings = exact.has(bare)
      ? [bare]
      : ((alike ??= groupBy(exact.keys(), folded)).get(folded(bare)) ?? []);
    const bearers = spellings
      .flatMap((name) => exact.get(name) ?? [])
      .filter(({ accountId }) => account === null || account === accountId);
    const [first, ...others] = bearers;
    if (first !== undefined && others.length > 0) {
      throw ambiguousScope(ref, bearers);
    }
    return first === undefined || account === null
      ? (first ?? null)
      : { ...first, name: nameInAccount(first) };
  };
}

function ambiguousScope(ref: ScopeRef, bearers: readonly Scope[]): RulewrightError {
  const ids = bearers.map(({ id, accountId }) => (ref.kind === 'zone' ? `${id} (account ${accountId})` : id));
  const [one] = bearers.map(nameInAccount);
  return new RulewrightError(`${scopeLabel(ref)} names ${bearers.length} ${ref.kind}s: ${ids.join(', ')}`, {
    code: 'api/ambiguous-scope',
    fault: 'user',
    hint:
      ref.kind === 'zone' && zoneName(ref).account === null
        ? `write the one that is meant with the id of its account, such as ${one}, or its own id`
        : 'write the id of the one that is meant instead of its name',
  });
}

/** Returns the error for a name that no scope has. */
function unknownScope(ref: ScopeRef, known: readonly Scope[]): RulewrightError {
  const near = known
    .map(({ name }) => ({ name, far: distance(folded(name), folded(ref.name)) }))
    .filter(({ far }) => far <= Math.max(2, Math.floor(ref.name.length / 4)))
    .sort((a, b) => a.far - b.far || compareText(a.name, b.name))
    .slice(0, 3)
    .map(({ name }) => name);
  return new RulewrightError(
    `no ${ref.kind} that the credentials can see has the name ${JSON.stringify(ref.name)}`,
    {
      code: 'api/unknown-scope',
      fault: 'user',
      hint:
        near.length > 0
          ? `did you mean ${near.join(', ')}? If the name is right, the token cannot read this ${ref.kind}`
          : `check the name, and that the token can read this ${ref.kind}; its id works as well`,
    },
  );
}

async function refuseUnknown(client: ReadClient, ref: ScopeRef): Promise<never> {
  throw unknownScope(ref, await nearby(client, ref));
}

/** Reads one page of names to suggest from. A suggestion is not worth more requests, and a failure here is ignored. */
async function nearby(client: ReadClient, ref: ScopeRef): Promise<readonly Scope[]> {
  const { items } = await orElse(pageOfScopes(client, ref.kind, 1), () => ({ items: [] }));
  return items;
}

function folded(name: string): string {
  return name.toLowerCase();
}
