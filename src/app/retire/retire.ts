import { openReadClient } from '../../api/index.ts';
import type { Closable, ReadClient, ConnectionOptions } from '../../api/index.ts';
import type { WriteAccess, UnfinishedRetirement } from '../../apply/index.ts';
import {
  settleRun,
  readUnfinishedRetirement,
  NO_JOURNAL,
  recordDone,
  retireObjects,
} from '../../apply/index.ts';
import type { RetirementResult } from '../../migrate/index.ts';
import { guardRetirement, refusals } from '../../plan/index.ts';
import type { AllowedKinds, GuardFinding, RetirementPlan, Scope } from '../../model/index.ts';
import { retirementDigest } from '../../model/index.ts';
import { keptPath } from '../run/kept-path.ts';
import type { RunTime } from '../run/time.ts';
import { openRun } from '../run/open-run.ts';
import { resultKind } from '../run/result-kind.ts';
import type { OnEvent } from '../run/events.ts';
import { withService } from '../service/open-service.ts';
import { openWriting } from '../service/open-writing.ts';
import type { Reached } from '../service/reach-scope.ts';
import type { ApplyResult } from '../run/results.ts';
import type { ServiceOptions } from '../service/service-options.ts';
import type { JournalChoice } from '../run/journal-choice.ts';
import type { ZoneChoice } from '../service/with-scope.ts';
import { readingZone } from '../service/with-scope.ts';

export type { RetirementResult } from '../../migrate/index.ts';

/** Plans a retirement with a client that can only read, and applies the guards; `read` makes the plan. */
export async function planRetirement(
  choice: ZoneChoice,
  service: { readonly options: ServiceOptions; readonly report: OnEvent },
  read: (zone: Reached<ReadClient>, baseUrl: string) => Promise<RetirementResult>,
): Promise<RetirementResult> {
  const { safety, today } = choice.guards;
  const result = await readingZone(choice, service, read);
  return result.kind === 'planned'
    ? { ...result, plan: guardRetirement(result.plan, safety, today) }
    : result;
}

/** The retirement to carry out, and how. */
export interface RetireOptions {
  readonly plan: RetirementPlan;
  readonly service: ServiceOptions;
  readonly dryRun: boolean;
  readonly allow: AllowedKinds;
  /** Path of the journal. */
  readonly journal: string;
  /** Saves what the journal does not, before the first deletion; returns the path. */
  readonly snapshot?: ((client: ReadClient, scope: Scope) => Promise<string>) | undefined;
}

/** What happened to the old objects, and how the run ended. */
export interface RetireResult extends Pick<ApplyResult, 'kind' | 'outcomes'> {
  /** Path of the snapshot, if one was asked for and written. */
  readonly snapshot?: string;
}

/** Returns the path of the journal of retirements: the file that was asked for, or the one of the project. */
export function retirementJournal({ journal, cwd }: JournalChoice): string {
  return journal ?? keptPath(cwd, 'retirements');
}

/** Returns the last retirement of the journal if it has no end; null if it has one, or was for another service. */
export async function unfinishedRetirement(
  journal: string,
  { baseUrl }: RetirementPlan,
): Promise<UnfinishedRetirement | null> {
  const run = await readUnfinishedRetirement(journal);
  return run?.service === baseUrl ? run : null;
}

/** Records an end for an unfinished retirement, once nothing is left to delete. Throws `apply/journal`. */
export function settleRetirement(
  journal: string,
  { run }: UnfinishedRetirement,
  { clock }: Pick<RunTime, 'clock'>,
): Promise<void> {
  return settleRun(journal, { now: () => clock.now(), run });
}

/** Returns the guard findings that stop a retirement until their kind is allowed. */
export function retireRefusals({ findings }: RetirementPlan, allow: AllowedKinds): readonly GuardFinding[] {
  return refusals(findings, { kinds: allow });
}

/** Carries a retirement out, or in a dry run takes the same path with a client that cannot write. */
export async function retire(options: RetireOptions, report: OnEvent): Promise<RetireResult> {
  const { plan, dryRun, allow } = options;
  if (plan.steps.length === 0) {
    return { kind: 'nothing-to-do', outcomes: [] };
  }
  if (retireRefusals(plan, allow).length > 0) {
    const reason = 'a guard refused the plan';
    const outcomes = plan.steps.map(({ id }) => ({ kind: 'not-reached' as const, step: id, reason }));
    return { kind: 'refused', outcomes };
  }
  return withService(
    { options: options.service, open: dryRun ? openLooking : openDeleting, report },
    async (service) => {
      const access = service.client(plan.tokenEnv);
      const journal = dryRun ? NO_JOURNAL : await openRun(options.journal, options.service);
      try {
        const snapshot =
          dryRun || options.snapshot === undefined
            ? {}
            : { snapshot: await options.snapshot(access.client, plan.scope) };
        options.service.signal?.throwIfAborted();
        await journal.record({
          kind: 'run',
          purpose: 'retire',
          plan: retirementDigest(plan),
          service: plan.baseUrl,
          steps: [],
        });
        let done = 0;
        const outcomes = await retireObjects({
          plan,
          access,
          journal,
          signal: options.service.signal,
          report: (event) => {
            done += event.kind === 'step-ended' ? 1 : 0;
            report(event.kind === 'step-ended' ? { ...event, done, total: plan.steps.length } : event);
          },
        });
        const kind = resultKind({ outcomes });
        await recordDone(journal, { kind: 'end', result: kind }, report);
        return { kind, outcomes, ...snapshot };
      } finally {
        await journal.close();
      }
    },
  );
}

function openLooking(connection: ConnectionOptions): WriteAccess & Closable {
  const client = openReadClient(connection);
  return { kind: 'dry-run', client, close: () => client.close() };
}

function openDeleting(connection: ConnectionOptions): WriteAccess & Closable {
  const client = openWriting(connection);
  return { kind: 'write', client, close: () => client.close() };
}
