import type { Type } from './type.ts';
import type { Value, Values } from './value.ts';

/**
 * Fills in the missing values of a request for a simulation (rules-language.md 2.3): every field of the scheme gets a value, scalars "", 0
 * or false, arrays and maps empty. An address has no default and stays missing.
 */
export function fillDefaults(values: Values, scheme: ReadonlyMap<string, Type>): Values {
  const filled = new Map(values);
  for (const [name, type] of scheme) {
    const value = filled.has(name) ? undefined : DEFAULTS[type.kind];
    if (value !== undefined) {
      filled.set(name, value);
    }
  }
  return filled;
}

const DEFAULTS: Readonly<Record<Type['kind'], Value | undefined>> = {
  Bool: false,
  Int: 0,
  Bytes: '',
  Ip: undefined,
  Array: [],
  Map: new Map(),
};
