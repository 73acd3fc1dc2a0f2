import type { WriteClient, ReadClient } from '../../api/index.ts';
import type { Clock } from '../../network/index.ts';
import { getEntrypoint, orElse, isUncertain, ServiceError } from '../../api/index.ts';
import type { Journal, JournalStep } from '../../apply/index.ts';
import { recordDone, insisting, mayComeLate, notingReceipts, receiptsIn } from '../../apply/index.ts';
import { isAtBase, contentToWire } from '../../model/index.ts';
import { plainJson } from '../../data/index.ts';
import type { Base, LiveRuleset, Scope, PlannedScope } from '../../model/index.ts';
import type { Expectation } from '../../plan/index.ts';
import { describeDeviation, deviations, expectAfter, writesOf } from '../../plan/index.ts';
import type { OnEvent, ServiceOptions } from '../../app/index.ts';
import { openRun, withService, openWriting } from '../../app/index.ts';
import type { MigrationConfiguration } from './waf-requests.ts';
import { getWafMigrationStatus, migrateWaf } from './waf-requests.ts';
import { MANAGED_PHASE } from './waf-migration.ts';
import type { WafOutcome, WafStatus, WafStepResult, WafStep } from './waf-migration.ts';
import { writeSnapshot } from './waf-readings.ts';
import type { WafStepOrder } from './waf-step.ts';
import { statusNow } from './waf-step.ts';

/** Values of the query parameter (specification 4.3 rule 1). */
const QUERY_VALUES = { validate: 'validation', finish: 'pending' } as const;

/** The state that a step ends in (specification 3.1). */
const END_STATES = { validate: 'validation', finish: 'complete' } as const;

/** What became of the PUT of a step. */
type Sent =
  | { readonly kind: 'landed'; readonly ruleset: LiveRuleset | null }
  | { readonly kind: 'failed'; readonly outcome: Failure };

type Failure = Extract<WafOutcome, { readonly code: string }>;

/** A step that is taken, the zone that it is for, and the state that was read before. */
interface StepToSend {
  readonly step: WafStep;
  readonly scope: Scope;
  readonly before: WafStatus;
  readonly client: WriteClient;
}

/** Sends the PUT of a step, once. After an error, reads the state to learn whether the step took effect. */
async function sendStep(sending: StepToSend, expected: Expectation): Promise<Sent> {
  const { client, scope, step } = sending;
  try {
    const configuration = configurationOf(expected);
    return {
      kind: 'landed',
      ruleset: await migrateWaf(client, scope.id, { step: QUERY_VALUES[step], configuration }),
    };
  } catch (error) {
    if (!(error instanceof ServiceError)) {
      throw error;
    }
    const now = await statusNow(insisting(client), scope);
    return now !== null && (await wasExecuted(sending, expected, now))
      ? { kind: 'landed', ruleset: null }
      : { kind: 'failed', outcome: failure(scope, error, now) };
  }
}

/**
 * After an error: whether the state, or the rules if the state has not changed, show that the step took effect. Also after a
 * refusal, because the service refuses a repeated request.
 */
async function wasExecuted(
  { client, scope, step, before }: StepToSend,
  expected: Expectation,
  now: WafStatus,
): Promise<boolean> {
  if (now.state !== before.state) {
    return now.state === END_STATES[step] || now.state === 'pending';
  }
  return (
    step === 'validate' &&
    now.state === 'validation' &&
    (await differencesTo(insisting(client), scope, expected)).length === 0
  );
}

function failure(scope: Scope, error: ServiceError, now: WafStatus | null): Failure {
  const { code, message, hint } = error;
  const unread = `its state cannot be read either: run rulewright waf status ${scope.name} before anything else`;
  if (isUncertain(error) && (now === null || mayComeLate(error))) {
    const late = `the service may still take it: run rulewright waf status ${scope.name} before anything else`;
    return { kind: 'in-doubt', code, message, hint: now === null ? unread : late };
  }
  const told = now === null ? unread : isUncertain(error) ? `it did nothing: try again` : hint;
  return { kind: 'failed', code, message, hint: told };
}

