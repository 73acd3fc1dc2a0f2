import { RulewrightError } from '../model/index.ts';
import type { JsonObject, JsonValue } from '../data/index.ts';
import { isJsonArray, isJsonObject } from '../data/index.ts';

/** A value of an answer and its JSON pointer into `result`. */
export interface AnswerLocation {
  readonly value: unknown;
  readonly pointer: string;
}

/** Returns the error for a malformed answer; `decodeResult` adds the request to it. */
export function unexpected(pointer: string, problem: string): RulewrightError {
  return new RulewrightError(`${pointer === '' ? 'the result' : pointer} ${problem}`, {
    code: 'api/unexpected-answer',
    fault: 'remote',
  });
}

/** Returns the object at a place; throws when there is none. */
export function objectAt(place: AnswerLocation): JsonObject {
  if (!isJsonObject(place.value)) {
    throw unexpected(place.pointer, `should be an object and is ${kindOf(place.value)}`);
  }
  return place.value;
}

/** An object of an answer and its JSON pointer into `result`. */
export interface FieldReaders {
  readonly object: JsonObject;
  readonly pointer: string;
}

/** Returns the object at a place with its pointer, for decoding its members. */
export function membersAt(place: AnswerLocation): FieldReaders {
  return { object: objectAt(place), pointer: place.pointer };
}

/** Returns the list at a place; throws when there is none. */
export function listAt(place: AnswerLocation): readonly JsonValue[] {
  if (!isJsonArray(place.value)) {
    throw unexpected(place.pointer, `should be a list and is ${kindOf(place.value)}`);
  }
  return place.value;
}

/** Returns the items of the list at a place, each with its pointer. */
export function itemsAt(place: AnswerLocation): readonly AnswerLocation[] {
  return listAt(place).map((value, index) => ({ value, pointer: `${place.pointer}/${index}` }));
}

/** Returns a decoder of a result that is an object. */
export function decodeOne<Item>(decode: (members: FieldReaders) => Item): (result: unknown) => Item {
  return (result) => decode(membersAt({ value: result, pointer: '' }));
}

/** Returns a decoder of a result that is a list of objects. */
export function decodeAll<Item>(
  decode: (members: FieldReaders) => Item,
): (result: unknown) => readonly Item[] {
  return (result) => itemsAt({ value: result, pointer: '' }).map((place) => decode(membersAt(place)));
}

/** Returns a member with its pointer. */
export function memberAt({ object, pointer }: FieldReaders, name: string): AnswerLocation {
  return { value: object[name], pointer: `${pointer}/${name}` };
}

/** Returns a member that must be a non-empty text. */
export function textMember({ object, pointer }: FieldReaders, name: string): string {
  const value = object[name];
  if (typeof value !== 'string' || value === '') {
    throw unexpected(`${pointer}/${name}`, `should be text and is ${value === '' ? 'empty' : kindOf(value)}`);
  }
  return value;
}

/** Returns a member that must be text if given; `null` counts as not given. */
export function optionalText({ object, pointer }: FieldReaders, name: string): string | undefined {
  const value = object[name] ?? undefined;
  if (value !== undefined && typeof value !== 'string') {
    throw unexpected(`${pointer}/${name}`, `should be text and is ${kindOf(value)}`);
  }
  return value;
}

/** Returns a member that must be true or false; `standard` when it is missing or `null`. */
export function flagOr({ object, pointer }: FieldReaders, name: string, standard: boolean): boolean {
  const value = object[name] ?? standard;
  if (typeof value !== 'boolean') {
    throw unexpected(`${pointer}/${name}`, `should be true or false and is ${kindOf(value)}`);
  }
  return value;
}

/** Returns a member that must be a number if given; `null` counts as not given. */
export function optionalNumber({ object, pointer }: FieldReaders, name: string): number | undefined {
  const value = object[name] ?? undefined;
  if (value !== undefined && typeof value !== 'number') {
    throw unexpected(`${pointer}/${name}`, `should be a number and is ${kindOf(value)}`);
  }
  return value;
}

/** Returns a member that must be a number. */
export function numberMember(members: FieldReaders, name: string): number {
  const value = optionalNumber(members, name);
  if (value === undefined) {
    throw unexpected(`${members.pointer}/${name}`, 'should be a number and is missing');
  }
  return value;
}

/** Returns a member that must be an object; an empty one when it is missing or `null`. */
export function optionalObject({ object, pointer }: FieldReaders, name: string): FieldReaders {
  return membersAt({ value: object[name] ?? {}, pointer: `${pointer}/${name}` });
}

/** Decodes the items of a member that must be a list of objects; none when it is missing or `null`. */
export function decodeItems<Item>(
  members: FieldReaders,
  name: string,
  decode: (members: FieldReaders) => Item,
): readonly Item[] {
  return optionalItems(members, name).map((place) => decode(membersAt(place)));
}

/** Returns the items of a member that must be a list; none when it is missing or `null`. */
export function optionalItems({ object, pointer }: FieldReaders, name: string): readonly AnswerLocation[] {
  return itemsAt({ value: object[name] ?? [], pointer: `${pointer}/${name}` });
}

/** Returns the texts of a member that must be a list of texts; none when it is missing or `null`. */
export function optionalTexts(members: FieldReaders, name: string): readonly string[] {
  return optionalItems(members, name).map((place) => {
    if (typeof place.value !== 'string') {
      throw unexpected(place.pointer, `should be text and is ${kindOf(place.value)}`);
    }
    return place.value;
  });
}

/** Names the kind of a JSON value, for messages. */
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
