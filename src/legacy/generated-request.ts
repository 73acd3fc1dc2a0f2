import type { Values, Value } from '../expression/index.ts';
import { valueToJson } from '../expression/index.ts';
import { compareText } from '../text/index.ts';
import type { JsonValue } from '../data/index.ts';
import type { Scenario, ZoneFacts } from '../simulate/index.ts';
import { allFields } from '../simulate/index.ts';

/** Values of some fields: part of a request. */
export type Assignment = ReadonlyMap<string, Value>;

/** The zone of generated requests. */
export const GENERATED_ZONE: ZoneFacts = { name: 'zone.example', plan: 'ENT' };

/** A generated request as the simulation takes it: a plain one but for the fields that are given. */
export function scenarioOf(assignment: Assignment): Scenario {
  return {
    request: {
      url: { scheme: 'https', host: GENERATED_ZONE.name, port: 443, path: '/', query: '' },
      method: 'GET',
      ip: { family: 4, value: 3_221_225_985n },
      headers: [],
      fields: assignment,
      challengeSolved: false,
    },
  };
}

/** All fields of a generated request. */
export function valuesOf(assignment: Assignment): Values {
  const { request } = scenarioOf(assignment);
  return allFields({ zone: GENERATED_ZONE, original: request, request });
}

/** A generated request as people and machines read it: the fields that are given, by name. */
export function describeRequest(assignment: Assignment): Readonly<Record<string, JsonValue>> {
  return Object.fromEntries(
    [...assignment]
      .toSorted(([a], [b]) => compareText(a, b))
      .map(([name, value]) => [name, valueToJson(value)]),
  );
}
