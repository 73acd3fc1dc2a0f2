import { createTextStore } from '../../files/text-store.ts';
import type { TextPlace } from '../../files/text-store.ts';
import type { PlannedScope } from '../../model/plan.ts';

const store = createTextStore({ inMemory: Infinity });

/** Where the JSON of each packed plan is stored. */
const packed = new WeakMap<object, TextPlace>();

/** A plan of at most this many characters of JSON is not packed, since its packed form would take more memory. */
const SMALL = 1024;

/** The scope that was unpacked last, because readers access its steps repeatedly. */
let last: { readonly plan: object; readonly whole: PlannedScope } | null = null;

/**
 * Packs the bases and steps of a scope's plan, which looks as before but parses them anew when they are read. A run of many scopes
 * so takes a tenth of the memory. Objects do not keep their identity between reads: code that uses rules or steps as keys has to
 * take a copy. `json` is the JSON of the plan.
 */
export function packScope(plan: PlannedScope, json: string): PlannedScope {
  if (json.length <= SMALL) {
    return plan;
  }
  const { bases, steps } = PARTS;
  // Created in one call: an object whose members become accessors later takes eight times the memory.
  const light: PlannedScope = Object.create(Object.prototype, {
    ...Object.getOwnPropertyDescriptors(plan),
    ...(plan.steps.length === 0 ? { bases } : { bases, steps }),
  });
  packed.set(light, store.add(json));
  return light;
}

/** The accessors, shared by all packed plans so that these have one shape. */
const PARTS = {
  bases: {
    enumerable: true,
    get(this: object): PlannedScope['bases'] {
      return unpack(this).bases;
    },
  },
  steps: {
    enumerable: true,
    get(this: object): PlannedScope['steps'] {
      return unpack(this).steps;
    },
  },
} as const;

function unpack(plan: object): PlannedScope {
  if (last?.plan !== plan) {
    const place = packed.get(plan);
    const whole: PlannedScope = JSON.parse(place === undefined ? '' : store.read(place));
    last = { plan, whole };
  }
  return last.whole;
}
