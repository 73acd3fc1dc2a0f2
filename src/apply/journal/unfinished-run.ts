import type { ReadClient } from '../../api/index.ts';
import { knownError, isAtBase } from '../../model/index.ts';
import type { ObjectStep, UnfinishedRun, UnfinishedStep } from '../../model/index.ts';
import { lookUp, readBase } from '../base/look-up.ts';
import { checkObjects, isObjectDone } from '../objects/apply-objects.ts';
import { readHistory } from '../write/concurrent-edits.ts';
import type { InFlight, RecordedRun, RecordedStep } from './read-journal.ts';
import type { RecordedObject } from './recorded-objects.ts';

/** How long a write may take to show in live after it was sent, in milliseconds: as long as a run waits for its answer. */
const SETTLES_WITHIN_MS = 60_000;

/** Returns for how many milliseconds writes of an unfinished run may still take effect; 0 when none may. */
export function stillLanding(
  { steps, objects }: Pick<RecordedRun, 'steps' | 'objects'>,
  now: number,
): number {
  const sent = [...steps.map(({ inFlight }) => inFlight?.at ?? null), ...objects.map(({ sentAt }) => sentAt)];
  return Math.max(0, ...sent.map((at) => (at === null ? 0 : remainingSettleMs({ at }, now))));
}

function remainingSettleMs({ at }: Pick<InFlight, 'at'>, now: number): number {
  // The journal may come from a machine whose clock is ahead.
  return Math.min(Math.max(0, at + SETTLES_WITHIN_MS - now), SETTLES_WITHIN_MS);
}

/**
 * Describes what an unfinished run did and did not do, from its journal and from live. A write that was in hand when the run crashed had no effect if
 * live is at its base (in doubt if it was sent just before `now` and may still land), and landed if live or an earlier version is what it would have
 * made. Anything else may be somebody else's work, and the step's state is then unknown.
 */
export async function describeUnfinished(
  run: RecordedRun,
  clientFor: ClientFor,
  now: number,
): Promise<UnfinishedRun> {
  const steps: UnfinishedStep[] = [];
  for (const object of run.objects) {
    steps.push(await describeObject(object, clientFor, now));
  }
  for (const step of run.steps) {
    steps.push(await describeStep(step, clientFor, now));
  }
  const { at, plan, purpose } = run;
  return { at, plan, purpose, steps };
}

/** Returns the client for the environment variable that the run took a scope's token from. Throws when the variable is not set. */
type ClientFor = (tokenEnv: string | undefined) => ReadClient;

async function describeStep(
  recorded: RecordedStep,
  clientFor: ClientFor,
  now: number,
): Promise<UnfinishedStep> {
  const { step, writes, inFlight } = recorded;
  const seen = inFlight === null ? 'none' : await knownFate(recorded, inFlight, clientFor);
  const fate =
    inFlight !== null && seen === 'none' && remainingSettleMs(inFlight, now) > 0 ? 'in-doubt' : seen;
  // A step deletes the ruleset it created only to undo the creation.
  const isBack = recorded.base.kind === 'absent' && inFlight?.write?.kind === 'delete-ruleset';
  const landed = fate !== 'landed' ? recorded.landed : isBack ? 0 : recorded.landed + 1;
  const state = landed === 0 ? 'not-begun' : landed < writes ? 'partly' : 'done';
  // The journal also counts writes that brought rules of others back, which are not writes of the plan.
  return {
    step,
    landed: Math.min(landed, writes),
    writes,
    state: fate === 'unknown' || fate === 'in-doubt' ? fate : state,
  };
}

/**
 * Describes a step on a list or a setting. These have no versions: live shows it as done, or is what the step was planned from, and else only the
 * journal tells how far it got.
 */
async function describeObject(
  recorded: RecordedObject,
  clientFor: ClientFor,
  now: number,
): Promise<UnfinishedStep> {
  const { step, writes, landed, saved, sentAt } = recorded;
  const told = { step, landed: Math.min(landed, writes), writes } as const;
  if (saved === null) {
    return { ...told, state: sentAt === null ? byCount(landed, writes) : 'unknown' };
  }
  const seen = await objectFate(saved, recorded, clientFor);
  switch (seen) {
    case 'done':
      return { ...told, landed: writes, state: 'done' };
    case 'unread':
      return { ...told, state: sentAt === null ? byCount(landed, writes) : 'unknown' };
    default:
      return sentAt === null
        ? { ...told, state: byCount(landed, writes) }
        : remainingSettleMs({ at: sentAt }, now) > 0
          ? { ...told, state: 'in-doubt' }
          : { ...told, state: seen === 'at-base' ? 'not-begun' : 'unknown' };
  }
}

function byCount(landed: number, writes: number): 'not-begun' | 'partly' | 'done' {
  return landed === 0 ? 'not-begun' : landed < writes ? 'partly' : 'done';
}

/** Looks a step on an object up in live; stops no run where that cannot be read. */
async function objectFate(
  saved: ObjectStep,
  { scope, tokenEnv }: RecordedObject,
  clientFor: ClientFor,
): Promise<'done' | 'at-base' | 'other' | 'unread'> {
  try {
    const client = clientFor(tokenEnv);
    if (await isObjectDone(saved, { client, scope })) {
      return 'done';
    }
    const [moved] = await checkObjects([{ objects: [saved], client, scope }], 1);
    return moved === undefined ? 'at-base' : moved.kind === 'failed' ? 'unread' : 'other';
  } catch (error) {
    knownError(error);
    return 'unread';
  }
}

type Fate = 'none' | 'landed' | 'unknown';

/** Finds out the fate of the write in hand; unknown when live cannot be read, for example because the token no longer exists. Stops no run. */
async function knownFate(recorded: RecordedStep, inFlight: InFlight, clientFor: ClientFor): Promise<Fate> {
  try {
    return await fateOf(recorded, inFlight, clientFor(recorded.tokenEnv));
  } catch (error) {
    knownError(error);
    return 'unknown';
  }
}

async function fateOf(
  { scope, target }: RecordedStep,
  inFlight: InFlight,
  client: ReadClient,
): Promise<Fate> {
  const { write, base } = inFlight;
  if (base === null) {
    return 'unknown';
  }
  const now = await lookUp(client, scope, target, base);
  if (isAtBase(now, base)) {
    return 'none';
  }
  if (write === null) {
    return 'unknown';
  }
  if (write.kind === 'delete-ruleset') {
    return now === null ? 'landed' : 'none';
  }
  const before = await readBase(client, scope, base);
  if (now === null || (before === null && base.kind === 'version')) {
    return 'unknown';
  }
  const { ours } = await readHistory({ client, scope, write, made: null, before, staying: [], now });
  return ours === null ? 'unknown' : 'landed';
}
