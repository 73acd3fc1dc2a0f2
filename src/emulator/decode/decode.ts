import { isObject, pointerStep } from '../protocol/wire-object.ts';
import { decline, refuse } from '../protocol/refusal.ts';
import type { Refusal } from '../protocol/refusal.ts';
import type { Shape, Unbounded } from './body-shape.ts';

/**
 * Decodes strictly, as the service's Go decoder does: an unknown key or a value of the wrong JSON type refuses the
 * whole body with `invalid JSON: ...` (api.md 0.3 number 10; the texts for wrong types are assumed). Does not check
 * bounds.
 */
export function checkForm<Value>(
  shape: Shape<Value>,
  value: unknown,
  at = '',
): asserts value is Unbounded<Value> {
  switch (shape.kind) {
    case 'opaque':
      return;
    case 'text':
      if (typeof value !== 'string') {
        throw wrongType(value, 'string', at);
      }
      return;
    case 'integer':
      if (!Number.isInteger(value)) {
        throw wrongType(value, 'integer', at);
      }
      return;
    case 'boolean':
      if (typeof value !== 'boolean') {
        throw wrongType(value, 'boolean', at);
      }
      return;
    case 'list':
      if (!Array.isArray(value)) {
        throw wrongType(value, 'array', at);
      }
      for (const [index, item] of value.entries()) {
        checkForm(shape.of, item, at + pointerStep(index));
      }
      return;
    case 'map':
    case 'object':
      if (!isObject(value)) {
        throw wrongType(value, 'object', at);
      }
      for (const [key, item] of Object.entries(value)) {
        checkForm(memberOf(shape, key) ?? decline(unknownField(key)), item, at + pointerStep(key));
      }
      return;
    case 'either':
      checkForm(formOf(shape, value) ?? decline(wrongType(value, 'another type', at)), value, at);
      return;
    default:
      shape satisfies never;
  }
}

/** Returns the shape that an `either` shape has for the JSON type of a value; undefined when there is none. */
export function formOf(shape: Extract<Shape, { kind: 'either' }>, value: unknown): Shape | undefined {
  if (typeof value === 'string') {
    return shape.text;
  }
  if (Array.isArray(value)) {
    return shape.list;
  }
  return isObject(value) ? shape.object : undefined;
}

/** Returns a value without the members that its shape does not know, at any depth: what a newer service knows and this one does not. */
export function knownPart(shape: Shape, value: unknown): unknown {
  if (shape.kind === 'list' && Array.isArray(value)) {
    return value.map((item) => knownPart(shape.of, item));
  }
  if ((shape.kind === 'map' || shape.kind === 'object') && isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, item]) => {
        const member = memberOf(shape, key);
        return member === undefined ? [] : [[key, knownPart(member, item)]];
      }),
    );
  }
  const form = shape.kind === 'either' ? formOf(shape, value) : undefined;
  return form === undefined ? value : knownPart(form, value);
}

function memberOf(shape: Extract<Shape, { kind: 'map' | 'object' }>, key: string): Shape | undefined {
  if (shape.kind === 'map') {
    return shape.of;
  }
  return Object.hasOwn(shape.fields, key) ? shape.fields[key] : undefined;
}

/** Makes the refusal of a key that the shape does not have (api.md 1.6). */
function unknownField(name: string): Refusal {
  return refuse(400, `invalid JSON: unknown field ${JSON.stringify(name)}`, { undecoded: true });
}

function wrongType(value: unknown, expected: string, at: string): Refusal {
  const actual = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
  const field = at === '' ? 'body' : at.slice(at.lastIndexOf('/') + 1);
  const message = `invalid JSON: cannot decode ${actual} into field ${JSON.stringify(field)} of type ${expected}`;
  return refuse(400, message, { pointer: at === '' ? undefined : at, undecoded: true });
}
