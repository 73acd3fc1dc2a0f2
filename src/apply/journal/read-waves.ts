import { isJsonObject } from '../../data/index.ts';
import type { JsonObject, JsonValue } from '../../data/index.ts';
import type { WaveRecord } from './journal-entry.ts';
import { timeOf } from './journal-values.ts';
import { entriesIn } from './read-journal.ts';

/** The last that a journal says of a wave. */
export interface RecordedWave extends WaveRecord {
  /** Time of the entry, in milliseconds since 1970. */
  readonly at: number;
}

const STATES: readonly WaveRecord['state'][] = ['begun', 'written', 'passed', 'failed', 'no-data', 'undone'];

/** Whether a wave was written, or begun, and its health has not held since: no later wave may begin. */
export function isWaveOpen(record: WaveRecord | undefined): boolean {
  return record !== undefined && record.state !== 'passed' && record.state !== 'undone';
}

/** Reads the last that a journal says of each wave of rollouts on a service, by the wave's number. Throws `apply/journal`. */
export async function readWaves(path: string, service: string): Promise<ReadonlyMap<number, RecordedWave>> {
  const entries = await entriesIn(path);
  return new Map(
    entries.flatMap((entry) => {
      const record = entry['kind'] === 'wave' && entry['service'] === service ? recordOf(entry) : null;
      return record === null ? [] : [[record.wave, record] as const];
    }),
  );
}

function recordOf(entry: JsonObject): RecordedWave | null {
  const { wave, wanted, health } = entry;
  const state = STATES.find((one) => one === entry['state']);
  const wrote = timesOf(entry['wrote']);
  return typeof wave === 'number' && typeof wanted === 'string' && state !== undefined
    ? {
        wave,
        wanted,
        state,
        ...(wrote === null ? {} : { wrote }),
        ...(health === undefined ? {} : { health }),
        at: timeOf(entry),
      }
    : null;
}

function timesOf(value: JsonValue | undefined): WaveRecord['wrote'] | null {
  if (value === undefined || !isJsonObject(value)) {
    return null;
  }
  const { from, to } = value;
  return typeof from === 'number' && typeof to === 'number' ? { from, to } : null;
}
