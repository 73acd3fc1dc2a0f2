import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { groupBy, isJsonArray, isJsonObject, listOf, textOf, parsedJson } from '../../data/index.ts';
import type { JsonObject, JsonValue } from '../../data/index.ts';
import type { Base, RulesetTarget } from '../../model/index.ts';
import { isId, isHidden, RulewrightError, errorMessage } from '../../model/index.ts';
import type { Write, Anchor } from '../../plan/index.ts';
import { PHASE, VERSION } from '../../api/index.ts';
import { hintForFile, isMissing, refuseLinks } from '../../files/index.ts';
import type { JournalStep, RunPurpose } from './journal-entry.ts';
import { recordedScope, timeOf } from './journal-values.ts';
import type { RecordedObject } from './recorded-objects.ts';
import { recordedObjects } from './recorded-objects.ts';
import { requireJournal } from './require-journal.ts';

/** The purposes of runs that write rulesets. */
const WRITING = ['apply', 'rollback', 'waf'] as const satisfies readonly RunPurpose[];

/** What a run that writes rulesets is for. */
type WritingPurpose = (typeof WRITING)[number];

/** A run of a journal: its name, its head, and all of its entries, the head first. */
export interface LastRun {
  readonly run: string;
  readonly head: JsonObject;
  readonly own: readonly JsonObject[];
}

/** Whether the journal's last run that writes rulesets, or its last retirement, has no end, or a wave was written whose health has not held yet. */
export async function hasUnfinishedRun(path: string): Promise<boolean> {
  const runs = await Promise.all([lastRunIn(path, WRITING), lastRunIn(path, ['retire'])]);
  return (
    runs.some((run) => run !== null && run.own.every(({ kind }) => kind !== 'end')) ||
    (await endsInWave(path))
  );
}

/** Whether the last that a journal says of waves is that one is not done, or that a run was not over. */
async function endsInWave(path: string): Promise<boolean> {
  const entries = await entriesIn(path);
  const last = entries.findLast(({ kind }) => kind === 'wave');
  const run = entries.findLast(({ kind }) => kind === 'rollout');
  return (
    (last !== undefined && last['state'] !== 'passed' && last['state'] !== 'undone') ||
    (run !== undefined && run['state'] !== 'ended')
  );
}

/** Returns the entries at the end of a journal; of a short one, all. */
export async function entriesIn(path: string): Promise<readonly JsonObject[]> {
  return linesOf((await readTail(path, TAIL_BYTES)).text);
}

/** Returns the last run in a journal file that has one of the given purposes; null when there is none. */
export async function lastRunIn(
  path: string,
  purposes: readonly RunPurpose[],
  tailBytes = TAIL_BYTES,
): Promise<LastRun | null> {
  const { text, isWhole } = await readTail(path, tailBytes);
  const last = lastRunOf(text, purposes);
  return last === null && !isWhole ? lastRunIn(path, purposes, tailBytes * 2) : last;
}

/** Returns the last run in a journal's text that has one of the given purposes; null when there is none. */
export function lastRunOf(text: string, purposes: readonly RunPurpose[] = WRITING): LastRun | null {
  const entries = linesOf(text);
  const start = entries.findLastIndex(
    ({ kind, purpose }) => kind === 'run' && purposes.some((one) => one === purpose),
  );
  const head = entries[start];
  const run = head?.['run'];
  if (head === undefined || typeof run !== 'string') {
    return null;
  }
  // The rollback of a failed run writes a head of its own, after the entries of the run that it undoes.
  const own = entries.slice(start).filter((entry) => entry['run'] === run);
  return { run, head, own };
}

/** Number of bytes read from the end of a longer journal; doubled until the head of the last run is found. */
const TAIL_BYTES = 64 * 1024 * 1024;

/** Reads the end of a journal file; an empty text for one that is missing. Throws `apply/journal`. */
export async function readTail(
  path: string,
  most: number,
): Promise<{ readonly text: string; readonly isWhole: boolean }> {
  try {
    await refuseLinks(path);
    // O_NONBLOCK: opening a pipe must not wait for its other end.
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
    throw new RulewrightError(`The journal ${path} cannot be read: ${errorMessage(error)}.`, {
      code: 'apply/journal',
      fault: 'user',
      hint:
        hintForFile(error) ??
        'what an earlier run left undone stands in it: make it readable, or give another path with --journal',
      cause: error,
    });
  }
}

