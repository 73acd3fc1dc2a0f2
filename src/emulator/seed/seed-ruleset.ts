import type { Scope } from '../call/call.ts';
import { refuse } from '../protocol/refusal.ts';
import type { RawRule } from '../rulesets/body.ts';
import { defineRule } from '../rulesets/define-rule.ts';
import { alreadyUsed } from '../rulesets/errors.ts';
import { checkSharedRef } from '../rulesets/identity.ts';
import type { JudgeTools } from '../rulesets/define-rule.ts';
import { allowedActions } from '../rulesets/parameters/phases.ts';
import { checkReferences } from '../rulesets/references.ts';
import type { ReferenceTools } from '../rulesets/references.ts';
import { readRule } from '../rulesets/rule-input.ts';
import type { StoredRule, StoredRuleset } from '../records/ruleset.ts';
import type { RulesetSeed } from './shape.ts';

/** The parts of the service that seeding a ruleset needs. */
export interface SeedTools extends JudgeTools, ReferenceTools {
  readonly stamp: () => string;
  readonly newId: () => string;
}

/**
 * Stores one ruleset of a seed, checked like a client's but with the ids that it brings. An execute target may be named
 * `custom:<name>`. Refuses a ruleset that the service would not accept.
 */
export function seedRuleset(tools: SeedTools, scope: Scope, raw: RulesetSeed): void {
  const { phase, kind, version = '1', name = 'default', description = '', last_updated: updated } = raw;
  if (allowedActions(phase, kind, scope.kind) === undefined) {
    throw refuse(400, `${scope.kind}s have no rulesets of kind ${kind} in the phase ${phase}`);
  }
  const own = tools.store.rulesets.group(scope.owner);
  if (kind !== 'custom' && own.some((ruleset) => ruleset.kind === kind && ruleset.phase === phase)) {
    throw refuse(400, 'a phase has one entry point, and this is the second');
  }
  const place = { phase, kind, scope };
  const given = withTargets(raw.rules ?? [], own);
  const stamp = tools.stamp();
  const rules = given.map((rule, index): StoredRule => {
    const input = readRule(rule, `/rules/${index}`, tools);
    const definition = defineRule(tools, input, place);
    const id = input.id ?? tools.newId();
    return {
      id,
      version: textOr(rule.version, '1'),
      last_updated: textOr(rule.last_updated, stamp),
      definition: { ...definition, ref: input.ref ?? id },
    };
  });
  const settled = rules.map((rule, index) => ({ rule, pointer: `/rules/${index}` }));
  checkSharedRef(settled);
  const ids = rules.map((rule) => rule.id);
  const twice = ids.findIndex((one, index) => ids.indexOf(one) !== index);
  if (twice >= 0) {
    throw alreadyUsed(ids[twice] ?? '', `/rules/${twice}/id`);
  }
  checkReferences(tools, settled, place);
  const id = raw.id ?? tools.newId();
  if (tools.store.rulesets.get(id) !== undefined) {
    throw refuse(400, `another ruleset has the id ${id}`);
  }
  tools.store.rulesets.set(id, {
    id,
    owner: scope.owner,
    name,
    kind,
    phase,
    counter: Number(version),
    versions: [{ version, last_updated: textOr(updated, stamp), description, rules }],
  });
}

/** Replaces `custom:<name>` with the id of the scope's custom ruleset of that name. */
function withTargets(rules: readonly RawRule[], own: readonly StoredRuleset[]): readonly RawRule[] {
  const custom = own.filter((ruleset) => ruleset.kind === 'custom');
  return rules.map((rule) => {
    const parameters = rule.action_parameters;
    const target = custom.find(({ name }) => parameters?.['id'] === `custom:${name}`);
    return target === undefined ? rule : { ...rule, action_parameters: { ...parameters, id: target.id } };
  });
}

/** Returns a member that only answers have, or a default when the member is not a string. */
function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}
