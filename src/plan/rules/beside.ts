import { hash } from 'node:crypto';
import { decidedParts, lastDecides } from '../../model/decided-parts.ts';
import { isKnownAction } from '../../model/known-action.ts';
import { canonicalJson, jsonEqual } from '../../model/json.ts';
import type { JsonObject, JsonValue } from '../../model/json.ts';
import { shownWire } from '../../model/conceal.ts';
import { canonicalContent } from '../../model/normalise.ts';
import type { Place } from '../../model/change.ts';
import type { LiveRule, RuleContent } from '../../model/rule.ts';
import { conditionOf, createProofs } from '../protect/conditions.ts';
import { strengthOf } from '../protect/role.ts';
import { endsEvaluation } from './shadowed.ts';

/** Adds to the place of a written or moved rule the digest of what stands beside it. */
export type Beside = (place: Place, content: RuleContent) => Place;

/**
 * Returns a function that digests which rules of others decide beside one of ours: before it, or after it what it would decide itself. They
 * give a place its meaning, so a reviewed plan is bound to what these rules do, and to no other rule of others. `order` is the final list, with
 * the rules of others at their indices.
 */
export function createBeside(order: readonly (LiveRule | undefined)[], phase: string): Beside {
  const others: { readonly rule: LiveRule; readonly at: number }[] = [];
  order.forEach((rule, at) => {
    if (rule?.content.enabled === true) {
      others.push({ rule, at });
    }
  });
  const proofs = createProofs();
  // Without proof that no request meets both, the rule counts.
  const areMet = (one: RuleContent, other: RuleContent): boolean =>
    !proofs.areApart(conditionOf(one.expression), conditionOf(other.expression));
  return (place, content) => {
    const found = others.flatMap(({ rule, at }): readonly JsonValue[] => {
      const isBefore = at < place.index - 1;
      const [first, second] = isBefore ? [rule.content, content] : [content, rule.content];
      return content.enabled && decidesFor(first, second) && areMet(content, rule.content)
        ? [{ isBefore, ...deedOf(rule.content, phase) }]
        : [];
    });
    return found.length === 0 ? place : { ...place, beside: hash('sha256', canonicalJson(found)) };
  };
}

/** Returns what a rule decides and for which requests, secrets concealed as in the plan. */
function deedOf(content: RuleContent, phase: string): JsonObject {
  const { description: _description, logging: _logging, ...deed } = canonicalContent(content);
  return shownWire(deed, phase);
}

/** Whether, to a request that meets both rules, their order makes a difference. */
function decidesFor(first: RuleContent, second: RuleContent): boolean {
  if (strengthOf(first.action) === 0 || strengthOf(second.action) === 0) {
    // A rule that only logs decides nothing.
    return false;
  }
  if (!isKnownAction(first.action) || !isKnownAction(second.action)) {
    return true;
  }
  if (first.action !== second.action) {
    return takesAway(first);
  }
  if (lastDecides(first.action)) {
    const parts = decidedParts(first);
    return [...decidedParts(second)].some((part) => parts.has(part));
  }
  return takesAway(first) && !doAlike(first, second);
}

/** Whether two rules with one action do the same to a request that meets both. */
function doAlike(one: RuleContent, other: RuleContent): boolean {
  const parts = ({ action_parameters, ratelimit, extra }: RuleContent): JsonValue => [
    action_parameters ?? {},
    ratelimit ?? {},
    extra ?? {},
  ];
  return jsonEqual(parts(one), parts(other));
}

/** Whether rules after this one may not see a request that it meets. */
function takesAway(content: RuleContent): boolean {
  return content.action === 'skip' || content.action === 'execute' || endsEvaluation(content);
}
