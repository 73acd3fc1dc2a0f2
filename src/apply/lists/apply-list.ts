import type { ReadClient } from '../../api/index.ts';
import { listListItems, listLists, orElse } from '../../api/index.ts';
import { jsonEqual, plainJson } from '../../data/index.ts';
import type { ListItem, ListStep, LiveListHead, LiveListItem, Outcome, Scope } from '../../model/index.ts';
import { errorFacts, isItemAsWanted, knownError, listItemKey } from '../../model/index.ts';
import { isListDone, listMismatches, reverseListStep } from '../../plan/index.ts';
import { insisting } from '../base/look-up.ts';
import type { ManagedObject, ObjectBegun, ObjectRun, ObjectWritten } from '../objects/object-run.ts';
import { ATTEMPTS, UNREAD, carryOut } from '../objects/object-run.ts';
import { mismatchOutcome } from '../steps/mismatch-outcome.ts';
import { IN_DOUBT_HINT, failureOf, inDoubt, NO_EFFECT } from '../write/write-failure.ts';
import type { ListPlace, ListWrite } from './list-writes.ts';
import { journalListWrite, listRequest, listWrites } from './list-writes.ts';
import type { ListWriteResult, PrepareWrite } from './send-list-write.ts';
import { sendListWrite } from './send-list-write.ts';
import { counted } from '../../text/index.ts';

/** A list as it is now, with its items where a step needs them. */
interface ListNow {
  readonly head: LiveListHead;
  readonly items: readonly LiveListItem[] | null;
  /** A write of this step has changed its items since the head was read. */
  readonly isPast?: true | undefined;
}

/**
 * Lists of accounts. A step is written by several writes; those of items are carried out by an operation, which is followed to its end.
 */
export const LIST_OBJECTS: ManagedObject<ListStep> = {
  apply: (step, run) => {
    const writes = listWrites(step);
    return carryOut<ListWrite, ListNow | null>(step, run, {
      writes,
      begin: () => begin(step, run, writes),
      saved: { kind: 'saved-list', step: step.id, list: plainJson(step) },
      recorded: (write, now) => ({
        write: plainJson(journalListWrite(write)),
        base: now === null ? { kind: 'absent' } : { kind: 'list', id: now.head.id },
      }),
      send: (write, now) => writeUntilKnown(step, write, { now, run }),
      finish: (now, done) => finished(step, now, { run, done }),
    });
  },
  moved: async (steps, { client, scope }) => {
    try {
      const heads = await listLists(client, scope.accountId);
      const checked = await Promise.all(
        steps.map(async (step) => {
          const head = heads.find(({ name }) => name === step.target.name) ?? null;
          if (!isAtListBase(head, step)) {
            return staleList(step, head);
          }
          // Items that only come are sent as the plan shows them; of others it could show one and mean another.
          const items =
            head === null || step.items.remove.length + step.items.change.length === 0
              ? null
              : await listListItems(client, scope.accountId, head);
          const mismatches = items === null ? [] : listMismatches(step, items);
          return mismatches.length === 0
            ? null
            : mismatchOutcome(step.id, mismatches, `the items of the list ${step.target.name}`);
        }),
      );
      return checked.filter((outcome) => outcome !== null);
    } catch (error) {
      const facts = errorFacts(knownError(error));
      return steps.map(({ id }): Outcome => ({ kind: 'failed', step: id, ...facts, writes: 0 }));
    }
  },
  isDone: async (step, { client, scope }) => {
    const { head, items } = await listNow(client, scope, step);
    return isListDone(step, head, items);
  },
  reverse: async (step, { client, scope }) => {
    const { head, items } = await listNow(client, scope, step);
    return reverseListStep(step, head, items);
  },
};

async function listNow(
  client: ReadClient,
  scope: Scope,
  { target }: ListStep,
): Promise<{ readonly head: LiveListHead | null; readonly items: readonly LiveListItem[] }> {
  const head = await findList(client, scope, target.name);
  return { head, items: head === null ? [] : await listListItems(client, scope.accountId, head) };
}

/** Reads the list, and ends the step unless it can start from there. */
async function begin(
  step: ListStep,
  run: ObjectRun,
  writes: readonly ListWrite[],
): Promise<ObjectBegun<ListNow | null>> {
  const { client } = run.access;
  const head = await findList(client, run.scope, step.target.name);
  if (isAtListBase(head, step)) {
    const isWhole = writes.some(({ kind }) => kind === 'replace-items');
    const items = isWhole && head !== null ? await listListItems(client, run.scope.accountId, head) : null;
    if (items !== null && items.length !== head?.itemCount) {
      // A replacement would undo what somebody has added since.
      return {
        kind: 'over',
        outcome: staleList(step, head === null ? head : { ...head, itemCount: items.length }),
      };
    }
    return { kind: 'ready', now: head === null ? null : { head, items } };
  }
  const items = head === null ? [] : await listListItems(client, run.scope.accountId, head);
  if (isListDone(step, head, items)) {
    const outcome = { kind: 'skipped', step: step.id, reason: 'live already matches this step' } as const;
    return { kind: 'over', outcome };
  }
  return { kind: 'over', outcome: staleList(step, head) };
}

