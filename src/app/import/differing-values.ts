import type { JsonObject, JsonValue } from '../../data/index.ts';
import { isJsonObject, memberPointer } from '../../data/index.ts';

/**
 * Returns a rule of a file with the differing values taken from live. Everything else stays as the file has it: variables, spelling,
 * spelled-out defaults.
 */
export function onlyChanged({
  value,
  wanted,
  fields,
  paths,
}: {
  readonly value: JsonObject;
  /** The live rule as a file would declare it. */
  readonly wanted: JsonObject;
  /** The fields that take their values from live. */
  readonly fields: ReadonlySet<string>;
  /** The parts of these fields that follow live, as JSON Pointers; all parts unless given. */
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

/** The fields that identify a rule; they are not part of its content, so `paths` does not cover them. */
const IDENTITY: ReadonlySet<string> = new Set(['ref', 'id', 'adopt']);

/** The fields of the service that other keys of files are a part of: the unchecked parameters, and the window. */
const PART_OF: ReadonlyMap<string, string> = new Map([
  ['extra_parameters', '/action_parameters'],
  ['active', '/expression'],
]);

/** Returns the JSON Pointer of the field that a key of a file is about. */
function pointerOf(key: string): string {
  return PART_OF.get(key) ?? `/${key}`;
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

/** Returns an own member: a header may be named like a member that every object inherits. */
function memberOf(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
