import { createBudget } from '../../src/api/budget.ts';
import type { Closable, WriteClient } from '../../src/api/client.ts';
import { dryRunOf, openWriteClient } from '../../src/api/client.ts';
import { systemClock } from '../../src/network/clock.ts';
import { getEntrypoint } from '../../src/api/rulesets.ts';
import { updateEntrypoint } from '../api/ruleset-writes.ts';
import type { PlanOutcome, PlanRun } from '../../src/apply/apply-plan.ts';
import { applyPlan } from '../../src/apply/apply-plan.ts';
import { applyScope } from '../../src/apply/steps/apply-scope.ts';
import type { WriteAccess, UntouchedRules } from '../../src/apply/write/scope-run.ts';
import type { Journal, JournalEntry } from '../../src/apply/journal/journal-entry.ts';
import { NOTHING_MADE } from '../../src/apply/base/name-created.ts';
import type { Emulator, EmulatorOptions } from '../../src/emulator/index.ts';
import { startEmulator } from '../../src/emulator/index.ts';
import { readLive } from '../live/read-live.ts';
import type { Outcome } from '../../src/model/outcome.ts';
import type { PlannedScope } from '../../src/model/plan.ts';
import type { DesiredRuleset, LiveRuleset } from '../../src/model/ruleset.ts';
import type { Scope } from '../../src/model/scope.ts';
import type { DesiredScope, LiveScope } from '../../src/model/state.ts';
import { effectDigest } from '../../src/plan/document/make-plan.ts';
import { planScope } from '../../src/plan/plan-scope.ts';
import type { WriteStrategy } from '../../src/plan/requests/writes.ts';
import { createFakeClock } from '../fake-clock.ts';
import { CAUSE } from '../plan/build.ts';

/** The embedded service with a client that may write. */
export interface Bench {
  readonly emulator: Emulator;
  readonly client: WriteClient;
  close(): Promise<void>;
}

/** A client that writes through a proxy, with a fake clock on which waiting takes no time. */
export function clientThrough(
  { emulator }: Bench,
  proxy: { readonly baseUrl: string },
  interrupt?: AbortSignal,
): WriteClient & Closable {
  const clock = createFakeClock();
  return openWriteClient({
    baseUrl: proxy.baseUrl,
    credentials: { kind: 'token', token: emulator.token },
    budget: createBudget({ clock }),
    clock,
    ...(interrupt === undefined ? {} : { interrupt }),
  });
}

/** A client with which something happens after its first write that fails, before anybody learns of the failure. */
export function afterFailure(client: WriteClient, happens: () => Promise<void>): WriteClient {
  let isFirst = true;
  return {
    ...client,
    send: async (request) => {
      try {
        return await client.send(request);
      } catch (error) {
        if (isFirst) {
          isFirst = false;
          await happens();
        }
        throw error;
      }
    },
  };
}

export async function openBench(options: EmulatorOptions = {}): Promise<Bench> {
  const emulator = await startEmulator({ budget: 'off', ...options });
  const client = openWriteClient({
    baseUrl: emulator.baseUrl,
    credentials: { kind: 'token', token: emulator.token },
    budget: createBudget({ clock: systemClock, limit: Infinity, limitPerSecond: Infinity }),
    timeoutMs: 5000,
  });
  return {
    emulator,
    client,
    async close() {
      await client.close();
      await emulator.close();
    },
  };
}

/** Replaces the custom rules of the zone shop.example by rules that block a host each, and returns its scope. */
export async function blockHosts(bench: Pick<Bench, 'client'>, refs: readonly string[]): Promise<Scope> {
  const { scope } = await readLive(bench.client, zone([]));
  await updateEntrypoint(bench.client, scope, 'http_request_firewall_custom', {
    rules: refs.map((ref) => ({ ref, action: 'block', expression: `http.host eq "${ref}.example"` })),
  });
  return scope;
}

/** The custom rules of a scope as they are now. */
export async function liveRules(bench: Pick<Bench, 'client'>, scope: Scope): Promise<LiveRuleset> {
  const ruleset = await getEntrypoint(bench.client, scope, 'http_request_firewall_custom');
  if (ruleset === null) {
    throw new Error('there is no entry point');
  }
  return ruleset;
}

export function zone(rulesets: readonly DesiredRuleset[], over: Partial<DesiredScope> = {}): DesiredScope {
  return {
    scope: { kind: 'zone', name: 'shop.example' },
    rulesetOwnership: 'declared',
    rulesets,
    cause: CAUSE,
    ...over,
  };
}

