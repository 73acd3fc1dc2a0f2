import type { JsonObject } from '../protocol/json.ts';

/** What a wrong value is told: where inside the value, and the reason. */
export interface Misfit {
  readonly at: string;
  readonly reason: string;
}

/**
 * The form of a JSON value as the service decodes it: plain data, one table an object. `Value` is what the compiler knows of a value that
 * fits; no shape ever holds one.
 */
export type Shape<Value = unknown> = Form & { readonly value?: Value };

/** An object with known fields; any other key is an unknown field. */
export type ObjectShape<Value = JsonObject> = ObjectForm & { readonly value?: Value };

/** What a value that fits a shape is. */
export type ValueOf<Of> = Of extends { readonly value?: infer Value } ? Value : never;

/** A value whose form was looked at, and whose bounds were not: any word, and any member may be missing. */
export type Unbounded<Value> = Value extends string
  ? string
  : Value extends readonly (infer Item)[]
    ? readonly Unbounded<Item>[]
    : Value extends object
      ? { readonly [Key in keyof Value]?: Unbounded<Value[Key]> }
      : Value;

type Form =
  | {
      readonly kind: 'text';
      readonly min?: number;
      readonly max?: number;
      readonly oneOf?: readonly string[];
      readonly pattern?: RegExp;
    }
  | {
      readonly kind: 'integer';
      readonly min?: number | undefined;
      readonly max?: number | undefined;
      readonly oneOf?: readonly number[];
    }
  | { readonly kind: 'boolean'; readonly only?: boolean | undefined }
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
  | ObjectForm
  | {
      readonly kind: 'either';
      readonly text?: Shape | undefined;
      readonly list?: Shape | undefined;
      readonly object?: Shape | undefined;
    }
  | { readonly kind: 'opaque' };

interface ObjectForm extends ObjectRules<string> {
  readonly kind: 'object';
  readonly fields: Fields;
}

type Fields = Readonly<Record<string, Shape>>;

interface ObjectRules<Required extends string> {
  readonly required?: readonly Required[];
  /** At least one of the fields must be there: all fields, or those named. */
  readonly some?: 'any' | readonly string[];
  /** Exactly one of the fields must be there. */
  readonly one?: readonly string[];
  /** What the table cannot say: a condition between fields. */
  readonly also?: (value: JsonObject) => Misfit | undefined;
}

type Bounds<Kind extends Form['kind']> = Omit<Extract<Form, { kind: Kind }>, 'kind' | 'of'>;

/** What an object with these fields has: some of them for certain. */
export type Members<Of extends Fields, Required extends keyof Of = never> = {
  readonly [Name in Required]: ValueOf<Of[Name]>;
} & { readonly [Name in Exclude<keyof Of, Required>]?: ValueOf<Of[Name]> };

/** A string, with bounds in characters. */
export function text(bounds: Bounds<'text'> = {}): Shape<string> {
  return { kind: 'text', ...bounds };
}

/** One of the given words. */
export function word<const Word extends string>(...oneOf: readonly Word[]): Shape<Word> {
  return { kind: 'text', oneOf };
}

/** A whole number, with bounds. */
export function integer(min?: number, max?: number): Shape<number> {
  return { kind: 'integer', min, max };
}

/** A boolean; `only` restricts it to one value. */
export function flag(only?: boolean): Shape<boolean> {
  return { kind: 'boolean', only };
}

/** A list of values of one shape. */
export function list<Item>(of: Shape<Item>, bounds: Bounds<'list'> = {}): Shape<readonly Item[]> {
  return { kind: 'list', of, ...bounds };
}

/** An object whose keys are free and whose values have one shape. */
export function map<Item>(
  of: Shape<Item>,
  bounds: Bounds<'map'> = {},
): Shape<Readonly<Record<string, Item>>> {
  return { kind: 'map', of, ...bounds };
}

/** An object with known fields. */
export function object<const Of extends Fields, Required extends keyof Of & string = never>(
  fields: Of,
  rules: ObjectRules<Required> = {},
): ObjectShape<Members<Of, Required>> {
  return { kind: 'object', fields, ...rules };
}

/** A value that may come in several JSON forms. */
export function either<const Of extends Partial<Record<'text' | 'list' | 'object', Shape>>>(
  forms: Of,
): Shape<ValueOf<Of[keyof Of]>> {
  return { kind: 'either', ...forms };
}

/** Any value: kept as it is. */
export const opaque: Shape = { kind: 'opaque' };
