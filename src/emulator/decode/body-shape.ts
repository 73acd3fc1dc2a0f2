import type { WireObject } from '../protocol/wire-object.ts';

/** A violated condition: the member that is wrong (empty for the whole value), and the reason. */
export interface SchemaViolation {
  readonly at: string;
  readonly reason: string;
}

/**
 * The form of a JSON value as the service decodes it: plain data, one table per object. `Value` is the type of a
 * fitting value, for the compiler only; no shape ever holds a value.
 */
export type Shape<Value = unknown> = Form & { readonly value?: Value };

/** An object with known fields; any other key is refused as unknown. */
export type ObjectShape<Value = WireObject> = ObjectForm & { readonly value?: Value };

/** The type of a value that fits a shape. */
export type ValueOf<Of> = Of extends { readonly value?: infer Value } ? Value : never;

/** The type of a value whose form was checked but not its bounds: a word may be any string, and any member may be missing. */
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
      readonly also?: (value: WireObject) => SchemaViolation | undefined;
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
  /** At least one of these fields must be present; `any` means at least one of all fields. */
  readonly some?: 'any' | readonly string[];
  /** Exactly one of these fields must be present. */
  readonly one?: readonly string[];
  /** A condition between fields, which the table cannot express. */
  readonly also?: (value: WireObject) => SchemaViolation | undefined;
}

type FormBounds<Kind extends Form['kind']> = Omit<Extract<Form, { kind: Kind }>, 'kind' | 'of'>;

/** The type of an object with these fields, of which the required ones are always present. */
export type ShapeFields<Of extends Fields, Required extends keyof Of = never> = {
  readonly [Name in Required]: ValueOf<Of[Name]>;
} & { readonly [Name in Exclude<keyof Of, Required>]?: ValueOf<Of[Name]> };

/** Makes the shape of a string; its bounds count characters (code points). */
export function text(bounds: FormBounds<'text'> = {}): Shape<string> {
  return { kind: 'text', ...bounds };
}

/** Makes the shape of a string that is one of the given words. */
export function word<const Word extends string>(...oneOf: readonly Word[]): Shape<Word> {
  return { kind: 'text', oneOf };
}

/** Makes the shape of a whole number within inclusive bounds. */
export function integer(min?: number, max?: number): Shape<number> {
  return { kind: 'integer', min, max };
}

/** Makes the shape of a boolean; `only` restricts it to one value. */
export function flag(only?: boolean): Shape<boolean> {
  return { kind: 'boolean', only };
}

/** Makes the shape of a list whose items have one shape. */
export function list<Item>(of: Shape<Item>, bounds: FormBounds<'list'> = {}): Shape<readonly Item[]> {
  return { kind: 'list', of, ...bounds };
}

/** Makes the shape of an object with any keys, whose values have one shape. */
export function map<Item>(
  of: Shape<Item>,
  bounds: FormBounds<'map'> = {},
): Shape<Readonly<Record<string, Item>>> {
  return { kind: 'map', of, ...bounds };
}

/** Makes the shape of an object with known fields. */
export function object<const Of extends Fields, Required extends keyof Of & string = never>(
  fields: Of,
  rules: ObjectRules<Required> = {},
): ObjectShape<ShapeFields<Of, Required>> {
  return { kind: 'object', fields, ...rules };
}

/** Makes the shape of a value that may be a string, a list or an object. */
export function either<const Of extends Partial<Record<'text' | 'list' | 'object', Shape>>>(
  forms: Of,
): Shape<ValueOf<Of[keyof Of]>> {
  return { kind: 'either', ...forms };
}

/** The shape that every value fits. */
export const opaque: Shape = { kind: 'opaque' };
