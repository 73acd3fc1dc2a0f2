import type { WriteClient } from '../../api/client.ts';
import type { Clock } from '../../network/clock.ts';
import { getEntrypoint } from '../../api/rulesets.ts';
import { getWafMigrationStatus } from '../../api/waf-migration.ts';
import type { Journal, JournalStep } from '../../apply/journal/journal-entry.ts';
import { recordDone } from '../../apply/journal/journal-entry.ts';
import { isAtBase } from '../../model/base.ts';
import { insisting } from '../../apply/base/look-up.ts';
import { plainJson } from '../../model/json.ts';
import type { Base } from '../../model/base.ts';
import type { LiveRuleset } from '../../model/ruleset.ts';
import type { Scope } from '../../model/scope.ts';
import type { WafOutcome, WafStatus, WafStepResult } from '../../model/waf-migration.ts';
import { MANAGED_PHASE } from '../../model/waf-migration.ts';
import type { Expectation } from '../../plan/requests/expect.ts';
import { describeDeviation, deviations } from '../../plan/requests/expect.ts';
import type { OnEvent } from '../run/events.ts';
import { openRun } from '../run/open-run.ts';
import { withService } from '../service/open-service.ts';
import { openWriting } from '../service/open-writing.ts';
import type { ServiceOptions } from '../service/service-options.ts';
import { baseOf, differencesTo, expectationOf } from './rules-sent.ts';
import { END_STATES, QUERY_VALUES, sendStep } from './send-step.ts';
import { writeSnapshot } from './snapshot.ts';
import type { WafStepOrder } from './step.ts';
import { statusNow } from './step.ts';
import { awaitState } from './wait.ts';

/** How to execute a step. */
export interface ExecuteOptions {
  readonly options: ServiceOptions;
  /** The folder of the project, where the snapshot goes. */
  readonly folder: string;
  /** Path of the journal. */
  readonly journal: string;
  /** Digest of the plan that was shown. */
  readonly digest: string;
  /** The state that was read before the user was asked to confirm. */
  readonly before: WafStatus;
  /** `running`: an earlier run executed the step, and this run only waits for it. */
  readonly mode: 'ready' | 'running';
}

/** The context of the functions in this file. */
interface Context extends WafStepOrder, ExecuteOptions {
  readonly clock: Clock;
  readonly client: WriteClient;
  readonly scope: Scope;
  readonly report: OnEvent;
}

/**
 * Executes a step of the migration: reads the state and the base again, writes a snapshot, then sends one PUT, without retry. After
 * an error, reads the state to learn whether the step took effect. A finish waits until the service reports completion; an abort
 * ends the wait, not the migration.
 */
export async function executeStep(
  order: WafStepOrder,
  execution: ExecuteOptions,
  report: OnEvent,
): Promise<WafStepResult> {
  return withService({ options: execution.options, open: openWriting, report }, async (service) => {
    const client = service.client(order.plan.tokenEnv);
    const { clock } = execution.options;
    const context: Context = { ...order, ...execution, clock, client, scope: order.plan.scope, report };
    if (execution.mode === 'running') {
      const outcome = await complete(context, null);
      return resultOf(context, outcome, null);
    }
    const journal = await openRun(execution.journal, execution.options);
    try {
      return await write(context, { journal, identity: service.identity });
    } finally {
      await journal.close();
    }
  });
}

