import { createTextStore } from '../../files/text-store.ts';
import type { TextPlace } from '../../files/text-store.ts';
import type { PlannedScope } from '../../model/plan.ts';

const store = createTextStore({ inMemory: Infinity });

/** Where the JSON of a packed plan is. */
const packed = new WeakMap<object, TextPlace>();

/** Up to this length a plan costs less than what would stand for it. */
const SMALL = 1024;

/** The scope that was unpacked last, because readers access its steps repeatedly. */
let last: { readonly plan: object; readonly whole: PlannedScope } | null = null;

/**
 * The plan of a scope, looking as it did, with its bases and steps packed: each read makes them anew. So a run
 * of many scopes holds a tenth of them in memory. What is known by its identity does not outlive a read: where
 * rules or steps are keys, take a copy. `json` is its JSON.
 */
export function packScope(plan: PlannedScope, json: string): PlannedScope {
  if (json.length <= SMALL) {
    return plan;
  }
  const { bases, steps } = PARTS;
  // Made in one go: an object whose members become accessors later takes eight times the memory.
  const light: PlannedScope = Object.create(Object.prototype, {
    ...Object.getOwnPropertyDescriptors(plan),
    ...(plan.steps.length === 0 ? { bases } : { bases, steps }),
  });
  packed.set(light, store.add(json));
  return light;
}

/** The same functions for all, so that all plans have one shape. */
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
