import type { ScopeRef } from '../../model/scope.ts';
import { zoneName } from '../../model/scope.ts';

/** Returns the name of the zone in lower case; undefined for an account, whose zones nobody knows here. */
export function ownName(scope: ScopeRef): string | undefined {
  return scope.kind === 'zone' ? zoneName(scope).bare.toLowerCase() : undefined;
}

/** Whether a host in lower case is the zone, or a name in it. */
export function isOfZone(host: string, scope: ScopeRef): boolean {
  const zone = ownName(scope);
  return zone !== undefined && `.${host}`.endsWith(`.${zone}`);
}
