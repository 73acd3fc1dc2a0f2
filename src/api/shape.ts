import { RulewrightError } from '../model/error.ts';
import type { JsonObject, JsonValue } from '../model/json.ts';
import { isJsonArray, isJsonObject } from '../model/json.ts';

/** A value of an answer and where it stands (JSON pointer into `result`). */
export interface Place {
  readonly value: unknown;
  readonly pointer: string;
}

/** The error for an answer that is not as expected; `accept` gives it its request. */
export function unexpected(pointer: string, problem: string): RulewrightError {
  return new RulewrightError(`${pointer === '' ? 'the result' : pointer} ${problem}`, {
    code: 'api/unexpected-answer',
    fault: 'remote',
  });
}

/** The object at a place. */
export function objectAt(place: Place): JsonObject {
  if (!isJsonObject(place.value)) {
    throw unexpected(place.pointer, `should be an object and is ${kindOf(place.value)}`);
  }
  return place.value;
}

/** The list at a place. */
export function listAt(place: Place): readonly JsonValue[] {
  if (!isJsonArray(place.value)) {
    throw unexpected(place.pointer, `should be a list and is ${kindOf(place.value)}`);
  }
  return place.value;
}

/** The items of the list at a place, each with its own. */
export function itemsAt(place: Place): readonly Place[] {
  return listAt(place).map((value, index) => ({ value, pointer: `${place.pointer}/${index}` }));
}

/** Decodes each item of a result that is a list. */
export function decodeAll<Item>(decode: (place: Place) => Item): (result: unknown) => readonly Item[] {
  return (result) => itemsAt({ value: result, pointer: '' }).map(decode);
}

/** A member that must be text, and not empty. */
export function textMember(object: JsonObject, name: string, pointer: string): string {
  const value = object[name];
  if (typeof value !== 'string' || value === '') {
    throw unexpected(`${pointer}/${name}`, `should be text and is ${value === '' ? 'empty' : kindOf(value)}`);
  }
  return value;
}

/** A member that is text where it is given; `null` counts as not given. */
export function optionalText(object: JsonObject, name: string, pointer: string): string | undefined {
  const value = object[name] ?? undefined;
  if (value !== undefined && typeof value !== 'string') {
    throw unexpected(`${pointer}/${name}`, `should be text and is ${kindOf(value)}`);
  }
  return value;
}

/** A member that is true or false; `standard` where it is not given or `null`. */
export function flagOr(
  object: JsonObject,
  name: string,
  { pointer, standard }: { readonly pointer: string; readonly standard: boolean },
): boolean {
  const value = object[name] ?? standard;
  if (typeof value !== 'boolean') {
    throw unexpected(`${pointer}/${name}`, `should be true or false and is ${kindOf(value)}`);
  }
  return value;
}

/** A member that is a number where it is given; `null` counts as not given. */
export function optionalNumber(object: JsonObject, name: string, pointer: string): number | undefined {
  const value = object[name] ?? undefined;
  if (value !== undefined && typeof value !== 'number') {
    throw unexpected(`${pointer}/${name}`, `should be a number and is ${kindOf(value)}`);
  }
  return value;
}

/** A member that must be a number. */
export function numberMember(object: JsonObject, name: string, pointer: string): number {
  const value = optionalNumber(object, name, pointer);
  if (value === undefined) {
    throw unexpected(`${pointer}/${name}`, 'should be a number and is missing');
  }
  return value;
}

/** The object of a member; an empty one where it is not given or `null`. */
export function optionalObject(object: JsonObject, name: string, pointer: string): JsonObject {
  return objectAt({ value: object[name] ?? {}, pointer: `${pointer}/${name}` });
}

/** The items of a member that is a list; none where it is not given or `null`. */
export function optionalItems(object: JsonObject, name: string, pointer: string): readonly Place[] {
  return itemsAt({ value: object[name] ?? [], pointer: `${pointer}/${name}` });
}

/** The texts of a member that is a list of text; none where it is not given or `null`. */
export function optionalTexts(object: JsonObject, name: string, pointer: string): readonly string[] {
  return optionalItems(object, name, pointer).map((place) => {
    if (typeof place.value !== 'string') {
      throw unexpected(place.pointer, `should be text and is ${kindOf(place.value)}`);
    }
    return place.value;
  });
}

/** What kind of JSON value something is, for messages. */
export function kindOf(value: unknown): string {
  if (value === undefined) {
    return 'missing';
  }
  if (value === null) {
    return 'null';
  }
  if (Array.isArray(value)) {
    return 'a list';
  }
  return typeof value === 'object' ? 'an object' : typeof value === 'string' ? 'text' : `a ${typeof value}`;
}