/** Parses the entries of a journal; skips lines that are not whole JSON objects. */
export function linesOf(text: string): readonly JsonObject[] {
  return text.split('\n').flatMap((line) => {
    const value = parsedJson(line);
    return isJsonObject(value) ? [value] : [];
  });
}

/** A step of a run, as recorded in the journal. */
export interface RecordedStep extends JournalStep {
  /** Number of writes that landed. */
  readonly landed: number;
  /** The version that the last of them made; null: it deleted the ruleset. Absent when none landed, or its version is not known. */
  readonly made?: string | null;
  /** The write that was begun and of which it is not known whether it landed; null when there is none. */
  readonly inFlight: InFlight | null;
  /** The last PUT of a rule list that took effect beside somebody else's write, or may have; null when there is none. */
  readonly list: InFlight | null;
}

/** A write as recorded in its intent; `write` or `base` is null when the journal does not hold it. */
export interface InFlight {
  readonly write: Write | null;
  /** The base that the write was made on. */
  readonly base: Base | null;
  /** Time just before the write was sent, in milliseconds since 1970. */
  readonly at: number;
}

/** The last run of a journal that wrote rulesets. */
export interface RecordedRun {
  readonly run: string;
  readonly purpose: WritingPurpose;
  /** Start of the run, in milliseconds since 1970. */
  readonly at: number;
  /** Digest of the run's plan. */
  readonly plan: string;
  readonly service: string;
  readonly steps: readonly RecordedStep[];
  /** Its steps on lists and settings. */
  readonly objects: readonly RecordedObject[];
  /** Result of the run; null when it did not end. */
  readonly end: string | null;
}

/** Reads the journal's last run that wrote rulesets; null when there is none. Skips torn and foreign lines. Throws `apply/journal`. */
export async function readLastRun(path: string, tailBytes?: number): Promise<RecordedRun | null> {
  const last = await lastRunIn(path, WRITING, tailBytes);
  if (last === null) {
    return null;
  }
  return recordedRun(last);
}

/** Returns what a run wrote and put back, in order: it has a head for each wave, and one for each that it puts back. */
export function partsOfRun(run: string, entries: readonly JsonObject[]): readonly RecordedRun[] {
  const own = entries.filter((entry) => entry['run'] === run);
  const heads = own.flatMap(({ kind }, at) => (kind === 'run' ? [at] : []));
  return heads.flatMap((at, index): readonly RecordedRun[] => {
    const head = own[at];
    return head === undefined ? [] : [recordedRun({ run, head, own: own.slice(at, heads[index + 1]) })];
  });
}

/** Returns the steps that a run has put back whole after it had failed. */
export function putBackIn(parts: readonly RecordedRun[]): ReadonlySet<string> {
  const back = parts.flatMap(({ purpose, steps }) => (purpose === 'rollback' ? steps : []));
  return new Set(back.filter(({ landed, writes }) => landed >= writes).map(({ step }) => step));
}

/** Reads a run from its entries. */
export function recordedRun({ run, head, own }: LastRun): RecordedRun {
  const end = own.findLast((entry) => entry['kind'] === 'end')?.['result'];
  const byStep = groupBy(own, (entry) => entry['step']);
  const { plan, service, steps } = head;
  return {
    run,
    purpose: WRITING.find((purpose) => purpose === head['purpose']) ?? 'apply',
    at: timeOf(head),
    plan: textOf(plan),
    service: textOf(service),
    steps: listOf(steps).flatMap((step) => recordedStep(step, byStep)),
    objects: recordedObjects(head, byStep),
    end: typeof end === 'string' ? end : null,
  };
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
  const made = own.findLast(hasLanded)?.['version'];
  return [
    {
      ...head,
      landed: landedOf(head, own),
      ...(typeof made === 'string' || made === null ? { made } : {}),
      inFlight: inHandOf(intent),
      list: inHandOf(list),
    },
  ];
}

function inHandOf(intent: JsonObject | undefined): InFlight | null {
  if (intent === undefined) {
    return null;
  }
  const { write, base } = intent;
  return { write: recordedWrite(write), base: recordedBase(base), at: timeOf(intent) };
}

