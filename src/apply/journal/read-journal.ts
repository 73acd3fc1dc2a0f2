import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { isMissing } from '../../files/missing.ts';
import { groupBy } from '../../model/group-by.ts';
import { isJsonArray, isJsonObject, listOf, parsedJson, textOf } from '../../model/json.ts';
import type { JsonObject, JsonValue } from '../../model/json.ts';
import type { Base } from '../../model/base.ts';
import type { Scope } from '../../model/scope.ts';
import { RulewrightError } from '../../model/error.ts';
import { isId } from '../../model/scope.ts';
import type { Write } from '../../plan/requests/writes.ts';
import type { JournalStep } from './journal-entry.ts';
import { requireJournal } from './require-journal.ts';
import { recordedBase, recordedTarget, recordedWrite } from './recorded-write.ts';

/** What a journal knows of a step of a run. */
export interface RecordedStep extends JournalStep {
  /** Writes that landed. */
  readonly landed: number;
  /** A write that was begun, and of which it is not known whether it landed; null when there is none. */
  readonly inHand: InHand | null;
  /** The last list that took effect beside somebody else's write, or may have; null when there is none. */
  readonly list: InHand | null;
}

/** A write as its intent has it; null where the journal does not tell. */
export interface InHand {
  readonly write: Write | null;
  /** What it was made on. */
  readonly base: Base | null;
  /** When it was about to be sent; milliseconds since 1970. */
  readonly at: number;
}

/** The last run of a journal. */
export interface RecordedRun {
  readonly run: string;
  /** `rollback`: the way back of what the run had written. */
  readonly purpose: 'apply' | 'rollback';
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Digest of its plan. */
  readonly plan: string;
  readonly service: string;
  readonly steps: readonly RecordedStep[];
  /** How it ended; null when it did not. */
  readonly end: string | null;
}

/** A longer journal is read from its end, and further back where the last run began before that. */
const TAIL_BYTES = 64 * 1024 * 1024;

/** Reads the last run of a journal; null when there is none. Lines that are torn or foreign are passed over. Throws `apply/journal`. */
export async function readLastRun(path: string, tailBytes = TAIL_BYTES): Promise<RecordedRun | null> {
  const last = await lastRunIn(path, tailBytes);
  if (last === null) {
    return null;
  }
  const { run, head, own } = last;
  const end = own.findLast((entry) => entry['kind'] === 'end')?.['result'];
  const byStep = groupBy(own, (entry) => entry['step']);
  const { at, plan, service, steps } = head;
  return {
    run,
    purpose: head['purpose'] === 'rollback' ? 'rollback' : 'apply',
    at: timeOf(at),
    plan: textOf(plan),
    service: textOf(service),
    steps: listOf(steps).flatMap((step) => recordedStep(step, byStep)),
    end: typeof end === 'string' ? end : null,
  };
}

/** The entries of the last run, its head first; none when there is none. */
async function lastRunEntries(path: string): Promise<readonly JsonObject[]> {
  return (await lastRunIn(path, TAIL_BYTES))?.own ?? [];
}

/** The last run of a journal: its name, its head, and all of its entries, the head first. */
interface LastRun {
  readonly run: string;
  readonly head: JsonObject;
  readonly own: readonly JsonObject[];
}

/** The last run of a journal file; null when there is none. */
async function lastRunIn(path: string, tailBytes: number): Promise<LastRun | null> {
  const { text, isWhole } = await readTail(path, tailBytes);
  const last = lastRunOf(text);
  return last === null && !isWhole ? lastRunIn(path, tailBytes * 2) : last;
}

/** The last run of a journal; null when there is none. */
export function lastRunOf(text: string): LastRun | null {
  const entries = linesOf(text);
  const start = entries.findLastIndex((entry) => entry['kind'] === 'run');
  const head = entries[start];
  const run = head?.['run'];
  if (head === undefined || typeof run !== 'string') {
    return null;
  }
  // The way back of a failed run has a head of its own, after what it takes back.
  const own = entries.slice(start).filter((entry) => entry['run'] === run);
  return { run, head, own };
}

