import { createHash } from 'node:crypto';
import type { JsonObject } from './json.ts';
import { canonicalJson } from './json.ts';
import type { Base } from './base.ts';
import type { GuardFinding } from './guard.ts';
import type { Scope } from './scope.ts';

/** The kinds of things of deprecated interfaces that can be deleted. */
export const OLD_OBJECT_KINDS = ['firewall_rule', 'filter', 'rate_limit', 'waf_override'] as const;

/** A thing of a deprecated interface. */
export interface OldObjectTarget {
  readonly kind: (typeof OLD_OBJECT_KINDS)[number];
  /** 32 hex characters. */
  readonly id: string;
}

/** The deletion of one old thing. */
export interface RetireStep {
  /** Such as `zone:shop.example/firewall_rule/<id>`. */
  readonly id: string;
  readonly target: OldObjectTarget;
  /** SHA-256 of the object as it was read, hex; a changed one is not deleted. */
  readonly digest: string;
  /** What it is called, for people. */
  readonly name: string;
  /** The `ref` of the live rule that has taken its place; null where nothing has: for filters, and for overrides. */
  readonly replacedBy: string | null;
  /** Whether the service is asked to delete the rule's filter as well when nothing else uses it. */
  readonly withFilter: boolean;
  /** The whole object: what it can be made from again. */
  readonly before: JsonObject;
}

/** An old thing that stays, and why. */
export interface KeptObject {
  readonly target: OldObjectTarget;
  readonly name: string;
  readonly reason: string;
}

/** What is deleted of a deprecated interface in a zone, in order; bound to the entry point that has taken over. Plain JSON. */
export interface RetirementPlan {
  readonly kind: 'retirement';
  readonly formatVersion: 1;
  readonly baseUrl: string;
  readonly scope: Scope;
  /** Name of the environment variable that holds this scope's token, when not the usual one. */
  readonly tokenEnv?: string | undefined;
  /** The phase whose entry point has taken over, and what it was when the plan was made. */
  readonly phase: string;
  readonly base: Base;
  readonly steps: readonly RetireStep[];
  readonly kept: readonly KeptObject[];
  readonly findings: readonly GuardFinding[];
}

/** SHA-256 of an object, hex; the order of its members does not count. */
export function objectDigest(object: JsonObject): string {
  return createHash('sha256').update(canonicalJson(object)).digest('hex');
}

/** SHA-256 of what a plan does, hex. */
export function retirementDigest({ scope, phase, base, steps }: RetirementPlan): string {
  const effect: JsonObject = {
    scope: scope.id,
    phase,
    base: base.kind === 'version' ? `${base.id} ${base.version}` : base.kind,
    steps: steps.map((step) => `${step.id} ${step.digest}`),
  };
  return objectDigest(effect);
}
