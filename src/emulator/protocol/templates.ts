import { refuse } from './refusal.ts';
import type { Refusal } from './refusal.ts';

// The two texts that most refusals have.

/** Makes the refusal of a value, `'<value>' is not a valid value for <field> because <reason>`, with its pointer (api.md 1.6). */
export function invalidValue(value: unknown, at: string, reason: string, code?: number): Refusal {
  const field = at.slice(at.lastIndexOf('/') + 1);
  const shown = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
  return refuse(400, `'${shown}' is not a valid value for ${field} because ${reason}`, { code, pointer: at });
}

/** Makes the refusal of an id that does not exist: 404 when the path names it, 400 when the body names it. */
export function notFound(what: string, id: string, pointer?: string): Refusal {
  return refuse(pointer === undefined ? 404 : 400, `could not find ${what} with ID ${id}`, { pointer });
}
