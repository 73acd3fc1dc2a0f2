import { createHash } from 'node:crypto';
import type { JsonObject } from '../data/index.ts';
import { canonicalJson } from '../data/index.ts';
import type { Base } from './base.ts';
import type { GuardFinding } from './guard.ts';
import type { Scope } from './scope.ts';

/** The kinds of objects of deprecated interfaces that can be deleted. */
export const OLD_OBJECT_KINDS = ['firewall_rule', 'filter', 'rate_limit', 'waf_override'] as const;

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
}

/** The deletions in a deprecated interface of a zone, in order, bound to the version of the entry point that replaces it. Plain JSON. */
export interface RetirementPlan {
  readonly kind: 'retirement';
  readonly formatVersion: 1;
  readonly baseUrl: string;
  readonly scope: Scope;
  /** Name of the environment variable that holds this scope's token, when it is not the usual one. */
  readonly tokenEnv?: string | undefined;
  /** The phase whose entry point replaces the old interface, and that entry point's base when the plan was made. */
  readonly phase: string;
  readonly base: Base;
  readonly steps: readonly RetireStep[];
  readonly kept: readonly KeptObject[];
  readonly findings: readonly GuardFinding[];
}

/** SHA-256 (hex) of an object, regardless of the order of its members. */
export function objectDigest(object: JsonObject): string {
  return createHash('sha256').update(canonicalJson(object)).digest('hex');
}

/** SHA-256 (hex) of the effect of a plan. */
export function retirementDigest({ scope, phase, base, steps }: RetirementPlan): string {
  const effect: JsonObject = {
    scope: scope.id,
    phase,
    base: base.kind === 'version' ? `${base.id} ${base.version}` : base.kind,
    steps: steps.map((step) => `${step.id} ${step.digest}`),
  };
  return objectDigest(effect);
}
