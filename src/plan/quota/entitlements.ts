import { isWritten } from '../../model/change.ts';
import type { Step } from '../../model/plan.ts';
import type { GuardFinding } from '../../model/guard.ts';
import type { PlanLevel } from '../../model/plan-level.ts';
import { planLevelOf, planName } from '../../model/plan-level.ts';
import type { RuleContent } from '../../model/rule.ts';
import type { Scope } from '../../model/scope.ts';
import { someNames } from '../../model/some-names.ts';
import { lacks } from './features.ts';
import type { Use } from './features.ts';

/** The most rules that a finding names. */
const MOST_NAMED = 3;

/**
 * Warns of features that rules use and the zone's plan level does not include. Only warns, since the service may accept them with add-ons.
 * Nothing when the level is not known.
 */
export function checkEntitlements(steps: readonly Step[], scope: Scope): readonly GuardFinding[] {
  const level = levelOf(scope);
  return level === undefined ? [] : steps.flatMap((step) => stepFindings(step, level));
}

function levelOf({ kind, plan }: Scope): PlanLevel | undefined {
  return kind === 'zone' ? planLevelOf(plan) : undefined;
}

function stepFindings(step: Step, level: PlanLevel): readonly GuardFinding[] {
  const found = new Map<string, string[]>();
  for (const change of step.changes.filter(isWritten)) {
    const now = lacks(useOf(change.content, step, level));
    // A feature that the live rule uses already was accepted, so it was bought.
    const before = now.length > 0 && change.kind === 'patch' ? lacks(useOf(change.before, step, level)) : [];
    for (const what of now.filter((each) => !before.includes(each))) {
      found.set(what, [...(found.get(what) ?? []), change.ref]);
    }
  }
  return [...found].map(([what, refs]): GuardFinding => {
    const [rule] = refs;
    const who = someNames(refs, MOST_NAMED);
    return {
      kind: 'quota',
      effect: 'warn',
      step: step.id,
      ...(refs.length === 1 && rule !== undefined ? { rule } : {}),
      message: `${step.id}: ${who} ${refs.length === 1 ? 'uses' : 'use'} ${what}; the zone is on the ${planName(level)} plan. The service has the last word`,
    };
  });
}

function useOf(content: RuleContent, { target: { phase } }: Step, level: PlanLevel): Use {
  const { action_parameters: parameters = {}, ratelimit = {} } = content;
  return { content, parameters, ratelimit, phase, level };
}
