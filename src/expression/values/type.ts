/**
 * A type of the rules language (`rules-language.md` 1.4).
 * Keys of a map are always strings; there are no floats.
 */
export type Type = { readonly kind: 'Bool' | 'Int' | 'Bytes' | 'Ip' } | CollectionType;

/** A type whose values have items of one type. */
export interface CollectionType {
  readonly kind: 'Array' | 'Map';
  readonly of: Type;
}

/** Whether values of a type have items. */
export function isCollection(type: Type): type is CollectionType {
  return type.kind === 'Array' || type.kind === 'Map';
}

/** The type of a condition. */
export const BOOL: Type = { kind: 'Bool' };
/** Signed 64-bit integers. */
export const INT: Type = { kind: 'Int' };
/** Byte strings; the documentation of the service says String. */
export const BYTES: Type = { kind: 'Bytes' };
/** IPv4 and IPv6 addresses. */
export const IP: Type = { kind: 'Ip' };

/** The type of an array of `of`. */
export function arrayOf(of: Type): Type {
  return { kind: 'Array', of };
}

/** The type of a map from strings to `of`. */
export function mapOf(of: Type): Type {
  return { kind: 'Map', of };
}

/** Whether two types are the same. */
export function sameType(a: Type, b: Type): boolean {
  if (a.kind !== b.kind) {
    return false;
  }
  return isCollection(a) && isCollection(b) ? sameType(a.of, b.of) : true;
}

/** The type as messages and schemes write it: `Bytes`, `Array<Bytes>`, `Map<Array<Bytes>>`. */
export function typeName(type: Type): string {
  return isCollection(type) ? `${type.kind}<${typeName(type.of)}>` : type.kind;
}

const PRIMITIVES: ReadonlyMap<string, Type> = new Map([
  ['Bool', BOOL],
  ['Int', INT],
  ['Bytes', BYTES],
  ['Ip', IP],
]);

/** A primitive type in up to 32 arrays and maps: nobody nests them deeper, and functions on types recurse. */
const TYPE_NAME = /^((?:(?:Array|Map)<){0,32})(\w+)(>*)$/u;

/** Reads a type name (`Map<Array<Bytes>>`); undefined when it names no type. */
export function parseType(name: string): Type | undefined {
  const plain = PRIMITIVES.get(name);
  if (plain !== undefined) {
    return plain;
  }
  const [, opening = '', inner = '', closing = ''] = TYPE_NAME.exec(name) ?? [];
  const kinds = opening.match(/\w+/gu) ?? [];
  const primitive = kinds.length === closing.length ? PRIMITIVES.get(inner) : undefined;
  return (
    primitive && kinds.reduceRight<Type>((of, kind) => (kind === 'Map' ? mapOf(of) : arrayOf(of)), primitive)
  );
}
