import type { JsonObject } from '../../model/json.ts';
import { isJsonObject, textOf } from '../../model/json.ts';
import { OLD_OBJECT_KINDS } from '../../model/retirement.ts';
import { lastRunIn, timeOf } from './last-run.ts';

/** A retirement without an end in its journal: it crashed, or is still running. */
export interface UnfinishedRetirement {
  /** The name of the run. */
  readonly run: string;
  /** Start of the run, in milliseconds since 1970. */
  readonly at: number;
  readonly service: string;
  /** Ids of the steps whose deletion is certain. */
  readonly deleted: readonly string[];
  /** Id of the step whose deletion was sent and got no known answer; null when there is none. */
  readonly inHand: string | null;
}

/** Returns the last retirement of a journal if it has no end; null when it ended, or when there is none. */
export async function readUnfinishedRetirement(path: string): Promise<UnfinishedRetirement | null> {
  const last = await lastRunIn(path, ['retire']);
  if (last === null || last.own.some(({ kind }) => kind === 'end')) {
    return null;
  }
  const { head, own } = last;
  // A retirement may also restore the rules of an entry point: those writes are no deletions of its plan.
  const sent = stepsOf(own.filter(isRetiring));
  const landed = new Set(stepsOf(own.filter(({ kind }) => kind === 'landed')));
  const failed = new Set(stepsOf(own.filter(({ kind, inDoubt }) => kind === 'failed' && inDoubt !== true)));
  return {
    run: last.run,
    at: timeOf(head),
    service: textOf(head['service']),
    deleted: sent.filter((step) => landed.has(step)),
    inHand: sent.findLast((step) => !landed.has(step) && !failed.has(step)) ?? null,
  };
}

function stepsOf(entries: readonly JsonObject[]): readonly string[] {
  return entries.flatMap(({ step }) => (typeof step === 'string' ? [step] : []));
}

/** Whether an entry is the intent to delete an object of a deprecated interface. */
function isRetiring({ kind, write }: JsonObject): boolean {
  return (
    kind === 'intent' &&
    isJsonObject(write) &&
    OLD_OBJECT_KINDS.some((old) => write['kind'] === `delete-${old}`)
  );
}
