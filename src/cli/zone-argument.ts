import type { TypedPositionalParameters } from '@stricli/core';
import { parseScopeName } from '../app/planning/ruleset-name.ts';
import type { ScopeRef } from '../model/scope.ts';
import type { CommandContext } from './context.ts';

/** One zone, by name or id. */
export type ZoneArguments = readonly [zone: string];

/** ZONE. */
export const ZONE_ARGUMENT: TypedPositionalParameters<ZoneArguments, CommandContext> = {
  kind: 'tuple',
  parameters: [{ parse: zone, placeholder: 'ZONE', brief: 'A zone by name or id' }],
};

/** ZONE..., which may be none. */
export const ZONE_ARGUMENTS: TypedPositionalParameters<readonly ScopeRef[], CommandContext> = {
  kind: 'array',
  parameter: { parse: zoneRef, placeholder: 'ZONE', brief: 'Zones by name or id (default: of the project)' },
};

function zone(text: string): string {
  return zoneRef(text).name;
}

function zoneRef(text: string): ScopeRef {
  const ref = parseScopeName(text);
  if (ref?.kind !== 'zone') {
    throw new Error('expected a zone, such as shop.example');
  }
  return ref;
}
