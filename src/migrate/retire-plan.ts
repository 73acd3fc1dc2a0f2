import type {
  ErrorCode,
  GuardFinding,
  OldObjectTarget,
  RetireStep,
  RetirementPlan,
  LiveRuleset,
  Scope,
} from '../model/index.ts';
import { counted } from '../text/index.ts';
import { baseOf, objectDigest, scopeLabel } from '../model/index.ts';
import { objectOf, plainJson } from '../data/index.ts';

/** A plan to delete old objects, or why there is none. */
export type RetirementResult =
  | { readonly kind: 'planned'; readonly plan: RetirementPlan }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly message: string; readonly hint: string };

/** An old object, and whether it is deleted. */
export interface RetirementCandidate {
  readonly target: OldObjectTarget;
  readonly name: string;
  /** Why the object stays; null when it is deleted. */
  readonly reason: string | null;
  readonly replacedBy: string | null;
  readonly withFilter?: boolean;
  readonly before: object;
}

/** The zone whose old objects are deleted, and the entry point that replaces them. */
export interface RetiringZone {
  readonly baseUrl: string;
  readonly scope: Scope;
  readonly tokenEnv?: string | undefined;
  readonly entrypoint: LiveRuleset | null;
}

/** What a plan is made from. */
interface RetirementInput extends RetiringZone {
  readonly phase: string;
  /** Candidates in the order in which they are deleted. */
  readonly candidates: readonly RetirementCandidate[];
  /** Requests that would be treated differently; empty when none was found. */
  readonly differences: readonly string[];
}

/** Returns the plan document with the findings of guards: the deletion of old objects cannot be undone. */
export function retirementPlan(input: RetirementInput): RetirementPlan {
  const { baseUrl, scope, tokenEnv, phase, entrypoint, candidates, differences } = input;
  const going = candidates.filter(({ reason }) => reason === null);
  return {
    kind: 'retirement',
    formatVersion: 1,
    baseUrl,
    scope,
    tokenEnv,
    phase,
    base: baseOf(entrypoint),
    steps: going.map((one) => retireStep(scope, one)),
    kept: candidates.flatMap(({ target, name, reason }) =>
      reason === null ? [] : [{ target, name, reason }],
    ),
    findings: going.length === 0 ? [] : findingsOf(going.length, differences),
  };
}

function retireStep(
  scope: Scope,
  { target, name, replacedBy, withFilter, before }: RetirementCandidate,
): RetireStep {
  const object = objectOf(plainJson(before));
  return {
    id: `${scopeLabel(scope)}/${target.kind}/${target.id}`,
    target,
    digest: objectDigest(object),
    name,
    replacedBy,
    withFilter: withFilter === true,
    before: object,
  };
}

function findingsOf(going: number, differences: readonly string[]): readonly GuardFinding[] {
  const [first] = differences;
  return [
    {
      kind: 'irreversible',
      effect: 'refuse',
      message: `${counted(going, 'old object', 'old objects')} will be deleted permanently: the deprecated interface may not accept them again`,
    },
    ...(first === undefined
      ? []
      : [
          {
            kind: 'weakened' as const,
            effect: 'refuse' as const,
            message: `${counted(differences.length, 'generated request is', 'generated requests are')} treated differently by what is live, such as ${first}`,
          },
        ]),
  ];
}
