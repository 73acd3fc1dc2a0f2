import type { ServiceClock } from '../environment/service-clock.ts';
import type { Store } from '../store/store.ts';
import type { Fault, FaultRecord, Trigger, FaultRequest } from './fault.ts';
import { matchesPath, phaseOf } from './fault.ts';

/**
 * A fault that strikes a request. `match` is the number of the request among those that match, from 1; it is 0 when the
 * request is struck only because an earlier strike still lasts.
 */
export interface Strike {
  readonly fault: Fault;
  readonly match: number;
  /** For a fault that lasts: the remaining seconds. */
  readonly left?: number;
}

/** A fault, with the number of requests that matched it and the number of its strikes. */
export interface FaultState {
  readonly fault: Fault;
  readonly matched: number;
  readonly struck: number;
}

/** The faults of a running service, their counters and their log. */
export interface Faults {
  add(faults: readonly Fault[]): void;
  /** Removes the faults with a name, or all faults. */
  remove(name?: string): void;
  /** Restores the initial faults, and empties counters and log. */
  reset(): void;
  all(): readonly FaultState[];
  /** Whether there are no faults at all, which is the usual case and costs a request nothing. */
  none(): boolean;
  /** Counts a request and returns the faults that strike it, in order. */
  strike(facts: FaultRequest): readonly Strike[];
  record(entry: FaultRecord): void;
  readonly log: FaultRecord[];
}

interface Running {
  readonly fault: Fault;
  matched: number;
  struck: number;
  /** When the current strike of a fault that lasts ends, in milliseconds of the service's clock. */
  until: number;
  /** When the first request of each token came, for `spread`; by Authorization header. */
  readonly firstSeen: Map<string, number>;
}

/** The number of entries that the log keeps; beyond it, the oldest is dropped. */
const MAX_LOG_LENGTH = 100_000;

/** Creates the faults of a service, starting with the initial ones. */
export function createFaults(
  initial: readonly Fault[],
  { clock, store }: { readonly clock: ServiceClock; readonly store: Store },
): Faults {
  let running = initial.map(start);
  const log: FaultRecord[] = [];
  return {
    log,
    add: (faults) => {
      running = [...running, ...faults.map(start)];
    },
    remove: (name) => {
      running = name === undefined ? [] : running.filter(({ fault }) => fault.name !== name);
    },
    reset: () => {
      running = initial.map(start);
      log.length = 0;
    },
    all: () => running.map(({ fault, matched, struck }) => ({ fault, matched, struck })),
    none: () => running.length === 0,
    strike: (facts) => {
      const now = clock.now();
      return running.flatMap((each) => strikeOf(each, { facts, now, store }) ?? []);
    },
    record: (entry) => {
      log.push(entry);
      if (log.length > MAX_LOG_LENGTH) {
        log.shift();
      }
    },
  };
}

function start(fault: Fault): Running {
  return { fault, matched: 0, struck: 0, until: 0, firstSeen: new Map() };
}

interface Occasion {
  readonly facts: FaultRequest;
  readonly now: number;
  readonly store: Store;
}

function strikeOf(running: Running, occasion: Occasion): Strike | undefined {
  const { fault } = running;
  const { now } = occasion;
  if (fault.effect.kind === 'limit' && now < running.until) {
    return { fault, match: 0, left: Math.ceil((running.until - now) / 1000) };
  }
  if (!matches(fault.when, occasion)) {
    return undefined;
  }
  if (fault.effect.kind === 'spread' && hasSpread(running, fault.effect.seconds, occasion)) {
    return undefined;
  }
  running.matched += 1;
  if (!isDue(fault.when, running)) {
    return undefined;
  }
  running.struck += 1;
  if (fault.effect.kind === 'limit') {
    running.until = now + fault.effect.seconds * 1000;
    const { seconds } = fault.effect;
    return { fault, match: running.matched, ...(seconds === 0 ? {} : { left: seconds }) };
  }
  return { fault, match: running.matched };
}

function matches(when: Trigger, { facts, store }: Occasion): boolean {
  return (
    (when.methods === undefined || when.methods.includes(facts.method)) &&
    (when.path === undefined || matchesPath(when.path, facts.path)) &&
    Object.entries(when.query ?? {}).every(([name, value]) => {
      const given = facts.query.get(name);
      return value === '*' ? given !== null : given === value;
    }) &&
    (when.phase === undefined || phaseOf(facts, store) === when.phase)
  );
}

function isDue(when: Trigger, { matched, struck }: Running): boolean {
  return (
    (when.nth === undefined || when.nth.includes(matched)) &&
    (when.every === undefined || matched % when.every === 0) &&
    (when.times === undefined || struck < when.times)
  );
}

// A request without a token has nothing that needs to spread, so it counts as spread already.
function hasSpread(running: Running, seconds: number, { facts, now }: Occasion): boolean {
  if (facts.authorization === undefined) {
    return true;
  }
  const first = running.firstSeen.get(facts.authorization) ?? now;
  running.firstSeen.set(facts.authorization, first);
  return now >= first + seconds * 1000;
}
