import type { JsonObject } from '../json.ts';

/** What a wrong value is told: where inside the value, the field's name, the value, the reason. */
export interface Misfit {
  readonly at: string;
  readonly reason: string;
}

/** The form of a JSON value as the service decodes it: plain data, one table an object. */
export type Shape =
  | {
      readonly kind: 'text';
      readonly min?: number;
      readonly max?: number;
      readonly oneOf?: readonly string[];
      readonly pattern?: RegExp;
    }
  | {
      readonly kind: 'integer';
      readonly min?: number;
      readonly max?: number;
      readonly oneOf?: readonly number[];
    }
  | { readonly kind: 'boolean'; readonly only?: boolean }
  | {
      readonly kind: 'list';
      readonly of: Shape;
      readonly min?: number;
      readonly max?: number;
      readonly unique?: boolean;
    }
  | {
      readonly kind: 'map';
      readonly of: Shape;
      readonly min?: number;
      readonly max?: number;
      readonly key?: RegExp;
      readonly also?: (value: JsonObject) => Misfit | undefined;
    }
  | ObjectShape
  | { readonly kind: 'either'; readonly text?: Shape; readonly list?: Shape; readonly object?: Shape }
  | { readonly kind: 'opaque' };

/** An object with known fields; any other key is an unknown field. */
export interface ObjectShape {
  readonly kind: 'object';
  readonly fields: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  /** At least one of the fields must be there: all fields, or those named. */
  readonly some?: 'any' | readonly string[];
  /** Exactly one of the fields must be there. */
  readonly one?: readonly string[];
  /** What the table cannot say: a condition between fields. */
  readonly also?: (value: JsonObject) => Misfit | undefined;
}

/** A string, with bounds in characters. */
export function text(bounds: Omit<Extract<Shape, { kind: 'text' }>, 'kind'> = {}): Shape {
  return { kind: 'text', ...bounds };
}

/** One of the given words. */
export function word(...oneOf: readonly string[]): Shape {
  return { kind: 'text', oneOf };
}

/** A whole number, with bounds. */
export function integer(min?: number, max?: number): Shape {
  return {
    kind: 'integer',
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
  };
}

/** A boolean; `only` restricts it to one value. */
export function flag(only?: boolean): Shape {
  return only === undefined ? { kind: 'boolean' } : { kind: 'boolean', only };
}

/** A list of values of one shape. */
export function list(
  of: Shape,
  bounds: Omit<Extract<Shape, { kind: 'list' }>, 'kind' | 'of'> = {},
): Extract<Shape, { kind: 'list' }> {
  return { kind: 'list', of, ...bounds };
}

/** An object whose keys are free and whose values have one shape. */
export function map(of: Shape, bounds: Omit<Extract<Shape, { kind: 'map' }>, 'kind' | 'of'> = {}): Shape {
  return { kind: 'map', of, ...bounds };
}

/** An object with known fields. */
export function object(
  fields: Readonly<Record<string, Shape>>,
  rules: Omit<ObjectShape, 'kind' | 'fields'> = {},
): ObjectShape {
  return { kind: 'object', fields, ...rules };
}

/** A value that may come in several JSON forms. */
export function either(forms: {
  readonly text?: Shape;
  readonly list?: Shape;
  readonly object?: Shape;
}): Shape {
  return { kind: 'either', ...forms };
}

/** Any value: kept as it is. */
export const opaque: Shape = { kind: 'opaque' };
