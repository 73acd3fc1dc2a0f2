import type { Place } from './shape.ts';
import { itemsAt, objectAt, textMember, unexpected } from './shape.ts';
import { isJsonArray } from '../model/json.ts';

/** Decodes a list of objects of one family. Throws `api/unexpected-answer` with the pointer of what is wrong. */
export function decodeAll<Item>(decode: (place: Place) => Item): (result: unknown) => readonly Item[] {
  return (result) => itemsAt({ value: result, pointer: '' }).map(decode);
}

/**
 * Decodes an answer that holds one object: as itself, or, where documentation and schema differ, as a list of one
 * (api.md 9.1: PATCH and DELETE of one rule).
 */
export function decodeSingle<Item>(decode: (place: Place) => Item): (result: unknown) => Item {
  return (result) => {
    const places = isJsonArray(result)
      ? itemsAt({ value: result, pointer: '' })
      : [{ value: result, pointer: '' }];
    const [first, ...others] = places;
    if (first === undefined || others.length > 0) {
      throw unexpected('', `should be one object and is a list of ${places.length}`);
    }
    return decode(first);
  };
}

/**
 * Decodes the ids of an answer to a deletion: `[{id}]`, `{id}`, or nothing at all (api.md 9.1, 9.2, 9.6 and the recorded
 * `[]` and `null`): where the service does not say which, those that were asked for.
 */
export function decodeDeleted(asked: readonly string[]): (result: unknown) => readonly string[] {
  return (result) => {
    if (result === null || result === undefined || (isJsonArray(result) && result.length === 0)) {
      return asked;
    }
    const places = isJsonArray(result)
      ? itemsAt({ value: result, pointer: '' })
      : [{ value: result, pointer: '' }];
    return places.map((place) => textMember(objectAt(place), 'id', place.pointer));
  };
}