/** Whether a list is what a step was planned from. */
function isAtListBase(head: LiveListHead | null, { base }: ListStep): boolean {
  return base.kind === 'absent'
    ? head === null
    : head?.id === base.id && head.modifiedOn === base.modifiedOn && head.itemCount === base.items;
}

/** Returns the outcome of a step whose list has moved since it was planned. */
function staleList(step: ListStep, head: LiveListHead | null): Outcome {
  return {
    kind: 'refused',
    step: step.id,
    code: 'apply/stale',
    message: `the list changed since the plan was made: ${baseText(step, head)}`,
    hint: STALE_HINT,
    writes: 0,
  };
}

const STALE_HINT = 'plan again, and look at what the new plan says';

/** Says what a list was when it was planned, and what it is now. */
function baseText({ base }: ListStep, head: LiveListHead | null): string {
  const now =
    head === null
      ? 'there is no such list'
      : `it has ${counted(head.itemCount, 'item')}, changed ${head.modifiedOn}`;
  const then =
    base.kind === 'absent'
      ? 'there was no such list'
      : `it had ${counted(base.items, 'item')}, changed ${base.modifiedOn}`;
  return `then ${then}; now ${now}`;
}

async function findList(client: ReadClient, scope: Scope, name: string): Promise<LiveListHead | null> {
  const heads = await listLists(client, scope.accountId);
  return heads.find((head) => head.name === name) ?? null;
}

interface WriteState {
  readonly now: ListNow | null;
  readonly run: ObjectRun;
}

async function writeUntilKnown(
  step: ListStep,
  write: ListWrite,
  { now: then, run }: WriteState,
): Promise<ObjectWritten<ListNow | null>> {
  const { access, scope, clock, signal } = run;
  if (access.kind === 'dry-run') {
    return { kind: 'interrupted' };
  }
  const reader = insisting(access.client);
  const now = then?.isPast === true ? await readHeadAgain(then, { reader, scope }) : then;
  const at = { accountId: scope.accountId, listId: now?.head.id ?? '' };
  const means = { client: access.client, reader, accountId: scope.accountId, clock, signal };
  const prepare = preparing(write, { at, now, reader, scope });
  for (let attempt = 1; ; attempt += 1) {
    const result = await sendListWrite(write, prepare, means);
    if (result.kind === 'landed') {
      return { kind: 'landed', now: write.kind === 'delete-list' ? null : after(now, write, result.made) };
    }
    // A repeated write may be refused because the one before it has landed meanwhile, such as a deletion of items that are gone.
    if (result.kind === 'unknown' || (result.kind === 'failed' && attempt > 1)) {
      const seen = await orElse(lookUpWrite(step, write, { reader, scope }), () => ({
        kind: 'unread' as const,
      }));
      if (seen.kind === 'done') {
        return { kind: 'landed', now: seen.head === null ? null : { head: seen.head, items: null } };
      }
      if (result.kind === 'unknown' && seen.kind === 'open' && attempt < ATTEMPTS) {
        continue;
      }
      return inDoubt(result.error, seen.kind === 'open' ? 'The list does not show the write' : UNREAD);
    }
    if (result.kind === 'moved') {
      return movedWhileWaiting(step, result.now);
    }
    if (result.kind === 'not-carried-out' && result.isOver) {
      const seen = await orElse(findList(reader, scope, step.target.name), () => null);
      return failureOfOperation(result.reason, isSameState(seen, now?.head));
    }
    return failureOfWrite(result);
  }
}

/**
 * Returns what makes the request of a write. A replacement names all items, so before it is sent again they are read again: what somebody has added
 * while it waited for its turn would be gone.
 */
function preparing(
  write: ListWrite,
  {
    at,
    now,
    reader,
    scope,
  }: {
    readonly at: ListPlace;
    readonly now: ListNow | null;
    readonly reader: ReadClient;
    readonly scope: Scope;
  },
): PrepareWrite {
  const items = now?.items ?? [];
  const request = listRequest(write, at, items);
  let isFirst = true;
  return async () => {
    if (write.kind !== 'replace-items' || isFirst || now === null) {
      isFirst = false;
      return { kind: 'request', request };
    }
    const head = await findList(reader, scope, now.head.name);
    const live = head === null ? [] : await listListItems(reader, scope.accountId, head);
    return isReplaced(write, live)
      ? { kind: 'landed' }
      : jsonEqual(plainJson(live), plainJson(items))
        ? { kind: 'request', request }
        : { kind: 'moved', now: head };
  };
}

function movedWhileWaiting(step: ListStep, now: LiveListHead | null): ObjectWritten<never> {
  return {
    kind: 'failed',
    code: 'apply/stale',
    message: `somebody else changed the list while its replacement waited for its turn, and that would have been undone: ${baseText(step, now)}`,
    hint: STALE_HINT,
    effect: NO_EFFECT,
  };
}

function after(now: ListNow | null, write: ListWrite, made: LiveListHead | undefined): ListNow | null {
  if (made !== undefined || now === null) {
    return made === undefined ? now : { head: made, items: [] };
  }
  return write.kind === 'describe-list' ? now : { ...now, isPast: true };
}