async function readTail(
  path: string,
  most: number,
): Promise<{ readonly text: string; readonly isWhole: boolean }> {
  try {
    // Without waiting for the other end of a pipe.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const found = await file.stat();
      if (!found.isFile()) {
        throw new Error('it is not a regular file');
      }
      await requireJournal(file, path);
      const { size } = found;
      const length = Math.min(size, most);
      const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
      return { text: buffer.toString('utf8'), isWhole: length === size };
    } finally {
      await file.close();
    }
  } catch (error) {
    if (isMissing(error)) {
      return { text: '', isWhole: true };
    }
    if (error instanceof RulewrightError) {
      throw error;
    }
    throw new RulewrightError(
      `The journal ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}.`,
      {
        code: 'apply/journal',
        fault: 'user',
        hint: 'what an earlier run left undone stands in it: make it readable, or give another path with --journal',
        cause: error,
      },
    );
  }
}

/** The entries of a journal; what is no whole line of one is left out. */
export function linesOf(text: string): readonly JsonObject[] {
  return text.split('\n').flatMap((line) => {
    const value = parsedJson(line);
    return isJsonObject(value) ? [value] : [];
  });
}

function recordedStep(
  value: JsonValue,
  entries: ReadonlyMap<JsonValue | undefined, readonly JsonObject[]>,
): readonly RecordedStep[] {
  const head = isJsonObject(value) ? headOf(value) : null;
  if (head === null) {
    return [];
  }
  const own = entries.get(head.step) ?? [];
  const count = (kind: string): number => own.filter((entry) => entry['kind'] === kind).length;
  const answered = own.filter(({ kind, inDoubt }) => kind === 'failed' && inDoubt !== true).length;
  const open = count('intent') > count('landed') + answered;
  const intent = open ? own.findLast((entry) => entry['kind'] === 'intent') : undefined;
  const list = own.findLast((entry, at) => isListIntent(entry) && mayHaveMet(own[at + 1]));
  return [{ ...head, landed: landedOf(head, own), inHand: inHandOf(intent), list: inHandOf(list) }];
}

function inHandOf(intent: JsonObject | undefined): InHand | null {
  if (intent === undefined) {
    return null;
  }
  const { write, base, at } = intent;
  return { write: recordedWrite(write), base: recordedBase(base), at: timeOf(at) };
}

function timeOf(at: JsonValue | undefined): number {
  return typeof at === 'number' ? at : 0;
}

function isListIntent({ kind, write }: JsonObject): boolean {
  return (
    kind === 'intent' && isJsonObject(write) && write['kind'] === 'put-ruleset' && write['rules'] !== null
  );
}

/** Whether a write may have taken effect beside somebody else's, by what the journal has after its intent. */
function mayHaveMet(result: JsonObject | undefined): boolean {
  return (
    result?.['kind'] !== 'landed' && (result === undefined || hasLanded(result) || result['inDoubt'] === true)
  );
}

/** How many writes of a step landed and were not taken back: of two custom rulesets of one name, one run deletes its own again. */
function landedOf({ base }: JournalStep, own: readonly JsonObject[]): number {
  const back = base.kind === 'absent' ? own.findIndex(isDeletion) : -1;
  const [made, after] = back === -1 ? [own, []] : [own.slice(0, back), own.slice(back)];
  return after.some(hasLanded) ? 0 : made.filter(hasLanded).length;
}

function isDeletion({ kind, write }: JsonObject): boolean {
  return kind === 'intent' && isJsonObject(write) && write['kind'] === 'delete-ruleset';
}

function hasLanded({ kind, landed }: JsonObject): boolean {
  return kind === 'landed' || (kind === 'failed' && landed === true);
}

function headOf(value: JsonObject): JournalStep | null {
  const { step, tokenEnv, writes, moves } = value;
  const scope = scopeOf(value['scope']);
  const target = recordedTarget(value['target']);
  const base = recordedBase(value['base']);
  if (typeof step !== 'string' || scope === null || target === null || base === null) {
    return null;
  }
  return {
    step,
    scope,
    ...(typeof tokenEnv === 'string' ? { tokenEnv } : {}),
    target,
    base,
    writes: typeof writes === 'number' ? writes : 1,
    ...(isJsonArray(moves) ? { moves: moves.filter((id) => typeof id === 'string') } : {}),
  };
}

function scopeOf(value: JsonValue | undefined): Scope | null {
  if (!isJsonObject(value)) {
    return null;
  }
  const { kind, id, name, accountId } = value;
  return (kind === 'zone' || kind === 'account') && typeof id === 'string' && isId(id)
    ? { kind, id, name: textOf(name), accountId: textOf(accountId) }
    : null;
}

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
    at: timeOf(at),
    service: textOf(service),
    deleted: stepsOf('landed'),
    inHand: stepsOf('intent').findLast((step) => !answered.has(step)) ?? null,
  };
}
