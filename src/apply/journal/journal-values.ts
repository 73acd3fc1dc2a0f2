import { isJsonObject, textOf } from '../../data/index.ts';
import type { JsonObject, JsonValue } from '../../data/index.ts';
import { isId } from '../../model/index.ts';
import type { Scope } from '../../model/index.ts';

/** Returns the time of an entry in milliseconds since 1970; 0 when it has none. */
export function timeOf({ at }: JsonObject): number {
  return typeof at === 'number' ? at : 0;
}

/** Reads the scope of a recorded step; null when no request could name it, since a journal may be damaged. */
export function recordedScope(value: JsonValue | undefined): Scope | null {
  if (!isJsonObject(value)) {
    return null;
  }
  const { kind, id, name, accountId } = value;
  return (kind === 'zone' || kind === 'account') && typeof id === 'string' && isId(id)
    ? { kind, id, name: textOf(name), accountId: textOf(accountId) }
    : null;
}
