import { baseOf } from '../model/base.ts';
import { objectOf, plainJson } from '../model/json.ts';
import type { GuardFinding } from '../model/plan.ts';
import type { KeptObject, OldObjectTarget, RetireStep, RetirementPlan } from '../model/retirement.ts';
import { objectDigest } from '../model/retirement.ts';
import type { LiveRuleset } from '../model/ruleset.ts';
import type { Scope } from '../model/scope.ts';
import { scopeLabel } from '../model/scope.ts';

/** A plan to delete old things, or why there is none. */
export type RetirementResult =
  | { readonly kind: 'planned'; readonly plan: RetirementPlan }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string; readonly hint: string };

/** An old thing that goes. */
export interface Retired {
  readonly target: OldObjectTarget;
  readonly name: string;
  readonly replacedBy: string | null;
  readonly withFilter?: boolean;
  readonly before: object;
}

/** What a plan is made of. */
export interface RetirementInput {
  readonly baseUrl: string;
  readonly scope: Scope;
  readonly tokenEnv?: string | undefined;
  readonly phase: string;
  readonly entrypoint: LiveRuleset | null;
  /** In the order in which they go. */
  readonly retired: readonly Retired[];
  readonly kept: readonly KeptObject[];
  /** Requests that would be treated differently; empty when none was found. */
  readonly differences: readonly string[];
}

/** The plan document, with what guards find: deletion of old things cannot be taken back. */
export function retirementPlan(input: RetirementInput): RetirementPlan {
  const { baseUrl, scope, tokenEnv, phase, entrypoint, retired, kept } = input;
  return {
    kind: 'retirement',
    formatVersion: 1,
    baseUrl,
    scope,
    ...(tokenEnv === undefined ? {} : { tokenEnv }),
    phase,
    base: baseOf(entrypoint),
    steps: retired.map((one) => retireStep(scope, one)),
    kept,
    findings: retired.length === 0 ? [] : findingsOf(input),
  };
}

function retireStep(scope: Scope, { target, name, replacedBy, withFilter, before }: Retired): RetireStep {
  const object = objectOf(plainJson(before));
  return {
    id: `${scopeLabel(scope)}/${target.kind}/${target.id}`,
    target,
    base: { kind: 'digest', digest: objectDigest(object) },
    name,
    replacedBy,
    withFilter: withFilter === true,
    before: object,
  };
}

function findingsOf({ retired, differences }: RetirementInput): readonly GuardFinding[] {
  const [first] = differences;
  return [
    {
      kind: 'irreversible',
      effect: 'refuse',
      message: `${retired.length} old ${retired.length === 1 ? 'object goes' : 'objects go'} for good: the deprecated interface may not accept them again`,
    },
    ...(first === undefined
      ? []
      : [
          {
            kind: 'weakened' as const,
            effect: 'refuse' as const,
            message: `${differences.length} generated requests are treated differently by what is live, such as ${first}`,
          },
        ]),
  ];
}