async function write(
  context: Context,
  { journal, identity }: { readonly journal: Journal; readonly identity: string },
): Promise<WafStepResult> {
  const { client, scope, before, clock, folder, options, report } = context;
  const now = await getWafMigrationStatus(client, scope.id);
  if (now.state !== before.state) {
    return resultOf(context, stale(`the state was ${before.state} and is ${now.state} now`, context), null);
  }
  const live = await getEntrypoint(client, scope, MANAGED_PHASE);
  const base = baseOf(context.plan);
  if (base !== null && !isAtBase(live, base)) {
    return resultOf(context, stale('the managed rules changed since they were planned', context), null);
  }
  const expected = expectationOf(context.plan, live);
  const snapshot = await writeSnapshot(client, scope, { folder, now: clock.now() });
  options.signal?.throwIfAborted();
  const journaled = journaledStep(context, live, base);
  const { step } = journaled;
  await journal.record({
    kind: 'run',
    purpose: 'waf',
    plan: context.digest,
    service: identity,
    steps: [journaled],
  });
  await journal.record({
    kind: 'intent',
    step,
    write: { waf_migration: QUERY_VALUES[context.step] },
    base: plainJson(base),
  });
  const sent = await sendStep(context, expected);
  // The migration cannot be undone: the run goes on and waits for the result even if the journal cannot be written.
  await recordDone(
    journal,
    sent.kind === 'failed'
      ? {
          kind: 'failed',
          step,
          message: sent.outcome.message,
          landed: false,
          ...(sent.outcome.kind === 'in-doubt' ? { inDoubt: true } : {}),
        }
      : { kind: 'landed', step, version: sent.ruleset?.version ?? null },
    report,
  );
  const outcome =
    sent.kind === 'failed' ? sent.outcome : await complete(context, { expected, ruleset: sent.ruleset });
  await recordDone(journal, { kind: 'end', result: outcome.kind }, report);
  return resultOf(context, outcome, snapshot);
}

/** Returns the step as the journal names it at the head of the run. */
function journaledStep({ scope, plan }: Context, live: LiveRuleset | null, base: Base | null): JournalStep {
  const name = live?.name ?? 'default';
  return {
    step: `zone:${scope.name}/${MANAGED_PHASE}`,
    scope,
    target: { kind: 'ruleset', level: 'zone', phase: MANAGED_PHASE, name },
    base: base ?? { kind: 'absent' },
    writes: 1,
    tokenEnv: plan.tokenEnv,
  };
}

interface SentRules {
  readonly expected: Expectation;
  readonly ruleset: LiveRuleset | null;
}

/** Waits for the end state of the step, and compares the rules with those that were sent. */
async function complete(context: Context, written: SentRules | null): Promise<WafOutcome> {
  const { scope, step, clock, report, options } = context;
  const client = insisting(context.client);
  const arrived = await awaitState(END_STATES[step], {
    scope,
    clock,
    report,
    signal: options.signal,
    read: () => getWafMigrationStatus(client, scope.id),
  });
  if (arrived.kind === 'waiting') {
    return {
      kind: 'waiting',
      message: `${arrived.reason}; the service continues the migration`,
      hint: `rulewright waf ${step} ${scope.name} waits again, rulewright waf status ${scope.name} looks once`,
    };
  }
  const wrong =
    written === null
      ? []
      : written.ruleset === null
        ? await differencesTo(client, scope, written.expected)
        : deviations(written.expected, written.ruleset).map(describeDeviation);
  if (wrong.length > 0) {
    return {
      kind: 'wrong',
      code: 'waf/other-rules',
      message: `the step was taken, but the managed rules are not those that were sent: ${wrong.join('; ')}`,
      hint: `rulewright plan --target ${scope.name}/${MANAGED_PHASE} shows the difference`,
    };
  }
  return {
    kind: 'done',
    message:
      step === 'finish'
        ? 'the new managed rules are on, the previous WAF is off'
        : 'both versions are on, the new managed rules first',
  };
}

function stale(message: string, { scope }: Context): WafOutcome {
  const hint = `nothing was written. Run rulewright waf status ${scope.name}, then this command again`;
  return { kind: 'refused', code: 'waf/stale', message, hint };
}

async function resultOf(
  context: Context,
  outcome: WafOutcome,
  snapshot: string | null,
): Promise<WafStepResult> {
  const { step, scope, before } = context;
  const after = await statusNow(insisting(context.client), scope);
  return { step, scope, before, after, snapshot, outcome };
}
