import { join } from 'node:path';
import pLimit from 'p-limit';
import type { ReadClient, WriteClient } from '../api/client.ts';
import { openReadClient, openWriteClient } from '../api/client.ts';
import { systemClock } from '../api/clock.ts';
import { applyScope } from '../apply/apply-scope.ts';
import type { Access, ApplyEvent } from '../apply/context.ts';
import type { Journal } from '../apply/journal.ts';
import { NO_JOURNAL, openJournal } from '../apply/journal.ts';
import { RulewrightError } from '../model/error.ts';
import type { Outcome } from '../model/outcome.ts';
import type { GuardFinding, GuardKind, Plan } from '../model/plan.ts';
import { refusals } from '../plan/guard/guard-scope.ts';
import { allSteps } from '../plan/summarise.ts';
import type { WriteStrategy } from '../plan/writes.ts';
import type { Report } from './events.ts';
import type { Service } from './open-service.ts';
import { openService } from './open-service.ts';
import type { ApplyResult } from './results.ts';
import type { ServiceOptions } from './service-options.ts';

/** What to carry out, and how. */
export interface ApplyOptions {
  readonly plan: Plan;
  readonly service: ServiceOptions;
  readonly writes: WriteStrategy;
  readonly dryRun: boolean;
  readonly allow: readonly (GuardKind | 'all')[];
  /** Path of the journal file; null: `.rulewright/journal.jsonl` below `cwd`. */
  readonly journal: string | null;
  readonly cwd: string;
}

/** Guard findings that stop a plan until their kind is allowed. */
export function refusalsOf(plan: Plan, allow: readonly (GuardKind | 'all')[]): readonly GuardFinding[] {
  return refusals(plan.scopes, allow);
}

/**
 * Carries out a plan. Checks first that it was made for this service and that no guard stands against
 * it; then scopes run side by side, the steps of each in order. What happened is in the outcomes.
 */
export async function apply(options: ApplyOptions, report: Report): Promise<ApplyResult> {
  const steps = allSteps(options.plan.scopes);
  const failedScopes = options.plan.scopes.some((scope) => scope.kind === 'failed');
  if (steps.length === 0) {
    return { kind: failedScopes ? 'failed' : 'nothing-to-do', outcomes: [], requests: 0 };
  }
  if (refusalsOf(options.plan, options.allow).length > 0) {
    const reason = 'a guard refused the plan';
    const outcomes = steps.map((step): Outcome => ({ kind: 'not-reached', step: step.id, reason }));
    return { kind: 'refused', outcomes, requests: 0 };
  }
  const { outcomes, requests } = options.dryRun
    ? await lookOnly(options, report)
    : await write(options, report);
  return { kind: resultKind(outcomes, failedScopes), outcomes, requests };
}

/** The outcomes of a run, in the order of the plan, and the requests that it took. */
interface Run {
  readonly outcomes: readonly Outcome[];
  readonly requests: number;
}

/** A dry run: the same path with clients that cannot write. */
async function lookOnly(options: ApplyOptions, report: Report): Promise<Run> {
  const service = await openService(options.service, openReadClient, report);
  try {
    requireSameService(options.plan, service.identity);
    const access = (client: ReadClient): Access => ({ kind: 'dry-run', client });
    const outcomes = await carryOut(options, { service, access, journal: NO_JOURNAL, report });
    return { outcomes, requests: service.requests() };
  } finally {
    await service.close();
  }
}

async function write(options: ApplyOptions, report: Report): Promise<Run> {
  const service = await openService(options.service, openWriteClient, report);
  try {
    requireSameService(options.plan, service.identity);
    const path = options.journal ?? join(options.cwd, '.rulewright', 'journal.jsonl');
    const journal = await openJournal(path, () => systemClock.now());
    try {
      const access = (client: WriteClient): Access => ({ kind: 'write', client });
      const outcomes = await carryOut(options, { service, access, journal, report });
      return { outcomes, requests: service.requests() };
    } finally {
      await journal.close();
    }
  } finally {
    await service.close();
  }
}

interface Means<Client> {
  readonly service: Service<Client>;
  readonly access: (client: Client) => Access;
  readonly journal: Journal;
  readonly report: Report;
}

async function carryOut<Client>(
  { plan, service: { concurrency, signal }, writes }: ApplyOptions,
  { service, access, journal, report }: Means<Client>,
): Promise<readonly Outcome[]> {
  const limit = pLimit(concurrency);
  const total = allSteps(plan.scopes).length;
  let done = 0;
  const tell = (event: ApplyEvent): void => {
    if (event.kind === 'step-started') {
      report(event);
    } else {
      done += 1;
      report({ ...event, done, total });
    }
  };
  const planned = plan.scopes.filter((scope) => scope.kind === 'planned' && scope.steps.length > 0);
  const outcomes = await Promise.all(
    planned.map((scope) =>
      limit(() =>
        scope.kind === 'failed'
          ? []
          : applyScope(scope, {
              scope: scope.scope,
              access: access(service.client(scope.tokenEnv)),
              strategy: writes,
              journal,
              report: tell,
              signal,
              created: new Map(),
            }),
      ),
    ),
  );
  return outcomes.flat();
}

/** A plan holds for the service it was made from; on another one its ids and versions mean nothing. */
function requireSameService(plan: Plan, identity: string): void {
  if (plan.baseUrl !== identity) {
    throw new RulewrightError(`the plan was made for ${plan.baseUrl}, this run talks to ${identity}`, {
      code: 'apply/other-service',
      fault: 'user',
      hint: 'plan again against this service, or give the base URL of the plan',
    });
  }
}

function resultKind(outcomes: readonly Outcome[], failedScopes: boolean): ApplyResult['kind'] {
  const undone = outcomes.filter((outcome) => outcome.kind !== 'done' && outcome.kind !== 'skipped');
  if (undone.length === 0 && !failedScopes) {
    return 'done';
  }
  if (outcomes.some((outcome) => 'writes' in outcome && outcome.writes > 0)) {
    return 'partial';
  }
  const refusedOnly =
    !failedScopes && undone.every((outcome) => outcome.kind === 'refused' || outcome.kind === 'not-reached');
  return refusedOnly ? 'refused' : 'failed';
}
