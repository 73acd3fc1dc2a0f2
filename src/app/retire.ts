import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { openReadClient, openWriteClient } from '../api/client.ts';
import type { Closable, ReadClient } from '../api/client.ts';
import type { ConnectionOptions } from '../api/connection.ts';
import { systemClock } from '../api/clock.ts';
import type { Access } from '../apply/context.ts';
import { NO_JOURNAL, openJournal } from '../apply/journal.ts';
import { retireObjects } from '../apply/retire-objects.ts';
import type { RetirementResult } from '../migrate/retire-plan.ts';
import type { GuardFinding, GuardKind } from '../model/plan.ts';
import type { RetirementPlan } from '../model/retirement.ts';
import { retirementDigest } from '../model/retirement.ts';
import { resultKind } from './apply.ts';
import type { Report } from './events.ts';
import { openService } from './open-service.ts';
import type { ApplyResult } from './results.ts';
import type { ServiceOptions } from './service-options.ts';
import type { ZoneChoice } from './zone-choice.ts';

export type { RetirementResult } from '../migrate/retire-plan.ts';

/** Makes a plan with a client that can only read; `read` says of what. */
export async function planRetirement(
  { tokenEnv }: ZoneChoice,
  service: { readonly options: ServiceOptions; readonly report: Report },
  read: (client: ReadClient, baseUrl: string) => Promise<RetirementResult>,
): Promise<RetirementResult> {
  const opened = await openService(service.options, openReadClient, service.report);
  try {
    return await read(opened.client(tokenEnv), opened.identity);
  } finally {
    await opened.close();
  }
}

/** How a retirement is carried out. */
export interface RetireOptions {
  readonly plan: RetirementPlan;
  readonly service: ServiceOptions;
  readonly dryRun: boolean;
  readonly allow: readonly (GuardKind | 'all')[];
  /** Path of the journal file; null: `.rulewright/retired.jsonl` below `cwd`. */
  readonly journal: string | null;
  readonly cwd: string;
}

/** What happened to the old objects, and how the run ended. */
export type RetireResult = Pick<ApplyResult, 'kind' | 'outcomes'>;

/** Findings that stop a retirement until their kind is allowed. */
export function retireRefusals(
  { findings }: RetirementPlan,
  allow: readonly (GuardKind | 'all')[],
): readonly GuardFinding[] {
  return findings.filter(
    ({ kind, effect }) => effect === 'refuse' && !allow.includes(kind) && !allow.includes('all'),
  );
}

/** Carries a retirement out, or in a dry run takes the same path with a client that cannot write. */
export async function retire(options: RetireOptions, report: Report): Promise<RetireResult> {
  const { plan, dryRun, allow } = options;
  if (plan.steps.length === 0) {
    return { kind: 'nothing-to-do', outcomes: [] };
  }
  if (retireRefusals(plan, allow).length > 0) {
    const reason = 'a guard refused the plan';
    const outcomes = plan.steps.map(({ id }) => ({ kind: 'not-reached' as const, step: id, reason }));
    return { kind: 'refused', outcomes };
  }
  const service = await openService(options.service, dryRun ? openLooking : openWriting, report);
  try {
    const access = service.client(plan.tokenEnv);
    const journal = dryRun
      ? NO_JOURNAL
      : await openJournal(options.journal ?? join(options.cwd, '.rulewright', 'retired.jsonl'), {
          now: () => systemClock.now(),
          run: randomUUID(),
        });
    try {
      await journal.record({ kind: 'run', plan: retirementDigest(plan), service: plan.baseUrl, steps: [] });
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
      const kind = resultKind({ outcomes, rollback: null }, false);
      await journal.record({ kind: 'end', result: kind });
      return { kind, outcomes };
    } finally {
      await journal.close();
    }
  } finally {
    await service.close();
  }
}

function openLooking(connection: ConnectionOptions): Access & Closable {
  const client = openReadClient(connection);
  return { kind: 'dry-run', client, close: () => client.close() };
}

/** An interruption stops what waits, never a write in hand. */
function openWriting({ signal, ...connection }: ConnectionOptions): Access & Closable {
  const client = openWriteClient({ ...connection, ...(signal === undefined ? {} : { interrupt: signal }) });
  return { kind: 'write', client, close: () => client.close() };
}