/** Time between two reads of the state. */
const EVERY_MS = 5000;

const MINUTE_MS = 60_000;

/** The update may take up to an hour (api.md 10.2). */
const MAX_MS = 60 * 60 * 1000;

/** What is needed to wait for a state. */
export interface Waiting {
  readonly scope: Scope;
  readonly clock: Clock;
  readonly report: OnEvent;
  readonly signal?: AbortSignal | undefined;
  readonly read: () => Promise<WafStatus>;
}

/** Waits until a zone is in a state, at most an hour. A failed read is repeated unless it cannot succeed; an abort ends the wait. */
export async function awaitState(
  wanted: string,
  { scope, clock, report, signal, read }: Waiting,
): Promise<{ readonly kind: 'arrived' } | { readonly kind: 'waiting'; readonly reason: string }> {
  const began = clock.now();
  let minutes = 0;
  for (;;) {
    const { state, hopeless } = await stateOf(read());
    if (state === wanted) {
      return { kind: 'arrived' };
    }
    if (hopeless) {
      return { kind: 'waiting', reason: state };
    }
    const waitedMs = clock.now() - began;
    if (waitedMs >= MAX_MS) {
      return { kind: 'waiting', reason: `an hour has passed: ${state}` };
    }
    const isNewMinute = waitedMs >= minutes * MINUTE_MS;
    report({ kind: 'waiting', scope, what: 'to be migrated', state, waitedMs, isNewMinute });
    minutes += isNewMinute ? 1 : 0;
    try {
      signal?.throwIfAborted();
      await clock.sleep(EVERY_MS, signal);
    } catch {
      return { kind: 'waiting', reason: `interrupted: ${state}` };
    }
  }
}

/** Codes of errors that another read would not change: the token may not ask. */
const HOPELESS: readonly string[] = ['api/unauthorized', 'api/forbidden', 'api/not-found'];

function stateOf(
  status: Promise<WafStatus>,
): Promise<{ readonly state: string; readonly hopeless: boolean }> {
  return orElse(
    status.then(({ state }) => ({ state, hopeless: false })),
    ({ message, code }) => ({
      state: `the state cannot be read (${message})`,
      hopeless: HOPELESS.includes(code),
    }),
  );
}

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
  const { client: sending, receipts } = notingReceipts(client);
  const sent = await sendStep({ ...context, client: sending }, expected);
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
          ...receiptsIn(receipts),
        }
      : { kind: 'landed', step, version: sent.ruleset?.version ?? null, ...receiptsIn(receipts) },
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

/** Returns the base of the managed rules in a plan; null if the plan has none. */
function baseOf(plan: PlannedScope): Base | null {
  return (
    plan.bases.find(({ target }) => target.level === 'zone' && target.phase === MANAGED_PHASE)?.base ?? null
  );
}

/** Returns the whole entry point that the files declare, because a migration writes all of it. */
function expectationOf(plan: PlannedScope, live: LiveRuleset | null): Expectation {
  const [step] = plan.steps;
  const [planned] = step === undefined ? [] : writesOf(step, 'ruleset');
  return (
    (planned === undefined ? null : expectAfter(live, planned)) ?? {
      description: live?.description ?? '',
      rules: live?.rules ?? [],
    }
  );
}

/** Returns the expected entry point as the body of the PUT. */
function configurationOf({ description, rules }: Expectation): MigrationConfiguration {
  return {
    ...(description === '' ? {} : { description }),
    rules: rules.map(({ id, ref, content }) => ({
      ...(id === null ? {} : { id }),
      ref,
      ...contentToWire(content),
    })),
  };
}

/** Returns how the live managed rules differ from those that were sent. */
async function differencesTo(
  client: ReadClient,
  scope: Scope,
  expected: Expectation,
): Promise<readonly string[]> {
  const live = await getEntrypoint(client, scope, MANAGED_PHASE);
  return live === null ? ['there are none'] : deviations(expected, live).map(describeDeviation);
}
