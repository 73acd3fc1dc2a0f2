import type { RuleContent } from '../../model/rule.ts';
import { callersOf } from './phase-rules.ts';
import type { PhaseRules, RulesInPhase, Side } from './phase-rules.ts';

/** Rules, and the rules that execute their ruleset; undefined where all that comes to the phase may come to them. */
export interface Place {
  readonly rules: RulesInPhase;
  readonly callers: RulesInPhase | undefined;
}

/** The rulesets of a phase. Where nobody looked what executes a custom one, each of its rules counts by its own condition. */
export function placesOf({ entrypoint, custom }: PhaseRules): readonly Place[] {
  return [
    ...(entrypoint === undefined ? [] : [{ rules: entrypoint, callers: undefined }]),
    ...[...custom].map(([reference, rules]) => ({
      rules,
      callers: entrypoint === undefined ? undefined : callersOf(reference, entrypoint),
    })),
  ];
}

/** The conditions that a request meets which comes to a rule and matches it, for each way that leads there. */
export function waysTo(
  { expression }: RuleContent,
  { callers }: Place,
  side: Side,
): readonly (readonly string[])[] {
  return callers?.[side].map((caller) => [caller[side]?.expression ?? '', expression]) ?? [[expression]];
}
