import type { ScopeRef } from '../model/index.ts';
import { usage } from '../app/index.ts';
import type { FlagsOf } from './flag.ts';
import { textFlag } from './flag.ts';

/** The scope of a command that looks at the service rather than at files. */
export const SCOPE_FLAGS = {
  zone: textFlag('NAME', 'As this zone sees it, by name or id'),
  account: textFlag('NAME', 'As this account sees it, by name or id'),
};

/** The values of `SCOPE_FLAGS`. */
export type ScopeFlags = FlagsOf<typeof SCOPE_FLAGS>;

/** Returns the scope that the flags name; undefined when they name none. Throws `usage/invalid` for two. */
export function namedScope({ zone, account }: ScopeFlags): ScopeRef | undefined {
  if (zone !== undefined && account !== undefined) {
    throw usage('--zone and --account exclude each other');
  }
  if (zone !== undefined) {
    return { kind: 'zone', name: zone };
  }
  return account === undefined ? undefined : { kind: 'account', name: account };
}
