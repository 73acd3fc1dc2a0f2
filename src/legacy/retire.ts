import { openReadClient } from '../api/index.ts';
import type { Closable, ReadClient, ConnectionOptions } from '../api/index.ts';
import type { WriteAccess } from '../apply/index.ts';
import { settleRun, NO_JOURNAL, recordDone, lastRunIn, timeOf } from '../apply/index.ts';
import { refusals, matchesAny, otherAccount, withoutAllowed } from '../plan/index.ts';
import type { AllowedKinds, GuardFinding, Scope, Safety } from '../model/index.ts';
import { keptPath, openRun, resultKind, withService, openWriting, readingZone } from '../app/index.ts';
import type {
  RunTime,
  OnEvent,
  Reached,
  ApplyResult,
  ServiceOptions,
  JournalChoice,
  ZoneChoice,
} from '../app/index.ts';
import type { JsonObject } from '../data/index.ts';
import { isJsonObject, textOf } from '../data/index.ts';
import type { RetirementResult, RetirementPlan, RetireStep } from './retirement-plan.ts';
import { retirementDigest, OLD_OBJECT_KINDS } from './retirement-plan.ts';
import { retireObjects } from './retire-objects.ts';

/** A retirement without an end in its journal: it crashed, or is still running. */
interface UnfinishedRetirement {
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

/**
 * Runs the guards of a project on the plan of a retirement: they find old objects whose own `ref`, or that of the rule replacing them, is
 * protected, and a zone of another account. What the files allow is left out. `today` is `YYYY-MM-DD`, for allowances that end.
 */
function guardRetirement(plan: RetirementPlan, safety: Safety, today: string): RetirementPlan {
  const findings = [
    ...otherAccount(plan, safety),
    ...plan.findings,
    ...plan.steps.flatMap((step) => protectedObject(step, safety)),
  ];
  return { ...plan, findings: withoutAllowed(findings, safety, today) };
}

function protectedObject(step: RetireStep, { protect }: Safety): readonly GuardFinding[] {
  const rule = refsOf(step).find((ref) => matchesAny(protect, ref));
  return rule === undefined
    ? []
    : [
        {
          kind: 'protected',
          effect: 'refuse',
          step: step.id,
          rule,
          message: `${step.id}: ${rule} is protected and would be deleted`,
        },
      ];
}

function refsOf({ before, replacedBy }: RetireStep): readonly string[] {
  return [before['ref'], replacedBy].flatMap((ref) => (typeof ref === 'string' && ref !== '' ? [ref] : []));
}

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
