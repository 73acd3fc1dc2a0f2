import type { TypedPositionalParameters } from '@stricli/core';
import { parseScopeName } from '../app/planning/ruleset-name.ts';
import type { CommandContext } from './context.ts';

/** One zone, by name or id. */
export type ZoneArguments = readonly [zone: string];

/** ZONE. */
export const ZONE_ARGUMENT: TypedPositionalParameters<ZoneArguments, CommandContext> = {
  kind: 'tuple',
  parameters: [{ parse: zone, placeholder: 'ZONE', brief: 'A zone by name or id' }],
};

function zone(text: string): string {
  const ref = parseScopeName(text);
  if (ref === null || ref.kind !== 'zone') {
    throw new Error('expected a zone, such as shop.example');
  }
  return ref.name;
}
