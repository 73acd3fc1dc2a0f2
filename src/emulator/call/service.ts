import type { Budget } from '../environment/request-budget.ts';
import type { ServiceClock, EmulatorEvent, RequestRecord, IdSource } from '../environment/service-clock.ts';
import type { CheckExpression } from '../environment/expression-check.ts';
import type { Faults } from '../faults/faults.ts';
import type { Store, StoreContent } from '../store/store.ts';
import type { Switches } from '../environment/switches.ts';
import type { RulesetVersion, StoredRuleset } from '../records/ruleset-record.ts';

/** The parts of one running service, shared by all its requests. */
export interface EmulatedService {
  readonly store: Store;
  /** The content that a reset restores. */
  readonly seed: StoreContent;
  readonly clock: ServiceClock;
  readonly stamp: () => string;
  readonly newId: IdSource;
  /** Returns the value of the next `cf-ray` header. */
  readonly newRay: () => string;
  readonly switches: Switches;
  /** The switches that a reset restores. */
  readonly initialSwitches: Switches;
  /** Changes switches while the service runs. */
  readonly setSwitches: (changes: Partial<Switches>) => void;
  /** The faults to inject. */
  readonly faults: Faults;
  readonly render: Renderer;
  readonly checkExpression: CheckExpression;
  /** Undefined when the budget is switched off. */
  readonly budget: Budget | undefined;
  readonly budgetLimit: { readonly requests: number; readonly seconds: number };
  readonly maxBodyBytes: number;
  /** The requests answered so far, oldest first; the control endpoint shows and clears them. */
  readonly requests: RequestRecord[];
  /** Makes everything written so far durable; resolves when it is. */
  readonly persist: () => Promise<void>;
  readonly log: (event: EmulatorEvent) => void;
}

/** Renders rulesets for answers. The JSON text of a version with its rules is made once and cached. */
export interface Renderer {
  /** Renders a version with its rules as JSON text; by default the latest version. */
  full(ruleset: StoredRuleset, version?: RulesetVersion): string;
  /** Renders a version without its rules, as in lists; by default the latest version. */
  summary(ruleset: StoredRuleset, version?: RulesetVersion): unknown;
}
