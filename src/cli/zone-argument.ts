import { parseScopeName } from '../app/planning/ruleset-name.ts';
import type { ScopeRef } from '../model/scope.ts';
import type { ArgumentsFor } from './flag.ts';

/** One zone, by name or id. */
export type ZoneArguments = readonly [zone: ScopeRef];

/** ZONE. */
export const ZONE_ARGUMENT: ArgumentsFor<ZoneArguments> = {
  kind: 'tuple',
  parameters: [{ parse: zoneRef, placeholder: 'ZONE', brief: 'A zone by name or id' }],
};

/** ZONE..., which may be none. */
export const ZONE_ARGUMENTS: ArgumentsFor<readonly ScopeRef[]> = {
  kind: 'array',
  parameter: { parse: zoneRef, placeholder: 'ZONE', brief: 'Zones by name or id (default: of the project)' },
};

function zoneRef(text: string): ScopeRef {
  const ref = parseScopeName(text);
  if (ref?.kind !== 'zone') {
    throw new Error('expected a zone, such as shop.example');
  }
  return ref;
}
