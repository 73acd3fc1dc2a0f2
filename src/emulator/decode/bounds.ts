import { isObject, pointerStep } from '../protocol/wire-object.ts';
import type { WireObject } from '../protocol/wire-object.ts';
import { invalidValue } from '../protocol/refusal.ts';
import { checkForm, formOf } from './decode.ts';
import type { SchemaViolation, ObjectShape, Shape } from './body-shape.ts';

/** Checks a value that is not a request body: first its form, then the bounds of its shape. */
export function checkShape<Value>(shape: Shape<Value>, value: unknown, at = ''): asserts value is Value {
  checkForm(shape, value, at);
  checkBounds(shape, value, at);
}

/**
 * Checks a decoded value against the bounds of its shape. Refuses the first violation, in the service's general
 * template `'<value>' is not a valid value for <field> because <reason>` (api.md 1.6), with a JSON pointer.
 */
export function checkBounds<Value>(shape: Shape<Value>, value: unknown, at: string): asserts value is Value {
  const reason = ownReason(shape, value);
  if (reason !== undefined) {
    throw invalidValue(value, at, reason);
  }
  if (shape.kind === 'list' && Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      checkBounds(shape.of, item, at + pointerStep(index));
    }
  } else if (shape.kind === 'map' && isObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      checkBounds(shape.of, item, at + pointerStep(key));
    }
    checkCondition(shape.also?.(value), value, at);
  } else if (shape.kind === 'object' && isObject(value)) {
    checkMembers(shape, value, at);
  } else if (shape.kind === 'either') {
    const form = formOf(shape, value);
    if (form !== undefined) {
      checkBounds(form, value, at);
    }
  }
}

function ownReason(shape: Shape, value: unknown): string | undefined {
  switch (shape.kind) {
    case 'text':
      return typeof value === 'string' ? textReason(shape, value) : undefined;
    case 'integer':
      return typeof value === 'number' ? integerReason(shape, value) : undefined;
    case 'boolean':
      return shape.only === undefined || value === shape.only ? undefined : `it must be ${shape.only}`;
    case 'list':
      return Array.isArray(value) ? listReason(shape, value) : undefined;
    case 'map':
      return isObject(value) ? mapReason(shape, Object.keys(value)) : undefined;
    default:
      return undefined;
  }
}

function textReason(shape: Extract<Shape, { kind: 'text' }>, value: string): string | undefined {
  if (shape.oneOf !== undefined && !shape.oneOf.includes(value)) {
    return `it must be one of ${shape.oneOf.join(', ')}`;
  }
  if (shape.min !== undefined && characters(value) < shape.min) {
    return shape.min === 1
      ? 'it cannot be blank'
      : `it must be at least ${shape.min} ${plural(shape.min, 'character')} long`;
  }
  if (shape.max !== undefined && characters(value) > shape.max) {
    return `it must be at most ${shape.max} ${plural(shape.max, 'character')} long`;
  }
  return shape.pattern === undefined || shape.pattern.test(value)
    ? undefined
    : `it must match ${shape.pattern.source}`;
}

function integerReason(shape: Extract<Shape, { kind: 'integer' }>, value: number): string | undefined {
  if (shape.oneOf !== undefined && !shape.oneOf.includes(value)) {
    return `it must be one of ${shape.oneOf.join(', ')}`;
  }
  if (shape.min !== undefined && value < shape.min) {
    return `it must be at least ${shape.min}`;
  }
  return shape.max === undefined || value <= shape.max ? undefined : `it must be at most ${shape.max}`;
}

function listReason(shape: Extract<Shape, { kind: 'list' }>, value: readonly unknown[]): string | undefined {
  if (shape.min !== undefined && value.length < shape.min) {
    return `it must hold at least ${shape.min} ${plural(shape.min, 'item')}`;
  }
  if (shape.max !== undefined && value.length > shape.max) {
    return `it must hold at most ${shape.max} ${plural(shape.max, 'item')}`;
  }
  const distinct = new Set(value.map((item) => JSON.stringify(item)));
  return shape.unique === true && distinct.size < value.length ? 'its items must be unique' : undefined;
}

function mapReason(shape: Extract<Shape, { kind: 'map' }>, keys: readonly string[]): string | undefined {
  if (shape.min !== undefined && keys.length < shape.min) {
    return `it must hold at least ${shape.min} ${plural(shape.min, 'member')}`;
  }
  if (shape.max !== undefined && keys.length > shape.max) {
    return `it must hold at most ${shape.max} ${plural(shape.max, 'member')}`;
  }
  const pattern = shape.key;
  const wrong = pattern === undefined ? undefined : keys.find((key) => !pattern.test(key));
  return wrong === undefined ? undefined : `'${wrong}' is not a valid name`;
}

function checkMembers(shape: ObjectShape<unknown>, value: WireObject, at: string): void {
  const missing = shape.required?.find((field) => value[field] === undefined);
  if (missing !== undefined) {
    throw invalidValue(undefined, at + pointerStep(missing), 'it is required');
  }
  const given = (fields: readonly string[]) => fields.filter((field) => value[field] !== undefined).length;
  // A newer service may know members that the shape does not.
  const some = shape.some === 'any' ? Object.keys({ ...shape.fields, ...value }) : shape.some;
  if (some !== undefined && given(some) === 0) {
    throw invalidValue(value, at, `at least one of ${some.join(', ')} is required`);
  }
  if (shape.one !== undefined && given(shape.one) !== 1) {
    throw invalidValue(value, at, `exactly one of ${shape.one.join(', ')} is required`);
  }
  for (const [key, item] of Object.entries(value)) {
    const field = shape.fields[key];
    if (field !== undefined) {
      checkBounds(field, item, at + pointerStep(key));
    }
  }
  checkCondition(shape.also?.(value), value, at);
}

function checkCondition(mismatch: SchemaViolation | undefined, value: WireObject, at: string): void {
  if (mismatch !== undefined) {
    throw mismatch.at === ''
      ? invalidValue(value, at, mismatch.reason)
      : invalidValue(value[mismatch.at], at + pointerStep(mismatch.at), mismatch.reason);
  }
}

function characters(value: string): number {
  return Array.from(value).length;
}

function plural(count: number, noun: string): string {
  return count === 1 ? noun : `${noun}s`;
}
