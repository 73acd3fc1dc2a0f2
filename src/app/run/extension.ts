import pLimit from 'p-limit';
import type { ReadClient } from '../../api/index.ts';
import type { LiveRuleset, OldRules, Outcome, PlannedScope, Scope } from '../../model/index.ts';
import { refusedOutcomes } from '../planning/refused-outcomes.ts';
import type { OnEvent } from './events.ts';

/** What a part of the program that can be taken out adds to use cases. Whoever starts the program names it. */
export interface Extension {
  readonly planGates: readonly PlanGate[];
  readonly ruleSources: readonly RuleSource[];
  /** Types of Terraform resources that hold old rules, with the command that converts those. */
  readonly terraformTypes: ReadonlyMap<string, string>;
}

/** Something besides rulesets that can forbid writes, and that the service is asked about before a plan is shown and before it is carried out. */
export interface PlanGate {
  /** Adds to a plan what will keep it from being applied. */
  readonly find: (plan: PlannedScope, client: ReadClient, report: OnEvent) => Promise<PlannedScope>;
  /** Returns the outcome of the step that must not be written now; null if nothing stands against the plan. */
  readonly refuse: (plan: PlannedScope, client: ReadClient, report: OnEvent) => Promise<Outcome | null>;
  /** Adds to an outcome what the gate knows about it. */
  readonly explain: (outcome: Outcome) => Promise<Outcome>;
}

/** Rules of a zone that are outside of rulesets. */
export interface RuleSource {
  readonly old: OldRules['old'];
  /** Whether such rules act on requests to a zone with these rulesets. Takes one request. */
  readonly inForce: (client: ReadClient, zone: Scope, rulesets: readonly LiveRuleset[]) => Promise<boolean>;
}

/** What a use case needs to ask gates. */
interface GateMeans {
  readonly extension: Extension | undefined;
  readonly clientFor: (scope: PlannedScope) => ReadClient;
  /** The most scopes that are asked about concurrently. */
  readonly concurrency: number;
  readonly report: OnEvent;
}

/** Asks all gates about all plans. Returns an empty list if nothing stands against them, else the outcome of every step, since nothing is written then. */
export async function askGates(
  scopes: readonly PlannedScope[],
  { extension, clientFor, concurrency, report }: GateMeans,
): Promise<readonly Outcome[]> {
  const limit = pLimit(concurrency);
  const refused = await Promise.all(
    scopes.flatMap((scope) =>
      (extension?.planGates ?? []).map((gate) => limit(() => gate.refuse(scope, clientFor(scope), report))),
    ),
  );
  return refusedOutcomes(
    scopes,
    new Map(refused.flatMap((outcome) => (outcome === null ? [] : [[outcome.step, outcome]]))),
  );
}

/** Adds to a plan what gates find. */
export async function findGates(
  plan: PlannedScope,
  { extension, client, report }: { readonly client: ReadClient } & Pick<GateMeans, 'extension' | 'report'>,
): Promise<PlannedScope> {
  let found = plan;
  for (const gate of extension?.planGates ?? []) {
    found = await gate.find(found, client, report);
  }
  return found;
}

/** Adds to outcomes what gates know about them. */
export async function explainOutcomes(
  outcomes: readonly Outcome[],
  extension: Extension | undefined,
): Promise<readonly Outcome[]> {
  let explained = outcomes;
  for (const gate of extension?.planGates ?? []) {
    explained = await Promise.all(explained.map((outcome) => gate.explain(outcome)));
  }
  return explained;
}