export function read(bench: Bench, desired: DesiredScope): Promise<LiveScope> {
  return readLive(bench.client, desired);
}

export async function plan(bench: Bench, desired: DesiredScope): Promise<PlannedScope> {
  const scope = planScope(desired, await read(bench, desired));
  if (scope.kind === 'failed') {
    throw new Error(scope.error.message);
  }
  return scope;
}

export interface ApplyWith {
  readonly strategy?: WriteStrategy;
  readonly untouched?: UntouchedRules;
  readonly journal?: Journal;
  readonly access?: WriteAccess;
  readonly signal?: AbortSignal;
}

export function carryOut(
  bench: Bench,
  scope: PlannedScope,
  options: ApplyWith = {},
): Promise<readonly Outcome[]> {
  return applyScope(scope, {
    scope: scope.scope,
    access: options.access ?? { kind: 'write', client: bench.client },
    strategy: options.strategy ?? 'auto',
    untouched: options.untouched ?? 'by-id',
    journal: options.journal ?? memoryJournal().journal,
    report: () => undefined,
    signal: options.signal,
    made: NOTHING_MADE,
    trails: new Map(),
  });
}

/** How a whole plan is carried out. */
export interface ApplyPlanWith {
  readonly strategy?: WriteStrategy;
  readonly preflight?: 'auto' | 'off';
  readonly journal?: Journal;
  readonly client?: WriteClient;
  readonly signal?: AbortSignal;
  readonly report?: PlanRun['report'];
  readonly onFailure?: PlanRun['onFailure'];
  /** Carries out the plan with dry-run access. */
  readonly dryRun?: boolean;
  readonly origin?: PlanRun['origin'];
  readonly clock?: PlanRun['clock'];
  readonly shard?: NonNullable<PlanRun['shard']>;
}

/** Carries out the plans of some scopes as one run, preflight included. */
export function carryOutPlan(
  bench: Pick<Bench, 'client'>,
  scopes: readonly PlannedScope[],
  options: ApplyPlanWith = {},
): Promise<PlanOutcome> {
  const client = options.client ?? bench.client;
  return applyPlan({
    scopes: scopes.map((scope) => ({
      plan: scope,
      access: { kind: options.dryRun === true ? 'dry-run' : 'write', client },
      check: dryRunOf(client),
    })),
    digest: effectDigest(scopes),
    service: 'the bench',
    shard: options.shard,
    strategy: options.strategy ?? 'auto',
    onFailure: options.onFailure ?? 'stop',
    preflight: options.preflight ?? 'auto',
    origin: options.origin ?? 'fresh',
    concurrency: 4,
    journal: options.journal ?? memoryJournal().journal,
    clock: options.clock ?? systemClock,
    report: options.report ?? (() => undefined),
    signal: options.signal,
  });
}

/** Throws if a new plan finds anything left to do. */
export async function expectConverged(bench: Bench, desired: DesiredScope): Promise<void> {
  const { steps } = await plan(bench, desired);
  if (steps.length > 0) {
    throw new Error(`left to do: ${JSON.stringify(steps)}`);
  }
}

/** Plans and applies, and returns the live state after that. */
export async function converge(
  bench: Bench,
  desired: DesiredScope,
  options: ApplyWith = {},
): Promise<LiveScope> {
  const outcomes = await carryOut(bench, await plan(bench, desired), options);
  const undone = outcomes.filter((outcome) => outcome.kind !== 'done');
  if (undone.length > 0) {
    throw new Error(JSON.stringify(undone));
  }
  return read(bench, desired);
}

/** A journal in memory, and its entries. */
export function memoryJournal(): { readonly journal: Journal; readonly entries: JournalEntry[] } {
  const entries: JournalEntry[] = [];
  const journal: Journal = {
    record(entry) {
      entries.push(entry);
      return Promise.resolve();
    },
    close: () => Promise.resolve(),
  };
  return { journal, entries };
}

/** The requests that the service recorded, oldest first. */
export async function requests(
  bench: Bench,
): Promise<readonly { method: string; path: string; status: number; wrote: boolean }[]> {
  const answer = await fetch(`${bench.emulator.controlUrl}/requests`);
  return (await answer.json()) as { method: string; path: string; status: number; wrote: boolean }[];
}

export async function forgetRequests(bench: Bench): Promise<void> {
  await fetch(`${bench.emulator.controlUrl}/requests`, { method: 'DELETE' });
}

export async function resetService(bench: Bench): Promise<void> {
  await fetch(`${bench.emulator.controlUrl}/reset`, { method: 'POST' });
}
