import type { ScopeRef } from '../model/scope.ts';
import { usage } from './usage.ts';
import { textFlag } from './flag.ts';
import type { FlagsFor } from './flag.ts';

/** One scope, for commands that look at the service rather than at files. */
export interface ScopeFlags {
  readonly zone?: string | undefined;
  readonly account?: string | undefined;
}

/** Parameters of `ScopeFlags`. */
export const SCOPE_FLAGS: FlagsFor<ScopeFlags> = {
  zone: textFlag('NAME', 'As this zone sees it, by name or id'),
  account: textFlag('NAME', 'As this account sees it, by name or id'),
};

/** The scope that is named; nothing when none is. Throws `usage/invalid` for two. */
export function namedScope({ zone, account }: ScopeFlags): ScopeRef | undefined {
  if (zone !== undefined && account !== undefined) {
    throw usage('--zone and --account exclude each other');
  }
  if (zone !== undefined) {
    return { kind: 'zone', name: zone };
  }
  return account === undefined ? undefined : { kind: 'account', name: account };
}
