import { isJsonArray, isJsonObject } from '../../model/json.ts';
import type { JsonObject, JsonValue } from '../../model/json.ts';
import { quoted } from '../../model/quoted.ts';
import type { RuleContent } from '../../model/rule.ts';
import type { Stand } from './stand.ts';
import type { Role } from './role.ts';

/** One effect of a rule. Equal effects of different rules have the same name. */
export interface Trait {
  /** Role of the effect when it is newly added. */
  readonly role: Role;
  /** Name of the effect in reasons, after `adds` or `removes`. */
  readonly label: string;
  /** What a rule with the effect does, in reasons after `newly` or `no longer`: for effects that read badly as a thing. */
  readonly verb?: string;
  /** Distinguishes effects with the same name. */
  readonly value: JsonValue;
  /** When both effects of one name have a height, the higher one protects more. */
  readonly height?: number;
  /** Whether it depends on what visitors and the origin send if it does harm; it then is not proven, as with the role `both`. */
  readonly isDoubtful?: boolean;
  /** The reason when another value replaces it and nothing more is known. */
  readonly changed?: string;
}

export type Named = readonly [name: string, trait: Trait];

/** A parameter and its surroundings. */
export interface Parameter {
  /** Keys that lead to the parameter, joined with dots. */
  readonly path: string;
  readonly content: RuleContent;
  readonly stand: Stand;
}

/** Returns the effects of a parameter; none if it does not matter to protection. */
export type Reading = (value: JsonValue, parameter: Parameter) => readonly Named[];

/** Readings by parameter key, nested like the parameters. */
export interface Readings {
  readonly [key: string]: Reading | Readings;
}

/** The reading of a parameter that does not matter to protection. */
const HARMLESS: Reading = () => [];

/** Returns readings for parameters that do not matter to protection. */
export function harmless(...keys: readonly string[]): Readings {
  return Object.fromEntries(keys.map((key) => [key, HARMLESS]));
}

/** The reading of a parameter whose effect this version does not know. */
const UNKNOWN: Reading = (value, { path }) => [
  [path, { role: 'both', label: `${quoted(path)}, whose effect on protection is not known`, value }],
];

/** Returns the reading of a parameter with one effect, whatever its value. */
export function always(role: Role, label: string, changed?: string): Reading {
  return (value, { path }) => [[path, { role, label, value, ...(changed === undefined ? {} : { changed }) }]];
}

/** Returns the reading of a list each of whose items has an effect. */
export function each(role: Role, label: (item: string) => string): Reading {
  return (value, { path }) =>
    (isJsonArray(value) ? value : [value]).map((item): Named => {
      const text = typeof item === 'string' ? item : JSON.stringify(item);
      return [`${path} ${text}`, { role, label: label(quoted(text)), value: true }];
    });
}

/**
 * Returns the reading of a setting with known values, from weakest to strongest. `usual` is the value without the rule; when it is not given,
 * another setting decides and it may be any of them, so only the extreme values are proven to raise or lower it.
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
    const set =
      typeof known === 'string' ? `sets ${path} to ${known}` : `switches ${path} ${known ? 'on' : 'off'}`;
    const verb = `${set}${role === 'both' ? ", while the zone's own setting is not known" : ''}`;
    return [[path, { role, label: `${path} ${known}`, verb, value, height }]];
  };
}

/** The reading of a setting that protects when it is on. */
export const PROTECTING_SWITCH = ladder([false, true]);

/** Reads all parameters; a parameter without a reading may do anything. */
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
