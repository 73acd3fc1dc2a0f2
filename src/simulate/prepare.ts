import { compileDecided } from './compile.ts';
import { prepareEffect } from './effect.ts';
import type { Evaluation } from './evaluation.ts';
import { compileKnownCondition } from './known.ts';
import { customKey } from './prepared.ts';
import type { PreparedRule, PreparedRuleset, PreparedScope } from './prepared.ts';
import { ruleName } from './scope-rules.ts';
import type { SimulatedRule, SimulatedRuleset, SimulatedScope } from './scope-rules.ts';
import { slug } from '../text/index.ts';

/** Compiles all rules of a scope once, for any number of requests. A rule that does not compile is kept with the reason. */
export function prepareScope(scope: SimulatedScope, evaluation: Evaluation): PreparedScope {
  const rulesets = scope.rulesets
    .filter(({ presence }) => presence !== 'absent')
    .map((ruleset) => ({ id: ruleset.id, ...prepareRuleset(scope, ruleset, evaluation) }));
  return {
    scope: scope.scope,
    entrypoints: new Map(
      rulesets.flatMap((ruleset) => (ruleset.reference === undefined ? [[ruleset.phase, ruleset]] : [])),
    ),
    custom: new Map(
      rulesets.flatMap((ruleset) =>
        ruleset.reference === undefined
          ? []
          : [ruleset.reference, ruleset.id ?? ruleset.reference].map(
              (reference) => [customKey(ruleset.phase, reference), ruleset] as const,
            ),
      ),
    ),
  };
}

function prepareRuleset(
  { scope }: SimulatedScope,
  ruleset: SimulatedRuleset,
  evaluation: Evaluation,
): PreparedRuleset {
  const { address, rules } = ruleset;
  return {
    scope,
    phase: address.phase,
    name: address.kind === 'custom' ? address.name : null,
    reference: referenceTo(ruleset),
    holdsOthers: ruleset.ownership?.kind === 'patterns',
    rules: rules.map((rule, index) => prepareRule({ rule, index, phase: address.phase }, evaluation)),
  };
}

function prepareRule(
  { rule, index, phase }: { readonly rule: SimulatedRule; readonly index: number; readonly phase: string },
  evaluation: Evaluation,
): PreparedRule {
  const { content } = rule;
  const known =
    evaluation.recorded === true ? compileKnownCondition(content.expression, evaluation) : undefined;
  const condition =
    known === undefined ? compileDecided(content.expression, evaluation) : { ...known, assumes: [] };
  const effect = prepareEffect(content, phase, evaluation);
  // Only the service knows whether a password is stolen.
  const checked = content.exposed_credential_check !== undefined;
  return {
    rule,
    name: ruleName(rule, index),
    test: condition.evaluate,
    undecidable: condition.problem,
    newFields: 'newFields' in condition ? (condition.newFields ?? []) : [],
    missing: known?.missing,
    effect: checked
      ? { kind: 'opaque', why: 'whether credentials are exposed is known to the service only' }
      : effect.effect,
    ineffective: effect.problem,
    limit: limitOf(rule),
    assumes: [...new Set([...condition.assumes, ...effect.assumes])],
  };
}

/** Returns how many requests, or how much of a score, a rate limit allows in its period (api.md 3.4). */
function limitOf({ content: { ratelimit } }: SimulatedRule): number | undefined {
  const limit = ratelimit?.['requests_per_period'] ?? ratelimit?.['score_per_period'];
  return typeof limit === 'number' ? limit : undefined;
}

/** Returns the reference to a declared custom ruleset; undefined for an entry point. */
function referenceTo({ address }: SimulatedRuleset): string | undefined {
  return address.kind === 'custom' ? `custom:${slug(address.name)}` : undefined;
}
