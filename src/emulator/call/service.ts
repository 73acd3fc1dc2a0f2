import type { Budget } from '../environment/budget.ts';
import type { Clock } from '../environment/clock.ts';
import type { EmulatorEvent, RequestRecord } from '../environment/events.ts';
import type { CheckExpression } from '../environment/expression-check.ts';
import type { Faults } from '../faults/faults.ts';
import type { IdSource } from '../environment/ids.ts';
import type { Store, StoreContent } from '../store/store.ts';
import type { Switches } from '../environment/switches.ts';
import type { RulesetVersion, StoredRuleset } from '../records/ruleset.ts';

/** Everything that one running service consists of; requests come and go, this stays. */
export interface Service {
  readonly store: Store;
  /** What a reset returns to. */
  readonly seed: StoreContent;
  readonly clock: Clock;
  readonly stamp: () => string;
  readonly newId: IdSource;
  readonly switches: Switches;
  /** What a reset returns the switches to. */
  readonly initialSwitches: Switches;
  /** Changes switches while the service runs. */
  readonly setSwitches: (changes: Partial<Switches>) => void;
  /** What goes wrong on purpose. */
  readonly faults: Faults;
  readonly render: Renderer;
  readonly checkExpression: CheckExpression;
  /** Absent when the budget is switched off. */
  readonly budget: Budget | undefined;
  readonly budgetLimit: { readonly requests: number; readonly seconds: number };
  readonly maxBodyBytes: number;
  /** The requests answered so far, oldest first; the control endpoint shows and clears them. */
  readonly requests: RequestRecord[];
  /** Makes what was written durable; resolves when it is. */
  readonly persist: () => Promise<void>;
  readonly log: (event: EmulatorEvent) => void;
}

/** Shows rulesets as answers. Full answers are JSON text, made once for each version and kept. */
export interface Renderer {
  /** A version with its rules; the latest when none is named. */
  full(ruleset: StoredRuleset, version?: RulesetVersion): string;
  /** A version without its rules, as lists show it. */
  summary(ruleset: StoredRuleset, version?: RulesetVersion): unknown;
}
