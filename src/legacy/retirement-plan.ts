import { createHash } from 'node:crypto';
import type { JsonObject } from '../data/index.ts';
import { canonicalJson, objectOf, plainJson } from '../data/index.ts';
import type { Base, GuardFinding, Scope, ErrorCode, LiveRuleset } from '../model/index.ts';
import { counted } from '../text/index.ts';
import { baseOf, scopeLabel } from '../model/index.ts';

/** The kinds of objects of deprecated interfaces that can be deleted. */
export const OLD_OBJECT_KINDS = [
  'firewall_rule',
  'filter',
  'rate_limit',
  'waf_override',
  'page_rule',
] as const;

/** An object of a deprecated interface. */
export interface OldObjectTarget {
  readonly kind: (typeof OLD_OBJECT_KINDS)[number];
  /** 32 hex characters. */
  readonly id: string;
}

/** The deletion of one old object. */
export interface RetireStep {
  /** Such as `zone:shop.example/firewall_rule/<id>`. */
  readonly id: string;
  readonly target: OldObjectTarget;
  /** SHA-256 (hex) of the object as it was read; an object that changed since is not deleted. */
  readonly digest: string;
  /** The object's name for people. */
  readonly name: string;
  /** The `ref` of the live rule that replaces the object; null when none does: for filters and overrides. */
  readonly replacedBy: string | null;
  /** Whether the service is asked to also delete the rule's filter when nothing else uses it. */
  readonly withFilter: boolean;
  /** The whole object, so that it can be recreated. */
  readonly before: JsonObject;
}

/** An old object that is kept, and why. */
export interface KeptObject {
  readonly target: OldObjectTarget;
  readonly name: string;
  readonly reason: string;
  /** What to do so that it goes too; absent where the reason says it. */
  readonly next?: string | undefined;
}

/** An entry point that replaces a deprecated interface, as it was when a plan was made. */
export interface ReplacingEntrypoint {
  readonly phase: string;
  readonly base: Base;
}

/** The deletions in a deprecated interface of a zone, in order, bound to the versions of the entry points that replace it. Plain JSON. */
export interface RetirementPlan {
  readonly kind: 'retirement';
  readonly formatVersion: 1;
  readonly baseUrl: string;
  readonly scope: Scope;
  /** Name of the environment variable that holds this scope's token, when it is not the usual one. */
  readonly tokenEnv?: string | undefined;
  readonly entrypoints: readonly ReplacingEntrypoint[];
  readonly steps: readonly RetireStep[];
  readonly kept: readonly KeptObject[];
  readonly findings: readonly GuardFinding[];
}

/** SHA-256 (hex) of an object, regardless of the order of its members. */
export function objectDigest(object: JsonObject): string {
  return createHash('sha256').update(canonicalJson(object)).digest('hex');
}

/** SHA-256 (hex) of the effect of a plan. */
export function retirementDigest({ scope, entrypoints, steps }: RetirementPlan): string {
  const effect: JsonObject = {
    scope: scope.id,
    entrypoints: entrypoints.map(
      ({ phase, base }) => `${phase} ${base.kind === 'version' ? `${base.id} ${base.version}` : base.kind}`,
    ),
    steps: steps.map((step) => `${step.id} ${step.digest}`),
  };
  return objectDigest(effect);
}

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
  readonly next?: string | undefined;
  readonly replacedBy: string | null;
  readonly withFilter?: boolean;
  readonly before: object;
}

/** The zone whose old objects are deleted. */
interface RetiringScope {
  readonly baseUrl: string;
  readonly scope: Scope;
  readonly tokenEnv?: string | undefined;
}

/** The zone whose old objects are deleted, and the entry point that replaces them. */
export interface RetiringZone extends RetiringScope {
  readonly entrypoint: LiveRuleset | null;
}

/** The zone whose old objects are deleted, and the entry points that replace them; null for one that does not exist. */
export interface RetiringPhases extends RetiringScope {
  readonly entrypoints: ReadonlyMap<string, LiveRuleset | null>;
}

/** What a plan is made from. */
interface RetirementInput extends RetiringPhases {
  /** Candidates in the order in which they are deleted. */
  readonly candidates: readonly RetirementCandidate[];
  /** Requests that would be treated differently; empty when none was found. */
  readonly differences: readonly string[];
}

/** Returns the plan document with the findings of guards: the deletion of old objects cannot be undone. */
export function retirementPlan(input: RetirementInput): RetirementPlan {
  const { baseUrl, scope, tokenEnv, entrypoints, candidates, differences } = input;
  const going = candidates.filter(({ reason }) => reason === null);
  return {
    kind: 'retirement',
    formatVersion: 1,
    baseUrl,
    scope,
    tokenEnv,
    entrypoints: [...entrypoints].map(([phase, live]) => ({ phase, base: baseOf(live) })),
    steps: going.map((one) => retireStep(scope, one)),
    kept: candidates.flatMap(({ target, name, reason, next }) =>
      reason === null ? [] : [{ target, name, reason, ...(next === undefined ? {} : { next }) }],
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
