import type { JsonObject, JsonValue } from '../../model/json.ts';
import { isJsonObject, memberPointer } from '../../model/json.ts';

/**
 * A rule of a file with what differs from live as live has it. All else says what the file says: its variables, its spelling, defaults
 * that it writes out.
 */
export function onlyChanged({
  value,
  wanted,
  fields,
  paths,
}: {
  readonly value: JsonObject;
  /** The live rule as a file would say it. */
  readonly wanted: JsonObject;
  /** The fields that follow live. */
  readonly fields: ReadonlySet<string>;
  /** Where they do, as JSON Pointers; everywhere unless given. */
  readonly paths?: readonly string[];
}): JsonObject {
  const keys = [...new Set([...Object.keys(wanted), ...Object.keys(value)])];
  return Object.fromEntries(
    keys.flatMap((key) => {
      const isWhole = paths === undefined || IDENTITY.has(key);
      const [own, its] = [memberOf(value, key), memberOf(wanted, key)];
      const followed = isWhole ? its : followedAt(own, its, paths, pointerOf(key));
      const member = fields.has(key) ? followed : own;
      return member === undefined ? [] : [[key, member] as const];
    }),
  );
}

/** The fields that identify a rule are not part of its content. */
const IDENTITY: ReadonlySet<string> = new Set(['ref', 'id', 'adopt']);

/** Parameters that are not checked are parameters. */
function pointerOf(key: string): string {
  return key === 'extra_parameters' ? '/action_parameters' : `/${key}`;
}

function followedAt(
  value: JsonValue | undefined,
  wanted: JsonValue | undefined,
  paths: readonly string[],
  at: string,
): JsonValue | undefined {
  if (!paths.some((path) => path === at || path.startsWith(`${at}/`))) {
    return value;
  }
  if (!isJsonObject(value) || !isJsonObject(wanted) || paths.includes(at)) {
    return wanted;
  }
  const keys = [...new Set([...Object.keys(wanted), ...Object.keys(value)])];
  const members = keys.flatMap((key) => {
    const [own, its] = [memberOf(value, key), memberOf(wanted, key)];
    const member = followedAt(own, its, paths, memberPointer(at, key));
    return member === undefined ? [] : [[key, member] as const];
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

/** A member of its own: a header may be called like something that every object has. */
function memberOf(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