/** Reads a list again that this step has written: should the next operation fail, only so can be told whether it did a part. */
async function readHeadAgain(
  now: ListNow,
  { reader, scope }: { readonly reader: ReadClient; readonly scope: Scope },
): Promise<ListNow> {
  const head = await orElse(findList(reader, scope, now.head.name), () => null);
  return head === null ? now : { ...now, head, isPast: undefined };
}

/** Looks up what became of a write without an answer: done, or not done yet, and then it may be sent again. */
async function lookUpWrite(
  { target }: ListStep,
  write: ListWrite,
  { reader, scope }: { readonly reader: ReadClient; readonly scope: Scope },
): Promise<{ readonly kind: 'done'; readonly head: LiveListHead | null } | { readonly kind: 'open' }> {
  const head = await findList(reader, scope, target.name);
  if (write.kind === 'delete-list') {
    return head === null ? { kind: 'done', head } : { kind: 'open' };
  }
  if (head === null) {
    return { kind: 'open' };
  }
  switch (write.kind) {
    case 'create-list':
      // The name is taken by one list only, and this one is what was asked for, still empty: whoever made it, it serves.
      return head.kind === write.target.holds &&
        head.itemCount === 0 &&
        head.description === write.description
        ? { kind: 'done', head }
        : { kind: 'open' };
    case 'describe-list':
      return head.description === write.description ? { kind: 'done', head } : { kind: 'open' };
    default: {
      const live = await listListItems(reader, scope.accountId, head);
      const isDone = write.kind === 'remove-items' ? areGone(write.items, live) : isReplaced(write, live);
      return isDone ? { kind: 'done', head } : { kind: 'open' };
    }
  }
}

function areGone(items: readonly LiveListItem[], live: readonly LiveListItem[]): boolean {
  const ids = new Set(live.map(({ id }) => id));
  return items.every(({ id }) => !ids.has(id));
}

/** Whether live has all that a write puts there, and nothing of what it takes away. */
function isReplaced(
  write: Extract<ListWrite, { readonly kind: 'add-items' | 'replace-items' }>,
  live: readonly LiveListItem[],
): boolean {
  const byKey = new Map(live.map(({ item }) => [listItemKey(item), item]));
  const isThere = (item: ListItem): boolean => {
    const found = byKey.get(listItemKey(item));
    return found !== undefined && isItemAsWanted(item, found);
  };
  return write.items.every(isThere) && (write.kind === 'add-items' || areGone(write.remove, live));
}

function failureOfWrite(
  result: Exclude<ListWriteResult, { readonly kind: 'landed' | 'moved' }>,
): ObjectWritten<never> {
  switch (result.kind) {
    case 'interrupted':
      return result;
    case 'failed':
      return failureOf(result.error);
    case 'unknown':
      return inDoubt(result.error, UNREAD);
    default:
      return {
        kind: 'failed',
        code: 'apply/in-doubt',
        message: `the service took the items and has not carried the change out: ${result.reason}`,
        hint: IN_DOUBT_HINT,
        effect: { kind: 'in-doubt' },
      };
  }
}

/** Whether a list has not changed from one reading to the next. */
function isSameState(now: LiveListHead | null, before: LiveListHead | undefined): boolean {
  return (
    now?.id === before?.id && now?.itemCount === before?.itemCount && now?.modifiedOn === before?.modifiedOn
  );
}

/** Returns the failure of an operation that the service ended: it may have carried out a part, which the list shows. */
function failureOfOperation(reason: string, isUntouched: boolean): ObjectWritten<never> {
  const message = `the service took the items and did not carry the change out: ${reason}`;
  return isUntouched
    ? { kind: 'failed', code: 'api/refused', message, effect: NO_EFFECT }
    : {
        kind: 'failed',
        code: 'apply/in-doubt',
        message: `${message}. The list is not as it was: a part may have been carried out`,
        hint: IN_DOUBT_HINT,
        effect: { kind: 'in-doubt' },
      };
}

/** Checks after the last write that the list has as many items as it should; another number is somebody else's doing in between. */
async function finished(
  step: ListStep,
  now: ListNow | null,
  { run, done }: { readonly run: ObjectRun; readonly done: number },
): Promise<Outcome> {
  const { base, items, operation, target } = step;
  const outcome = { kind: 'done', step: step.id, version: null, writes: done } as const;
  if (operation === 'delete' || now === null) {
    return outcome;
  }
  const head = await findList(insisting(run.access.client), run.scope, target.name);
  const expected = (base.kind === 'list' ? base.items : 0) + items.add.length - items.remove.length;
  return head !== null && head.id === now.head.id && head.itemCount === expected
    ? outcome
    : {
        kind: 'conflict',
        step: step.id,
        message: `everything was written, and then the list ${head === null ? 'was gone' : `had ${counted(head.itemCount, 'item')} instead of ${expected}`}: somebody else changed it at the same time`,
        hint: 'plan again: the plan shows what is different',
        writes: done,
        allLanded: true,
      };
}
