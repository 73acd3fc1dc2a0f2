import type { VerdictKind } from '../model/simulation.ts';
import type { PreparedRuleset } from './prepared.ts';

/** The verdict of one rule on a request. Common verdicts are shared values. */
export interface Verdict {
  readonly kind: VerdictKind;
  /** Whether the request, or in a response phase the phase, ends here. */
  readonly ends: boolean;
  readonly why: string;
  /** The verdicts of the custom ruleset that the rule executes. */
  readonly inner?: RulesetTrace;
}

/** The verdicts of a ruleset's rules, in their order. */
export interface RulesetTrace {
  readonly ruleset: PreparedRuleset;
  readonly verdicts: readonly Verdict[];
}

/** Returns a verdict with a reason. */
export function verdict(kind: VerdictKind, why: string): Verdict {
  return { kind, ends: false, why };
}

/** The rule's expression is false. */
export const MISSED: Verdict = verdict('missed', '');

/** The rule is not enabled. */
export const DISABLED: Verdict = verdict('disabled', '');

/** The rule acts, and the request goes on. */
export const MATCHED: Verdict = verdict('matched', '');

/** The rule acts, and the request, or the phase, ends. */
export const ENDED: Verdict = { kind: 'matched', ends: true, why: '' };
