import { checkShape } from '../decode/bounds.ts';
import { integer, list, object, text, word } from '../decode/body-shape.ts';
import type { ValueOf } from '../decode/body-shape.ts';
import type { TrafficMix } from '../records/traffic-record.ts';

const faultShape = object(
  {
    rule: text({ min: 1 }),
    zone: text({ min: 1 }),
    effect: word('errors', 'blocks'),
    status: integer(500, 599),
    percent: integer(1, 100),
  },
  { required: ['rule', 'effect'] },
);

/** The visitors in a seed, and in the body of the control endpoint. */
export const trafficShape = object(
  {
    requests_per_minute: integer(1, 1_000_000),
    seed: integer(0),
    delay_seconds: integer(0),
    faults: list(faultShape),
  },
  { required: ['requests_per_minute'] },
);

/** Reads what visitors do. Throws a `Refusal` for what is not valid. */
export function readTraffic(given: unknown): TrafficMix {
  checkShape(trafficShape, given);
  return trafficOf(given);
}

/** Makes the mix of what visitors do. */
export function trafficOf(given: ValueOf<typeof trafficShape>): TrafficMix {
  const {
    requests_per_minute: requestsPerMinute,
    seed = 1,
    delay_seconds: delaySeconds = 0,
    faults = [],
  } = given;
  return {
    id: 'mix',
    requestsPerMinute,
    seed,
    delaySeconds,
    faults: faults.map(({ rule, zone, effect, status = 503, percent = 100 }) => ({
      rule,
      ...(zone === undefined ? {} : { zone }),
      effect,
      status,
      percent,
    })),
  };
}
