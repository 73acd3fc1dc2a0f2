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
const FEWEST_CLIENTS = 5;

/** A value, how many records have it, and some of its clients: so many that it may be listed, and no more. */
interface CountedValue {
  count: number;
  /** Hashes of addresses, at most `FEWEST_CLIENTS`. */
  readonly clients: number[];
}

/**
 * Values with their counts. Where there are too many different ones, all are counted by their beginnings, and where these are too many, not at all: so
 * what is counted does not depend on the order in which they came, and parts add up to the whole.
 */
export interface ValueCounts {
  by: 'value' | 'beginning' | 'nothing';
  readonly values: Map<string, CountedValue>;
}

/** The most different values of one kind that are counted, so that memory stays bounded. */
const MOST_VALUES = 5000;

export function noValues(): ValueCounts {
  return { by: 'value', values: new Map() };
}

export function countValue(counts: ValueCounts, value: string, client: number): void {
  addValue(counts, value, { count: 1, clients: [client] });
}

function addValue(counts: ValueCounts, value: string, more: CountedValue): void {
  if (counts.by === 'nothing') {
    return;
  }
  const name = counts.by === 'value' ? value : beginningOf(value);
  const known = counts.values.get(name);
  if (known !== undefined) {
    known.count += more.count;
    more.clients.forEach((client) => addClient(known, client));
    return;
  }
  counts.values.set(name, { count: more.count, clients: [...more.clients] });
  if (counts.values.size > MOST_VALUES) {
    countLess(counts);
  }
}

/** Returns the first segment of a path, or the first word of another text. */
function beginningOf(value: string): string {
  const end = value.slice(1).search(/[/ ]/u);
  return end === -1 ? value : `${value.slice(0, end + 2)}*`;
}

function countLess(counts: ValueCounts): void {
  const all = [...counts.values];
  counts.by = counts.by === 'value' ? 'beginning' : 'nothing';
  counts.values.clear();
  for (const [value, counted] of all) {
    addValue(counts, value, counted);
  }
}

function addClient({ clients }: CountedValue, client: number): void {
  if (clients.length < FEWEST_CLIENTS && !clients.includes(client)) {
    clients.push(client);
  }
}

/** Returns the most frequent values that enough clients sent. */
export function topValues({ values }: ValueCounts, most: number): readonly ValueShare[] {
  return [...values]
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

export function addValues(into: ValueCounts, more: ValueCounts): void {
  while (into.by !== more.by && into.by !== 'nothing' && more.by !== 'value') {
    countLess(into);
  }
  for (const [value, counted] of more.values) {
    addValue(into, value, counted);
  }
}

/** Adds numbers by name. */
export function addNumbers(into: Map<string, number>, more: ReadonlyMap<string, number>): void {
  for (const [name, count] of more) {
    into.set(name, (into.get(name) ?? 0) + count);
  }
}
