import { assertNever, isJsonArray, jsonEqual } from '../data/index.ts';
import type { JsonValue } from '../data/index.ts';
import { PLAN_LEVELS, planLevelOf } from './quota.ts';
import type { PlanLevel } from './quota.ts';
import type { SettingField, SettingFieldChange } from './setting.ts';

/** Whether two values of a field are one to the service. A field that nobody has set has its default. */
export function isSettingAsWanted(
  { standard, alike = [] }: Pick<SettingField, 'standard' | 'alike'>,
  live: JsonValue | undefined,
  wanted: JsonValue,
): boolean {
  const isAlike = (value: JsonValue | undefined): boolean => alike.some((one) => jsonEqual(one, value));
  const is = live ?? standard;
  return is !== undefined && (jsonEqual(is, wanted) || (isAlike(is) && isAlike(wanted)));
}

/** Whether a field may have a value: what the schema of files takes. */
export function isSettingValue({ values }: Pick<SettingField, 'values'>, value: JsonValue): boolean {
  switch (values.kind) {
    case 'flag':
      return typeof value === 'boolean';
    case 'words':
      return typeof value === 'string' && values.words.includes(value);
    case 'numbers':
      return typeof value === 'number' && values.numbers.includes(value);
    case 'whole':
      return (
        typeof value === 'number' && Number.isInteger(value) && value >= values.least && value <= values.most
      );
    default:
      return (
        isJsonArray(value) &&
        value.every((one) => typeof one === 'string' && new RegExp(values.pattern, 'u').test(one))
      );
  }
}

/** Returns the plan level that a value needs and a zone does not have; undefined where it can have it, or where its level is not known. */
export function settingPlanNeeded(
  { from, valuesFrom = {} }: SettingField,
  value: JsonValue,
  plan: string | undefined,
): PlanLevel | undefined {
  const level = planLevelOf(plan);
  const rank = (one: PlanLevel | undefined): number => (one === undefined ? 0 : PLAN_LEVELS.indexOf(one));
  const needed = [from, typeof value === 'string' ? valuesFrom[value] : undefined].reduce(
    (most, one) => (rank(one) > rank(most) ? one : most),
    undefined,
  );
  return level === undefined || rank(needed) <= rank(level) ? undefined : needed;
}

/** How a change of one field compares in strength. */
export type StrengthChange =
  | { readonly kind: 'same' }
  | { readonly kind: 'weaker' | 'stronger' | 'unknown'; readonly of: string };

/** Compares the strength of the values of a field. */
export function compareStrength(
  { strength }: Pick<SettingField, 'strength'>,
  { before, after }: Pick<SettingFieldChange, 'before' | 'after'>,
): StrengthChange {
  switch (strength.kind) {
    case 'neutral':
      return { kind: 'same' };
    case 'unknown':
      return strength;
    case 'amount': {
      if (typeof before !== 'number' || typeof after !== 'number') {
        return { kind: 'unknown', of: strength.of };
      }
      return before === after
        ? { kind: 'same' }
        : {
            kind: after > before === (strength.stronger === 'more') ? 'stronger' : 'weaker',
            of: strength.of,
          };
    }
    case 'order': {
      const [was, is] = [before, after].map((value) =>
        strength.values.findIndex((tier) => tier.some((one) => jsonEqual(one, value))),
      );
      if (was === undefined || is === undefined || was === -1 || is === -1) {
        return { kind: 'unknown', of: strength.of };
      }
      return was === is ? { kind: 'same' } : { kind: is > was ? 'stronger' : 'weaker', of: strength.of };
    }
    default:
      return assertNever(strength);
  }
}

/** Whether a value is the one that turns a field off. */
export function switchesOff({ strength }: Pick<SettingField, 'strength'>, value: JsonValue): boolean {
  return strength.kind === 'order' && strength.values[0]?.some((one) => jsonEqual(one, value)) === true;
}

/** Whether a change may stop requests which recorded ones do not show, since a simulation knows rules only. */
export function mayStopRequests(
  { strength, stops, supplies = [], shapes = [] }: Omit<SettingField, 'says'>,
  change: Pick<SettingFieldChange, 'before' | 'after'>,
): boolean {
  return (
    supplies.length + shapes.length > 0 ||
    (stops === true && compareStrength({ strength }, change).kind !== 'weaker')
  );
}

/** Returns the beginnings of the names of rule fields that a field of a setting supplies or shapes. */
export function ruleFieldsOf({
  supplies = [],
  shapes = [],
}: Pick<SettingField, 'supplies' | 'shapes'>): readonly string[] {
  return [...supplies, ...shapes];
}
