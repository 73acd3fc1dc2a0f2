import { isJsonArray, isJsonObject } from '../../model/json.ts';
import type { JsonObject, JsonValue } from '../../model/json.ts';
import { quoted } from '../../model/quoted.ts';
import type { RuleContent } from '../../model/rule.ts';
import type { Stand } from './stand.ts';
import type { Role } from './role.ts';

/** One thing that a rule does. Rules that do the same thing have a trait of one name. */
export interface Trait {
  /** What it is for where nothing else did the same before. */
  readonly role: Role;
  /** What reasons call it, behind `adds` and `removes`. */
  readonly label: string;
  /** What tells two of one name apart. */
  readonly value: JsonValue;
  /** Of two of one name that both have a height, the higher one protects more. */
  readonly height?: number;
  /** The reason where another value takes its place, and more is not known. */
  readonly changed?: string;
}

export type Named = readonly [name: string, trait: Trait];

/** A parameter, where it stands. */
export interface Parameter {
  /** Keys on the way to it, with dots between. */
  readonly path: string;
  readonly content: RuleContent;
  readonly stand: Stand;
}

/** Tells what a parameter does; nothing where it matters to nobody's protection. */
export type Reading = (value: JsonValue, parameter: Parameter) => readonly Named[];

/** The readings of parameters by key, and by keys of what is in them. */
export interface Readings {
  readonly [key: string]: Reading | Readings;
}

/** What matters to nobody's protection. */
const HARMLESS: Reading = () => [];

/** Parameters that matter to nobody's protection. */
export function harmless(...keys: readonly string[]): Readings {
  return Object.fromEntries(keys.map((key) => [key, HARMLESS]));
}

/** A parameter of which this version cannot tell what it does. */
const UNKNOWN: Reading = (value, { path }) => [
  [path, { role: 'both', label: `${quoted(path)}, whose effect on protection is not known`, value }],
];

/** A parameter that does one thing, whatever its value. */
export function always(role: Role, label: string, changed?: string): Reading {
  return (value, { path }) => [[path, { role, label, value, ...(changed === undefined ? {} : { changed }) }]];
}

/** A list of which each item does one thing. */
export function each(role: Role, label: (item: string) => string): Reading {
  return (value, { path }) =>
    (isJsonArray(value) ? value : [value]).map((item): Named => {
      const text = typeof item === 'string' ? item : JSON.stringify(item);
      return [`${path} ${text}`, { role, label: label(quoted(text)), value: true }];
    });
}

/**
 * A setting whose values are known, from the weakest to the strongest. What holds without the rule is `usual`; where that is not said,
 * another place says it and it may be any of them, so that only the ends are proven to raise or lower it.
 */
export function ladder(values: readonly (string | boolean)[], usual?: string | boolean): Reading {
  const low = usual === undefined ? 0 : values.indexOf(usual) - 1;
  const high = usual === undefined ? values.length - 1 : low + 2;
  const roleAt = (height: number): Role => (height >= high ? 'protects' : height <= low ? 'permits' : 'both');
  return (value, { path }) => {
    const height = values.findIndex((known) => known === value);
    const known = values[height];
    if (known === undefined) {
      return [[path, { role: 'both', label: path, value }]];
    }
    const role = known === usual ? 'none' : roleAt(height);
    const label = `${path} ${known}${role === 'both' ? ", while the zone's own is not known" : ''}`;
    return [[path, { role, label, value, height }]];
  };
}

/** A setting that protects where it is on. */
export const PROTECTING_SWITCH = ladder([false, true]);

/** What parameters do; what is named nowhere in the readings may do anything. */
export function readAll(
  parameters: JsonObject,
  readings: Readings,
  { path, ...around }: Parameter,
): readonly Named[] {
  return Object.entries(parameters).flatMap(([key, value]) => {
    const parameter = { ...around, path: path === '' ? key : `${path}.${key}` };
    const reading = Object.hasOwn(readings, key) ? readings[key] : undefined;
    if (typeof reading === 'object' && isJsonObject(value)) {
      return readAll(value, reading, parameter);
    }
    return (typeof reading === 'function' ? reading : UNKNOWN)(value, parameter);
  });
}
