import { checkBounds } from '../decode/bounds.ts';
import { checkForm } from '../decode/decode.ts';
import type { ObjectShape } from '../decode/shape.ts';
import { isObject, type JsonObject, listAt, numberAt, objectAt, textAt, textsAt } from '../json.ts';
import { attempt } from '../protocol/refusal.ts';
import type { Fault, Trigger } from './fault.ts';
import { readEffect } from './read-effect.ts';
import { changeKinds, changeShape, effectKinds, effectShape, faultShape } from './shape.ts';

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
    taggedProblem(effect, { at: `${at}/effect`, kinds: effectKinds, shapeOf: effectShape }) ??
    (effect['kind'] === 'edit'
      ? taggedProblem(objectAt(effect, 'change') ?? {}, {
          at: `${at}/effect/change`,
          kinds: changeKinds,
          shapeOf: changeShape,
        })
      : undefined);
  return problem === undefined ? [] : [problem];
}

/** Judges an object whose `kind` tells which other members it has. */
function taggedProblem(
  value: JsonObject,
  about: {
    readonly at: string;
    readonly kinds: readonly string[];
    readonly shapeOf: (kind: string) => ObjectShape | undefined;
  },
): string | undefined {
  const { kind, ...rest } = value;
  const shape = typeof kind === 'string' ? about.shapeOf(kind) : undefined;
  return shape === undefined
    ? `${about.at}/kind: expected one of ${about.kinds.join(', ')}`
    : shapeProblem(shape, rest, about.at);
}

function shapeProblem(shape: ObjectShape, value: unknown, at: string): string | undefined {
  const refusal = attempt(() => {
    checkForm(shape, value, at);
    checkBounds(shape, value, at);
  });
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
  const effect = readEffect(objectAt(raw, 'effect') ?? {});
  const when = readTrigger(raw);
  const name = textAt(raw, 'name') ?? `${effect.kind} ${when.methods?.join(', ') ?? ''} ${when.path ?? ''}`;
  return { name: name.replaceAll(/\s+/gu, ' ').trim(), when, effect };
}

function readTrigger(raw: JsonObject): Trigger {
  const { nth } = raw;
  const method = textAt(raw, 'method');
  const methods = method === undefined ? textsAt(raw, 'method') : [method];
  const path = textAt(raw, 'path');
  const phase = textAt(raw, 'phase');
  const query = objectAt(raw, 'query');
  const every = numberAt(raw, 'every');
  const times = numberAt(raw, 'times');
  return {
    ...(methods.length === 0 ? {} : { methods }),
    ...(path === undefined ? {} : { path }),
    ...(phase === undefined ? {} : { phase }),
    ...(query === undefined
      ? {}
      : { query: Object.fromEntries(Object.entries(query).map(([key, value]) => [key, String(value)])) }),
    ...(nth === undefined ? {} : { nth: (Array.isArray(nth) ? nth : [nth]).map(Number) }),
    ...(every === undefined ? {} : { every }),
    ...(times === undefined ? {} : { times }),
  };
}
