import { groupBy } from '../../model/group-by.ts';
import { isJsonArray, isJsonObject, listOf, textOf } from '../../model/json.ts';
import type { JsonObject, JsonValue } from '../../model/json.ts';
import type { Base } from '../../model/base.ts';
import type { Scope } from '../../model/scope.ts';
import { isId } from '../../model/scope.ts';
import type { Write } from '../../plan/requests/writes.ts';
import type { JournalStep } from './journal-entry.ts';
import { lastRunIn, timeOf, WRITING } from './last-run.ts';
import type { WritingPurpose } from './last-run.ts';
import { recordedBase, recordedTarget, recordedWrite } from './recorded-write.ts';

/** A step of a run, as recorded in the journal. */
export interface RecordedStep extends JournalStep {
  /** Number of writes that landed. */
  readonly landed: number;
  /** The write that was begun and of which it is not known whether it landed; null when there is none. */
  readonly inHand: InHand | null;
  /** The last PUT of a rule list that took effect beside somebody else's write, or may have; null when there is none. */
  readonly list: InHand | null;
}

/** A write as recorded in its intent; `write` or `base` is null when the journal does not hold it. */
export interface InHand {
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
  /** Result of the run; null when it did not end. */
  readonly end: string | null;
}

/** Reads the journal's last run that wrote rulesets; null when there is none. Skips torn and foreign lines. Throws `apply/journal`. */
export async function readLastRun(path: string, tailBytes?: number): Promise<RecordedRun | null> {
  const last = await lastRunIn(path, WRITING, tailBytes);
  if (last === null) {
    return null;
  }
  const { run, head, own } = last;
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
  return [{ ...head, landed: landedOf(head, own), inHand: inHandOf(intent), list: inHandOf(list) }];
}

function inHandOf(intent: JsonObject | undefined): InHand | null {
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
