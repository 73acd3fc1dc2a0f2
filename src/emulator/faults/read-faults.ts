import { checkShape } from '../decode/bounds.ts';
import { either, integer, list, map, object, opaque, text, word } from '../decode/shape.ts';
import type { ObjectShape } from '../decode/shape.ts';
import { isObject, listAt, numberAt, objectAt, textAt, textsAt } from '../json.ts';
import type { JsonObject } from '../json.ts';
import { attempt } from '../protocol/refusal.ts';
import type { Fault, Trigger } from './fault.ts';
import { changes, effects, METHODS, path, readVariant, variantOf } from './variants.ts';
import type { Variants } from './variants.ts';

const method = word(...METHODS);

/** What every fault has; effect and change are judged by their kind. */
const faultShape: ObjectShape = object(
  {
    name: text({ min: 1, max: 200 }),
    method: either({ text: method, list: list(method, { min: 1 }) }),
    path,
    query: map(text()),
    phase: text({ min: 1 }),
    nth: opaque,
    every: integer(1),
    times: integer(1),
    effect: map(opaque),
  },
  { required: ['effect'] },
);

/** Faults as somebody wrote them, or everything that is wrong with them, one line each. */
export type ReadFaults =
  | { readonly kind: 'faults'; readonly faults: readonly Fault[] }
  | { readonly kind: 'problems'; readonly problems: readonly string[] };

/** Reads one fault, a list of faults, or an object with the list under `faults`. */
export function readFaults(input: unknown): ReadFaults {
  const raws = faultsIn(input);
  if (raws === undefined) {
    return {
      kind: 'problems',
      problems: ['expected a fault, a list of faults, or an object with the list under faults'],
    };
  }
  const problems = raws.flatMap((raw, index) => problemsOf(raw, `/faults/${index}`));
  return problems.length > 0
    ? { kind: 'problems', problems }
    : { kind: 'faults', faults: raws.filter(isObject).map(readFault) };
}

function faultsIn(input: unknown): readonly unknown[] | undefined {
  if (Array.isArray(input)) {
    return input;
  }
  if (!isObject(input)) {
    return undefined;
  }
  if ('effect' in input) {
    return [input];
  }
  const only = Object.keys(input).length === 1;
  return only && Array.isArray(input['faults']) ? listAt(input, 'faults') : undefined;
}

function problemsOf(raw: unknown, at: string): readonly string[] {
  const whole = shapeProblem(faultShape, raw, at);
  if (whole !== undefined || !isObject(raw)) {
    return [whole ?? `${at}: expected an object`];
  }
  const effect = objectAt(raw, 'effect') ?? {};
  const problem =
    nthProblem(raw['nth'], `${at}/nth`) ??
    variantProblem(effects, effect, `${at}/effect`) ??
    (effect['kind'] === 'edit'
      ? variantProblem(changes, objectAt(effect, 'change') ?? {}, `${at}/effect/change`)
      : undefined);
  return problem === undefined ? [] : [problem];
}

function variantProblem(variants: Variants<unknown>, value: JsonObject, at: string): string | undefined {
  const { kind, ...rest } = value;
  const variant = variantOf(variants, kind);
  return variant === undefined
    ? `${at}/kind: expected one of ${Object.keys(variants).join(', ')}`
    : shapeProblem(variant.shape, rest, at);
}

function shapeProblem(shape: ObjectShape, value: unknown, at: string): string | undefined {
  const refusal = attempt(() => checkShape(shape, value, at));
  const [error] = refusal?.errors ?? [];
  return error === undefined
    ? undefined
    : `${error.source?.pointer ?? at}: ${error.message.replace('invalid JSON: ', '')}`;
}

function nthProblem(nth: unknown, at: string): string | undefined {
  const numbers = nth === undefined ? [] : Array.isArray(nth) ? nth : [nth];
  return numbers.every((number) => Number.isInteger(number) && Number(number) >= 1)
    ? undefined
    : `${at}: expected a whole number from 1 on, or a list of them`;
}

function readFault(raw: JsonObject): Fault {
  const effect = readVariant(effects, objectAt(raw, 'effect') ?? {});
  const when = readTrigger(raw);
  const name = textAt(raw, 'name') ?? `${effect.kind} ${when.methods?.join(', ') ?? ''} ${when.path ?? ''}`;
  return { name: name.replaceAll(/\s+/gu, ' ').trim(), when, effect };
}

function readTrigger(raw: JsonObject): Trigger {
  const { nth } = raw;
  const one = textAt(raw, 'method');
  const query = objectAt(raw, 'query');
  return {
    methods: raw['method'] === undefined ? undefined : one === undefined ? textsAt(raw, 'method') : [one],
    path: textAt(raw, 'path'),
    phase: textAt(raw, 'phase'),
    query: query && Object.fromEntries(Object.entries(query).map(([key, value]) => [key, String(value)])),
    nth: nth === undefined ? undefined : (Array.isArray(nth) ? nth : [nth]).map(Number),
    every: numberAt(raw, 'every'),
    times: numberAt(raw, 'times'),
  };
}
