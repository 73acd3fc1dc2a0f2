import { either, integer, list, map, object, opaque, text, word } from '../decode/shape.ts';
import type { ValueOf } from '../decode/shape.ts';
import { isObject } from '../protocol/json.ts';
import { attempt, decline, Refusal, refuse } from '../protocol/refusal.ts';
import type { Fault, Trigger } from './fault.ts';
import { checkPlaced, effects, METHODS, path, readVariant } from './variants.ts';

const method = word(...METHODS);

/** The members of every fault; the members of `effect` depend on its `kind`. */
const faultShape = object(
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

/** The faults that were read, or everything that is wrong with them, one line for each problem. */
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
  const read = raws.map((raw, index) => {
    const at = `/faults/${index}`;
    const fault = attempt(() => readFault(raw, at));
    return fault instanceof Refusal ? problemOf(fault) : fault;
  });
  const problems = read.filter((each) => typeof each === 'string');
  return problems.length > 0
    ? { kind: 'problems', problems }
    : { kind: 'faults', faults: read.filter((each) => typeof each !== 'string') };
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
  const { faults, ...others } = input;
  return Array.isArray(faults) && Object.keys(others).length === 0 ? faults : undefined;
}

function problemOf({ message, errors: [error] }: Refusal): string {
  return `${error?.source?.pointer ?? ''}: ${message.replace('invalid JSON: ', '')}`;
}

function readFault(raw: unknown, at: string): Fault {
  checkPlaced(faultShape, raw, at);
  const when = readTrigger(raw, at);
  const effect = readVariant(effects, raw.effect, `${at}/effect`);
  const name = raw.name ?? `${effect.kind} ${when.methods?.join(', ') ?? ''} ${when.path ?? ''}`;
  return { name: name.replaceAll(/\s+/gu, ' ').trim(), when, effect };
}

function readTrigger(raw: ValueOf<typeof faultShape>, at: string): Trigger {
  const { method, path, phase, query, nth, every, times } = raw;
  return {
    methods: typeof method === 'string' ? [method] : method,
    path,
    phase,
    query,
    nth: nth === undefined ? undefined : readNth(nth, `${at}/nth`),
    every,
    times,
  };
}

function readNth(nth: unknown, at: string): readonly number[] {
  const numbers: readonly unknown[] = Array.isArray(nth) ? nth : [nth];
  return numbers.map((number) =>
    Number.isInteger(number) && Number(number) >= 1
      ? Number(number)
      : decline(refuse(400, 'expected a whole number from 1 on, or a list of them', { pointer: at })),
  );
}
