import type { Type } from '../values/type.ts';
import { isCollection, parseType } from '../values/type.ts';

const SINGLE = { Bool: 'a condition', Int: 'a number', Bytes: 'a string', Ip: 'an address' } as const;
const SEVERAL = { Bool: 'conditions', Int: 'numbers', Bytes: 'strings', Ip: 'addresses' } as const;

/** What messages call a literal of each type. */
export const LITERALS = { Int: 'a number', Bytes: 'a string in double quotes', Ip: 'an address' } as const;

/** A type in plain words: `a string`, `a map of lists of strings`. */
export function typeWords(type: Type): string {
  return isCollection(type)
    ? `a ${type.kind === 'Map' ? 'map' : 'list'} of ${several(type.of)}`
    : SINGLE[type.kind];
}

function several(type: Type): string {
  return isCollection(type)
    ? `${type.kind === 'Map' ? 'maps' : 'lists'} of ${several(type.of)}`
    : SEVERAL[type.kind];
}

/** Types as the service lists them in a message (`Bytes or Int`, `{Bytes, Array<_>}`), in plain words. */
export function listedTypes(listed: string): string {
  return listed
    .replaceAll(/[{}]/gu, '')
    .split(/, | or /u)
    .map((name) => wordsFor(name))
    .join(' or ');
}

function wordsFor(name: string): string {
  const type = parseType(name);
  return type === undefined
    ? name.replace(/^(?:Array|Map)<_>$/u, (any) => OF_ANY[any] ?? any)
    : typeWords(type);
}

const OF_ANY: Readonly<Record<string, string>> = { 'Array<_>': 'a list', 'Map<_>': 'a map' };

const PLACES = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth'];

/** Returns what an argument is called, by its index: `the first argument`, `argument 21`. */
export function argumentWords(index: number): string {
  const place = PLACES[index];
  return place === undefined ? `argument ${index + 1}` : `the ${place} argument`;
}

/** Returns a sample test of a value of a type, to be copied: of one of its items where it has several. */
export function sampleTest(name: string, type: Type): string {
  let inner = type;
  let operand = name;
  let isOfItems = name.includes('[*]');
  while (isCollection(inner)) {
    isOfItems ||= inner.kind === 'Array';
    operand += inner.kind === 'Array' ? '[*]' : '["…"]';
    inner = inner.of;
  }
  const test = `${operand}${BEHIND[inner.kind]}`;
  return isOfItems ? `any(${test})` : test;
}

const BEHIND = { Bool: '', Int: ' gt 10', Bytes: ' eq "…"', Ip: ' in {192.0.2.0/24}' } as const;
