import type { RuleContent } from '../../model/rule.ts';
import { callersOf } from './phase-rules.ts';
import type { PhaseRules, RulesInPhase, Side } from './phase-rules.ts';

/** The rules of a ruleset, and the rules that execute it; undefined when every request of the phase may reach the ruleset. */
export interface Place {
  readonly rules: RulesInPhase;
  readonly callers: RulesInPhase | undefined;
}

/** Returns the rulesets of a phase. When the entry point was not read, each rule of a custom ruleset is judged by its own condition. */
export function placesOf({ entrypoint, custom }: PhaseRules): readonly Place[] {
  return [
    ...(entrypoint === undefined ? [] : [{ rules: entrypoint, callers: undefined }]),
    ...[...custom].map(([reference, rules]) => ({
      rules,
      callers: entrypoint === undefined ? undefined : callersOf(reference, entrypoint),
    })),
  ];
}

/** Returns, for each way that leads to a rule, the conditions that a request meets which the rule matches. */
export function waysTo(
  { expression }: RuleContent,
  { callers }: Place,
  side: Side,
): readonly (readonly string[])[] {
  return callers?.[side].map((caller) => [caller[side]?.expression ?? '', expression]) ?? [[expression]];
}
