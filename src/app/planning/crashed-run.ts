import { openReadClient } from '../../api/index.ts';
import {
  settleRun,
  readLastRun,
  readNotPutBack,
  describeUnfinished,
  stillLanding,
} from '../../apply/index.ts';
import type { RecordedRun } from '../../apply/index.ts';
import type { NotPutBack, Plan, UnfinishedRun } from '../../model/index.ts';
import { plannedScopes } from '../../model/index.ts';
import { journalPath } from '../run/journal-choice.ts';
import type { JournalChoice } from '../run/journal-choice.ts';
import type { OnEvent } from '../run/events.ts';
import type { RunTime } from '../run/time.ts';
import { withService } from '../service/open-service.ts';
import type { ServiceOptions } from '../service/service-options.ts';

/** Returns the last run of the journal if it has no end; null if it has one, or there is no run. Throws `apply/journal`. */
export async function crashedRun(choice: JournalChoice): Promise<RecordedRun | null> {
  const run = await readLastRun(journalPath(choice));
  return run?.end === null ? run : null;
}

/**
 * Describes the last run of the journal if it has no end: what it had done and not done, by the journal and by live. Null if it
 * ended, there is none, or it was about another service.
 */
export async function unfinishedRun(
  choice: JournalChoice,
  options: ServiceOptions,
  report: OnEvent,
): Promise<UnfinishedRun | null> {
  const run = await crashedRun(choice);
  if (run === null) {
    return null;
  }
  const { clock } = options;
  return withService({ options, open: openReadClient, report }, (service) =>
    run.service === service.identity
      ? describeUnfinished(run, (tokenEnv) => service.client(tokenEnv), clock.now())
      : Promise.resolve(null),
  );
}

/** Returns the rulesets that the last run of the journal failed to put back after it had failed. Throws `apply/journal`. */
export async function notPutBack(
  choice: JournalChoice,
  options: ServiceOptions,
  report: OnEvent,
): Promise<readonly NotPutBack[]> {
  const left = await readNotPutBack(journalPath(choice));
  return left === null
    ? []
    : withService({ options, open: openReadClient, report }, ({ identity }) =>
        Promise.resolve(left.service === identity ? left.rulesets : []),
      );
}

/** Time between two checks for a write that may still take effect. */
const LOOK_EVERY_MS = 5_000;

/**
 * Waits until the writes that a crashed run had sent show in live, or can no longer take effect: a plan made earlier would not know
 * of them. `onWait` is called once, with the longest possible wait in milliseconds.
 */
export async function awaitSent(
  run: RecordedRun,
  options: ServiceOptions,
  { report, onWait }: { readonly report: OnEvent; readonly onWait: (ms: number) => void },
): Promise<void> {
  const { clock, signal } = options;
  const until = clock.now() + stillLanding(run, clock.now());
  if (until === clock.now()) {
    return;
  }
  await withService({ options, open: openReadClient, report }, async (service) => {
    const isInDoubt = async (): Promise<boolean> => {
      const { steps } = await describeUnfinished(run, (tokenEnv) => service.client(tokenEnv), clock.now());
      return steps.some(({ state }) => state === 'in-doubt');
    };
    if (run.service !== service.identity || !(await isInDoubt())) {
      return;
    }
    onWait(until - clock.now());
    do {
      await clock.sleep(Math.min(until - clock.now(), LOOK_EVERY_MS), signal);
    } while (clock.now() < until && (await isInDoubt()));
  });
}

/**
 * Records an end for the last run of the journal, once nothing of it is left to do. With `within`, a plan of some scopes of the
 * project, only if the run was about no other scopes.
 */
export async function settleUnfinished(
  choice: JournalChoice,
  { clock, within }: Pick<RunTime, 'clock'> & { readonly within?: Pick<Plan, 'scopes'> | undefined },
): Promise<void> {
  const run = await crashedRun(choice);
  if (run !== null && (within === undefined || isWithin(run, within))) {
    await settleRun(journalPath(choice), { now: () => clock.now(), run: run.run });
  }
}

function isWithin({ steps, objects }: RecordedRun, { scopes }: Pick<Plan, 'scopes'>): boolean {
  const planned = new Set(plannedScopes(scopes).map(({ scope }) => `${scope.kind}:${scope.id}`));
  return [...steps, ...objects].every(({ scope }) => planned.has(`${scope.kind}:${scope.id}`));
}
