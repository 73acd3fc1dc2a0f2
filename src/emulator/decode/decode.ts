import { isObject, pointerStep } from '../json.ts';
import { type Refusal, refuse, serviceError } from '../protocol/refusal.ts';
import type { Shape } from './shape.ts';

/**
 * Decodes strictly, as the service's Go decoder does: a key that the shape does not know, or a value of another JSON
 * type, refuses the whole body with `invalid JSON: ...` (api.md 0.3 number 10; the texts for wrong types are assumed).
 * Bounds are not looked at here. Gives undefined when the value decodes.
 */
export function decodeProblem(shape: Shape, value: unknown, at = ''): Refusal | undefined {
  switch (shape.kind) {
    case 'opaque':
      return undefined;
    case 'text':
      return typeof value === 'string' ? undefined : wrongType(value, 'string', at);
    case 'integer':
      return Number.isInteger(value) ? undefined : wrongType(value, 'integer', at);
    case 'boolean':
      return typeof value === 'boolean' ? undefined : wrongType(value, 'boolean', at);
    case 'list':
      return Array.isArray(value)
        ? first(value, (item, index) => decodeProblem(shape.of, item, at + pointerStep(index)))
        : wrongType(value, 'array', at);
    case 'map':
      return isObject(value)
        ? first(Object.entries(value), ([key, item]) => decodeProblem(shape.of, item, at + pointerStep(key)))
        : wrongType(value, 'object', at);
    case 'object':
      return isObject(value)
        ? first(Object.entries(value), ([key, item]) => {
            const field = Object.hasOwn(shape.fields, key) ? shape.fields[key] : undefined;
            return field === undefined
              ? unknownField(key)
              : decodeProblem(field, item, at + pointerStep(key));
          })
        : wrongType(value, 'object', at);
    case 'either': {
      const form = formOf(shape, value);
      return form === undefined ? wrongType(value, 'another type', at) : decodeProblem(form, value, at);
    }
    default:
      return shape satisfies never;
  }
}

/** The form of an `either` shape that a value comes in. */
export function formOf(shape: Extract<Shape, { kind: 'either' }>, value: unknown): Shape | undefined {
  if (typeof value === 'string') {
    return shape.text;
  }
  if (Array.isArray(value)) {
    return shape.list;
  }
  return isObject(value) ? shape.object : undefined;
}

/** The refusal of a key that no field has (api.md 1.6). */
function unknownField(name: string): Refusal {
  return refuse(400, serviceError(`invalid JSON: unknown field ${JSON.stringify(name)}`));
}

function wrongType(value: unknown, expected: string, at: string): Refusal {
  const actual = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
  const field = at === '' ? 'body' : at.slice(at.lastIndexOf('/') + 1);
  const message = `invalid JSON: cannot decode ${actual} into field ${JSON.stringify(field)} of type ${expected}`;
  return refuse(400, serviceError(message, undefined, at === '' ? undefined : at));
}

function first<T, R>(items: readonly T[], look: (item: T, index: number) => R | undefined): R | undefined {
  for (const [index, item] of items.entries()) {
    const found = look(item, index);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}
