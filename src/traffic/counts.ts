import { compareText } from '../text/index.ts';
import { REPLAY_OUTCOMES } from '../model/index.ts';
import type { OutcomeCounts, ReplayOutcome, ValueShare } from '../model/index.ts';

/** Counts of outcomes that grow. */
export type OutcomeTally = Record<ReplayOutcome, number>;

/** Returns counts of nothing. */
export function noOutcomes(): OutcomeTally {
  return {
    unchanged: 0,
    newly_blocked: 0,
    newly_challenged: 0,
    newly_passed: 0,
    otherwise_changed: 0,
    unknown: 0,
  };
}

/** Returns how many records there are of all outcomes. */
export function sumOf(outcomes: OutcomeCounts): number {
  return REPLAY_OUTCOMES.reduce((sum, outcome) => sum + outcomes[outcome], 0);
}

/** A value that is not listed if fewer clients than this sent it. */
export const FEWEST_CLIENTS = 5;

/** A value, how many records have it, and some of its clients: so many that it may be listed, and no more. */
export interface CountedValue {
  count: number;
  /** Hashes of addresses, at most `FEWEST_CLIENTS`. */
  readonly clients: number[];
}

/** Values with their counts. */
export type ValueCounts = Map<string, CountedValue>;

/** The most different values of one kind that are counted: what comes later is left out, so that memory stays bounded. */
const MOST_VALUES = 5000;

export function countValue(counts: ValueCounts, value: string, client: number): void {
  const known = counts.get(value);
  if (known !== undefined) {
    known.count += 1;
    addClient(known, client);
  } else if (counts.size < MOST_VALUES) {
    counts.set(value, { count: 1, clients: [client] });
  }
}

function addClient({ clients }: CountedValue, client: number): void {
  if (clients.length < FEWEST_CLIENTS && !clients.includes(client)) {
    clients.push(client);
  }
}

/** Returns the most frequent values that enough clients sent. */
export function topValues(counts: ReadonlyMap<string, CountedValue>, most: number): readonly ValueShare[] {
  return [...counts]
    .filter(([, { clients }]) => clients.length >= FEWEST_CLIENTS)
    .map(([value, { count }]) => ({ value, records: count }))
    .toSorted((a, b) => b.records - a.records || compareText(a.value, b.value))
    .slice(0, most);
}

/** Returns a hash of a text of 32 bits (FNV-1a). */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

export function addOutcomes(into: OutcomeTally, more: OutcomeCounts): void {
  for (const outcome of REPLAY_OUTCOMES) {
    into[outcome] += more[outcome];
  }
}

export function addValues(into: ValueCounts, more: ReadonlyMap<string, CountedValue>): void {
  for (const [value, { count, clients }] of more) {
    const known = into.get(value);
    if (known === undefined) {
      into.set(value, { count, clients: [...clients] });
    } else {
      known.count += count;
      clients.forEach((client) => addClient(known, client));
    }
  }
}

/** Adds numbers by name. */
export function addNumbers(into: Map<string, number>, more: ReadonlyMap<string, number>): void {
  for (const [name, count] of more) {
    into.set(name, (into.get(name) ?? 0) + count);
  }
}