function isListIntent({ kind, write }: JsonObject): boolean {
  return (
    kind === 'intent' && isJsonObject(write) && write['kind'] === 'put-ruleset' && write['rules'] !== null
  );
}

/** Whether a write may have taken effect beside somebody else's, judged by the entry after its intent. */
function mayHaveMet(result: JsonObject | undefined): boolean {
  return (
    result?.['kind'] !== 'landed' && (result === undefined || hasLanded(result) || result['inDoubt'] === true)
  );
}

/**
 * Returns how many writes of a step landed and were not undone. A run deletes a custom ruleset it made if another of that name was made meanwhile.
 */
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
  const scope = recordedScope(value['scope']);
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

/** Reads the write of an intent; null when it is incomplete, for example because the journal hides a text in it. */
function recordedWrite(value: JsonValue | undefined): Write | null {
  if (!isJsonObject(value) || isHidden(JSON.stringify(value))) {
    return null;
  }
  const { kind, id } = value;
  if (kind === 'create-ruleset') {
    return recordedCreation(value);
  }
  return typeof id === 'string' && isId(id) ? writeTo(id, value) : null;
}

function recordedCreation({ target, description, rules }: JsonObject): Write | null {
  const made = recordedTarget(target);
  const list = objects(rules);
  return made === null || list === null || typeof description !== 'string'
    ? null
    : { kind: 'create-ruleset', target: made, description, rules: list };
}

/** Reads a write to an existing ruleset. */
function writeTo(id: string, value: JsonObject): Write | null {
  const { kind, ruleId, ref, rule, description } = value;
  switch (kind) {
    case 'put-ruleset': {
      const rules = value['rules'] === null ? null : objects(value['rules']);
      const isWhole = rules !== null || value['rules'] === null;
      return isWhole && (description === null || typeof description === 'string')
        ? { kind, id, description, rules }
        : null;
    }
    case 'add-rule': {
      const behind = recordedAnchor(value['behind']);
      return behind !== null && typeof ref === 'string' && isJsonObject(rule)
        ? { kind, id, ref, rule, behind }
        : null;
    }
    case 'patch-rule': {
      const behind = recordedAnchor(value['behind']);
      return typeof ruleId === 'string' &&
        (rule === null || isJsonObject(rule)) &&
        (behind !== null || value['behind'] === null)
        ? { kind, id, ruleId, rule, behind }
        : null;
    }
    case 'delete-rule':
      return typeof ruleId === 'string' ? { kind, id, ruleId } : null;
    case 'delete-ruleset':
      return { kind, id };
    default:
      return null;
  }
}

function objects(value: JsonValue | undefined): readonly JsonObject[] | null {
  return isJsonArray(value) && value.every(isJsonObject) ? value : null;
}

function recordedAnchor(value: JsonValue | undefined): Anchor | null {
  if (!isJsonObject(value)) {
    return null;
  }
  const { kind, id, ref } = value;
  switch (kind) {
    case 'first':
      return { kind };
    case 'live':
      return typeof id === 'string' ? { kind, id } : null;
    case 'new':
      return typeof ref === 'string' ? { kind, ref } : null;
    default:
      return null;
  }
}

/** Reads the target of a step; null when no request could name it, since a journal may be damaged. */
function recordedTarget(value: JsonValue | undefined): RulesetTarget | null {
  if (!isJsonObject(value)) {
    return null;
  }
  const { level, phase, name } = value;
  return (level === 'zone' || level === 'root' || level === 'custom') &&
    typeof phase === 'string' &&
    PHASE.test(phase) &&
    typeof name === 'string'
    ? { kind: 'ruleset', level, phase, name }
    : null;
}

/** Reads the base of a step or of a write; null when no request could name it. */
function recordedBase(value: JsonValue | undefined): Base | null {
  if (!isJsonObject(value)) {
    return null;
  }
  const { kind, id, version, lastUpdated } = value;
  if (kind === 'absent') {
    return { kind };
  }
  return kind === 'version' &&
    typeof id === 'string' &&
    isId(id) &&
    typeof version === 'string' &&
    VERSION.test(version) &&
    typeof lastUpdated === 'string'
    ? { kind, id, version, lastUpdated }
    : null;
}
