import { RulewrightError } from '../model/error.ts';
import type { JsonObject, JsonValue } from '../model/json.ts';
import { isJsonArray, isJsonObject } from '../model/json.ts';

/** A value of an answer and where it stands (JSON pointer into `result`). */
export interface Place {
  readonly value: unknown;
  readonly pointer: string;
}

/** The error for an answer that is not as expected; `decodeResult` gives it its request. */
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

/** An object of an answer and where it stands. */
export interface Members {
  readonly object: JsonObject;
  readonly pointer: string;
}

/** The object at a place, to ask for its members. */
export function membersAt(place: Place): Members {
  return { object: objectAt(place), pointer: place.pointer };
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

/** Decodes a result that is an object. */
export function decodeOne<Item>(decode: (members: Members) => Item): (result: unknown) => Item {
  return (result) => decode(membersAt({ value: result, pointer: '' }));
}

/** Decodes each item of a result that is a list of objects. */
export function decodeAll<Item>(decode: (members: Members) => Item): (result: unknown) => readonly Item[] {
  return (result) => itemsAt({ value: result, pointer: '' }).map((place) => decode(membersAt(place)));
}

/** A member and where it stands. */
export function memberAt({ object, pointer }: Members, name: string): Place {
  return { value: object[name], pointer: `${pointer}/${name}` };
}

/** A member that must be text, and not empty. */
export function textMember({ object, pointer }: Members, name: string): string {
  const value = object[name];
  if (typeof value !== 'string' || value === '') {
    throw unexpected(`${pointer}/${name}`, `should be text and is ${value === '' ? 'empty' : kindOf(value)}`);
  }
  return value;
}

/** A member that is text where it is given; `null` counts as not given. */
export function optionalText({ object, pointer }: Members, name: string): string | undefined {
  const value = object[name] ?? undefined;
  if (value !== undefined && typeof value !== 'string') {
    throw unexpected(`${pointer}/${name}`, `should be text and is ${kindOf(value)}`);
  }
  return value;
}

/** A member that is true or false; `standard` where it is not given or `null`. */
export function flagOr({ object, pointer }: Members, name: string, standard: boolean): boolean {
  const value = object[name] ?? standard;
  if (typeof value !== 'boolean') {
    throw unexpected(`${pointer}/${name}`, `should be true or false and is ${kindOf(value)}`);
  }
  return value;
}

/** A member that is a number where it is given; `null` counts as not given. */
export function optionalNumber({ object, pointer }: Members, name: string): number | undefined {
  const value = object[name] ?? undefined;
  if (value !== undefined && typeof value !== 'number') {
    throw unexpected(`${pointer}/${name}`, `should be a number and is ${kindOf(value)}`);
  }
  return value;
}

/** A member that must be a number. */
export function numberMember(members: Members, name: string): number {
  const value = optionalNumber(members, name);
  if (value === undefined) {
    throw unexpected(`${members.pointer}/${name}`, 'should be a number and is missing');
  }
  return value;
}

/** The object of a member; an empty one where it is not given or `null`. */
export function optionalObject({ object, pointer }: Members, name: string): Members {
  return membersAt({ value: object[name] ?? {}, pointer: `${pointer}/${name}` });
}

/** Decodes the items of a member that is a list of objects; none where it is not given or `null`. */
export function decodeItems<Item>(
  members: Members,
  name: string,
  decode: (members: Members) => Item,
): readonly Item[] {
  return optionalItems(members, name).map((place) => decode(membersAt(place)));
}

/** The items of a member that is a list; none where it is not given or `null`. */
export function optionalItems({ object, pointer }: Members, name: string): readonly Place[] {
  return itemsAt({ value: object[name] ?? [], pointer: `${pointer}/${name}` });
}

/** The texts of a member that is a list of text; none where it is not given or `null`. */
export function optionalTexts(members: Members, name: string): readonly string[] {
  return optionalItems(members, name).map((place) => {
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
