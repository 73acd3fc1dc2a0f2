import type { JsonObject } from '../../data/index.ts';
import type { WaveRecord } from './journal-entry.ts';
import type { RecordedRun } from './read-journal.ts';
import { entriesIn, recordedRun } from './read-journal.ts';

/** What an unfinished run in waves wrote in one wave, in this process or those that it went on from. */
export interface RecordedWrites extends Pick<WaveRecord, 'wave' | 'wanted'> {
  readonly wrote: RecordedRun;
  /** What it has put back since. */
  readonly back: readonly RecordedRun[];
}

/** The last run in waves of a journal, when it did not come to its end: killed or interrupted, perhaps while it put back what it had written. */
export interface UnfinishedRollout {
  readonly state: 'begun' | 'going-back';
  /** What it wrote, in order. */
  readonly writes: readonly RecordedWrites[];
}

/** Whether the last run in waves of a journal, on whatever service, ended while it put back what it had written. Throws `apply/journal`. */
export async function mayGoBack(path: string): Promise<boolean> {
  return (await entriesIn(path)).findLast(({ kind }) => kind === 'rollout')?.['state'] === 'going-back';
}

/** Reads the last run in waves on a service from a journal; null when there is none, or it came to its end. Throws `apply/journal`. */
export async function unfinishedRollout(path: string, service: string): Promise<UnfinishedRollout | null> {
  const entries = await entriesIn(path);
  const isOwn = (entry: JsonObject): boolean => entry['kind'] === 'rollout' && entry['service'] === service;
  const last = entries.findLast(isOwn)?.['state'];
  if (last !== 'begun' && last !== 'going-back') {
    return null;
  }
  const start = entries.findLastIndex((entry) => isOwn(entry) && entry['state'] === 'begun');
  return { state: last, writes: writesIn(entries.slice(start), service) };
}

function writesIn(entries: readonly JsonObject[], service: string): readonly RecordedWrites[] {
  const writes: (RecordedWrites & { readonly back: RecordedRun[] })[] = [];
  /** The wave that each run had begun last. Other runs write in no wave. */
  const waves = new Map<unknown, Pick<WaveRecord, 'wave' | 'wanted'>>();
  for (const [index, entry] of entries.entries()) {
    const { kind, run, purpose, wave, wanted } = entry;
    if (entry['service'] !== service || typeof run !== 'string') {
      continue;
    }
    if (
      kind === 'wave' &&
      entry['state'] === 'begun' &&
      typeof wave === 'number' &&
      typeof wanted === 'string'
    ) {
      waves.set(run, { wave, wanted });
    }
    if (kind === 'run') {
      const recorded = recordedRun({ run, head: entry, own: partOf(entries.slice(index), run) });
      const begun = waves.get(run);
      if (purpose === 'apply' && begun !== undefined) {
        writes.push({ ...begun, wrote: recorded, back: [] });
      } else if (purpose === 'rollback') {
        writes.forEach(({ back }) => back.push(recorded));
      }
    }
  }
  return writes;
}

/** Returns a head and the entries of its run up to the next head of that run. */
function partOf([head, ...rest]: readonly JsonObject[], run: string): readonly JsonObject[] {
  const own = rest.filter((entry) => entry['run'] === run);
  const next = own.findIndex(({ kind }) => kind === 'run');
  return head === undefined ? [] : [head, ...(next === -1 ? own : own.slice(0, next))];
}
