import { lastRunEntries } from './read-journal.ts';

/** A retirement that has no end in its journal: it crashed, or is still running. */
export interface UnfinishedRetirement {
  /** When it began; milliseconds since 1970. */
  readonly at: number;
  readonly service: string;
  /** Steps of which the deletion is certain. */
  readonly deleted: readonly string[];
  /** The step that was sent, and of which no answer is known; null when there is none. */
  readonly inHand: string | null;
}

/** The last retirement of a journal when it has no end; null when it ended, or when there is none. */
export async function readUnfinishedRetirement(path: string): Promise<UnfinishedRetirement | null> {
  const entries = await lastRunEntries(path);
  const [head] = entries;
  if (head === undefined || entries.some(({ kind }) => kind === 'end')) {
    return null;
  }
  const stepsOf = (...kinds: readonly string[]): readonly string[] =>
    entries.flatMap(({ kind, step, inDoubt }) =>
      typeof kind === 'string' && kinds.includes(kind) && typeof step === 'string' && inDoubt !== true
        ? [step]
        : [],
    );
  const answered = new Set(stepsOf('landed', 'failed'));
  const { at, service } = head;
  return {
    at: typeof at === 'number' ? at : 0,
    service: typeof service === 'string' ? service : '',
    deleted: stepsOf('landed'),
    inHand: stepsOf('intent').findLast((step) => !answered.has(step)) ?? null,
  };
}
