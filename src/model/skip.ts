import { isJsonObject, objectOf, textsIn } from '../data/index.ts';
import type { JsonObject } from '../data/index.ts';
import { actionKind } from './actions.ts';
import { wellKnownRuleset } from './managed-rulesets.ts';

/** What a rule with the action `skip` skips (api.md 5.4). References to rulesets are canonical. */
export interface Skip {
  /** Whether it skips the rest of its ruleset, and of its phase. */
  readonly ruleset: boolean;
  readonly phase: boolean;
  readonly phases: readonly string[];
  /** Rulesets that are skipped as a whole. */
  readonly rulesets: readonly string[];
  /** Ids of rules that are skipped one by one, by ruleset. */
  readonly rules: ReadonlyMap<string, readonly string[]>;
  readonly products: readonly string[];
}

/** Returns the canonical form of a reference to a ruleset in `execute` and `skip`: `managed:…`, `custom:…`, or an unknown id as it is. */
export function canonicalReference(reference: string): string {
  return wellKnownRuleset(reference) ?? reference;
}

/** Reads the parameters of a skip. This is the only place that knows them: what a skip does is asked here, by every judge. */
export function readSkip(parameters: JsonObject): Skip {
  const rules = Object.entries(objectOf(parameters['rules'])).map(
    ([ruleset, ids]) => [canonicalReference(ruleset), textsIn(ids)] as const,
  );
  // A ruleset without ids of rules is skipped as a whole (api.md 5.4, recorded).
  const whole = rules.flatMap(([ruleset, ids]) => (ids.length === 0 ? [ruleset] : []));
  return {
    ruleset: parameters['ruleset'] === 'current',
    phase: parameters['phase'] === 'current',
    phases: textsIn(parameters['phases']),
    rulesets: [...new Set([...textsIn(parameters['rulesets']).map(canonicalReference), ...whole])],
    rules: new Map(rules.filter(([, ids]) => ids.length > 0)),
    products: textsIn(parameters['products']),
  };
}

/** The rule fields that say what a rule skips; the rule may be declared in a file or live. */
interface Skipping {
  readonly action?: unknown;
  readonly action_parameters?: unknown;
}

/** Returns what a rule skips, enabled or not; undefined if its action is another one. */
export function skipOf({ action, action_parameters: parameters }: Skipping): Skip | undefined {
  return actionKind(action) === 'skip' ? readSkip(isJsonObject(parameters) ? parameters : {}) : undefined;
}

/** Whether a skip skips a phase, given its own. */
export function skipsPhase(skip: Skip, phase: string, own: string): boolean {
  return skip.phases.includes(phase) || (skip.phase && phase === own);
}

/** Whether a rule skips all rules after it in its ruleset: the rest of the ruleset, or of its phase, which it may also name. */
export function skipsRest(rule: Skipping, phase?: string): boolean {
  const skip = skipOf(rule);
  return (
    skip !== undefined && (skip.ruleset || skip.phase || (phase !== undefined && skip.phases.includes(phase)))
  );
}

/** Whether a skip skips a rule of a ruleset alone, by its id. */
export function skipsRule(skip: Skip, reference: string, id: string): boolean {
  return skip.rules.get(reference)?.includes(id) === true;
}
