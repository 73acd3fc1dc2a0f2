import type { ReadClient } from '../../api/client.ts';
import { knownError } from '../../model/error.ts';
import type { UnfinishedRun, UnfinishedStep } from '../../model/unfinished-run.ts';
import { isAtBase } from '../../model/base.ts';
import { lookUp, readBase } from '../base/look-up.ts';
import { readHistory } from '../base/foreign-writes.ts';
import type { InHand, RecordedRun, RecordedStep } from './read-journal.ts';

/** How long a write that was sent may take to show in live: as long as a run waits for its answer. */
const LANDS_WITHIN_MS = 60_000;

/** For how long writes of a run that did not end may still take effect, in milliseconds; 0 when none may. */
export function stillLanding({ steps }: Pick<RecordedRun, 'steps'>, now: number): number {
  return Math.max(0, ...steps.map(({ inHand }) => (inHand === null ? 0 : landingTime(inHand, now))));
}

function landingTime({ at }: InHand, now: number): number {
  // The journal may be of a machine whose clock is ahead.
  return Math.min(Math.max(0, at + LANDS_WITHIN_MS - now), LANDS_WITHIN_MS);
}

/**
 * What a run that did not end had done and not done, from its journal and from live. A write that was in
 * hand when it crashed is looked for: live at its base says that it did nothing, unless it was sent just before `now` and may still be on
 * its way; a version that it would have made says that it landed. Anything else may be the work of somebody else, and is not claimed.
 */
export async function describeUnfinished(
  run: RecordedRun,
  clientFor: ClientFor,
  now: number,
): Promise<UnfinishedRun> {
  const steps: UnfinishedStep[] = [];
  for (const step of run.steps) {
    steps.push(await describeStep(step, clientFor, now));
  }
  const { at, plan, purpose } = run;
  return { at, plan, purpose, steps };
}

/** The client for a scope, by the environment variable that the run took its token from. Throws where that is not set. */
type ClientFor = (tokenEnv: string | undefined) => ReadClient;

async function describeStep(
  recorded: RecordedStep,
  clientFor: ClientFor,
  now: number,
): Promise<UnfinishedStep> {
  const { step, writes, inHand } = recorded;
  const seen = inHand === null ? 'none' : await knownFate(recorded, inHand, clientFor);
  const fate = inHand !== null && seen === 'none' && landingTime(inHand, now) > 0 ? 'in-doubt' : seen;
  // What the step itself made it only deletes to take it back.
  const isBack = recorded.base.kind === 'absent' && inHand?.write?.kind === 'delete-ruleset';
  const landed = fate !== 'landed' ? recorded.landed : isBack ? 0 : recorded.landed + 1;
  const state = landed === 0 ? 'not-begun' : landed < writes ? 'partly' : 'done';
  // What brought rules of others back is in the journal too, and no write of the plan.
  return {
    step,
    landed: Math.min(landed, writes),
    writes,
    state: fate === 'unknown' || fate === 'in-doubt' ? fate : state,
  };
}

type Fate = 'none' | 'landed' | 'unknown';

/** What cannot be looked at, as with a token that there is no more, is not known; no run has to stop for it. */
async function knownFate(recorded: RecordedStep, inHand: InHand, clientFor: ClientFor): Promise<Fate> {
  try {
    return await fateOf(recorded, inHand, clientFor(recorded.tokenEnv));
  } catch (error) {
    knownError(error);
    return 'unknown';
  }
}

async function fateOf({ scope, target }: RecordedStep, inHand: InHand, client: ReadClient): Promise<Fate> {
  const { write, base } = inHand;
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
