/**
 * A description of keys and types of a JSON value, written from the references. An object has exactly the keys that it
 * names; those of `optional` may be missing.
 */
export type Shape =
  | { readonly kind: 'text'; readonly pattern?: RegExp }
  | { readonly kind: 'integer' | 'flag' | 'null' | 'any' }
  | { readonly kind: 'list'; readonly of: Shape }
  | { readonly kind: 'map'; readonly of: Shape }
  | {
      readonly kind: 'object';
      readonly keys: Readonly<Record<string, Shape>>;
      readonly optional: Readonly<Record<string, Shape>>;
    }
  | { readonly kind: 'either'; readonly shapes: readonly Shape[] };

export const text: Shape = { kind: 'text' };
export const id: Shape = { kind: 'text', pattern: /^[0-9a-f]{32}$/u };
export const version: Shape = { kind: 'text', pattern: /^[0-9]+$/u };
/** RFC 3339, UTC, with a fraction of any length (api.md 3.1). */
export const time: Shape = { kind: 'text', pattern: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/u };
export const integer: Shape = { kind: 'integer' };
export const flag: Shape = { kind: 'flag' };
export const nothing: Shape = { kind: 'null' };
export const any: Shape = { kind: 'any' };

/** One of some words. */
export function word(...words: readonly string[]): Shape {
  return { kind: 'text', pattern: new RegExp(`^(?:${words.join('|')})$`, 'u') };
}

/** A list of one shape. */
export function list(of: Shape): Shape {
  return { kind: 'list', of };
}

/** An object with free keys. */
export function map(of: Shape): Shape {
  return { kind: 'map', of };
}

/** An object with these keys, and perhaps those. */
export function object(
  keys: Readonly<Record<string, Shape>>,
  optional: Readonly<Record<string, Shape>> = {},
): Shape {
  return { kind: 'object', keys, optional };
}

/** Any of some shapes. */
export function either(...shapes: readonly Shape[]): Shape {
  return { kind: 'either', shapes };
}

/** Everything in which a value does not fit a shape, one line each. */
export function misfits(shape: Shape, value: unknown, at = ''): readonly string[] {
  const wrong = (expected: string) => [`${at === '' ? '/' : at}: ${expected} and is ${kindOf(value)}`];
  switch (shape.kind) {
    case 'any':
      return [];
    case 'text':
      if (typeof value !== 'string') {
        return wrong('should be text');
      }
      return shape.pattern === undefined || shape.pattern.test(value)
        ? []
        : wrong(`should be ${shape.pattern}`);
    case 'integer':
      return Number.isInteger(value) ? [] : wrong('should be a whole number');
    case 'flag':
      return typeof value === 'boolean' ? [] : wrong('should be true or false');
    case 'null':
      return value === null ? [] : wrong('should be null');
    case 'list':
      return Array.isArray(value)
        ? value.flatMap((item: unknown, index) => misfits(shape.of, item, `${at}/${index}`))
        : wrong('should be a list');
    case 'map':
      return isObject(value)
        ? Object.entries(value).flatMap(([key, member]) => misfits(shape.of, member, `${at}/${key}`))
        : wrong('should be an object');
    case 'object':
      return isObject(value) ? objectMisfits(shape, value, at) : wrong('should be an object');
    case 'either':
      break;
  }
  const tries = shape.shapes.map((each) => misfits(each, value, at));
  return tries.find((problems) => problems.length === 0) ?? nearest(tries);
}

function objectMisfits(
  { keys, optional }: Extract<Shape, { kind: 'object' }>,
  value: Readonly<Record<string, unknown>>,
  at: string,
): readonly string[] {
  const missing = Object.keys(keys).flatMap((key) => (key in value ? [] : [`${at}/${key}: is missing`]));
  const members = Object.entries(value).flatMap(([key, member]) => {
    const shape = keys[key] ?? optional[key];
    return shape === undefined
      ? [`${at}/${key}: is not in the shape`]
      : misfits(shape, member, `${at}/${key}`);
  });
  return [...missing, ...members];
}

/** The problems of the shape that comes nearest: those that lie deepest in the value. */
function nearest(tries: readonly (readonly string[])[]): readonly string[] {
  const depth = (problems: readonly string[]) => problems[0]?.split(':')[0]?.split('/').length ?? 0;
  return tries.toSorted((a, b) => depth(b) - depth(a) || a.length - b.length)[0] ?? [];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function kindOf(value: unknown): string {
  if (value === undefined) {
    return 'missing';
  }
  return isObject(value) ? 'an object' : JSON.stringify(value).slice(0, 60);
}
