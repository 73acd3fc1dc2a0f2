import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Plan, PlannedScope } from '../../model/plan.ts';

/** The JSON of packed plans, compressed, outside of the heap. */
const packed = new WeakMap<object, Buffer>();

/** What was unpacked last: who reads a scope asks for its steps again and again. */
let last: { readonly plan: object; readonly whole: PlannedScope } | null = null;

/** Up to this length the compressor costs more than it saves. */
const SMALL = 1024;

/**
 * The plan of a scope, looking as it did, with its bases and steps packed: each read makes them anew. So a run
 * of many scopes holds a tenth of them in memory. What is known by its identity does not outlive a read: where
 * rules or steps are keys, take a plan `unpacked`. `json` is its JSON.
 */
export function packScope(plan: PlannedScope, json: string): PlannedScope {
  if (json.length <= SMALL) {
    return plan;
  }
  const { bases, steps } = PARTS;
  const light = Object.defineProperties({ ...plan }, plan.steps.length === 0 ? { bases } : { bases, steps });
  const deflated = deflateRawSync(json, { level: 1 });
  // What the compressor returns, and what Node takes from its pool, stand in larger buffers, which would stay with it.
  const own = Buffer.allocUnsafeSlow(deflated.length);
  deflated.copy(own);
  packed.set(light, own);
  return light;
}

/** A plan with all of it in memory: where rules or steps are told apart by identity. */
export function unpacked(plan: Plan): Plan {
  return { ...plan, scopes: plan.scopes.map((scope) => ({ ...scope })) };
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
    const whole: PlannedScope = JSON.parse(inflateRawSync(packed.get(plan) ?? '').toString());
    last = { plan, whole };
  }
  return last.whole;
}
