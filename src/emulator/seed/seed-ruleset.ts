import type { Scope } from '../call.ts';
import { isObject, listAt, textAt } from '../json.ts';
import type { JsonObject } from '../json.ts';
import { refuse } from '../protocol/refusal.ts';
import { defineRule } from '../rulesets/define-rule.ts';
import type { JudgeTools, RefLess } from '../rulesets/define-rule.ts';
import { allowedActions } from '../rulesets/phases.ts';
import { checkReferences } from '../rulesets/references.ts';
import type { ReferenceTools } from '../rulesets/references.ts';
import { readRules } from '../rulesets/rule-input.ts';
import type { RuleInput } from '../rulesets/rule-input.ts';
import type { RulesetKind, StoredRule } from '../rulesets/ruleset.ts';

/** What seeding needs of a service. */
export interface SeedTools extends JudgeTools, ReferenceTools {
  readonly stamp: () => string;
  readonly newId: () => string;
}

/**
 * Stores one ruleset of a seed, judged like a client's but with the ids it brings; an execute target may be named
 * `custom:<name>`. Refuses a ruleset that the service would not take.
 */
export function seedRuleset(tools: SeedTools, scope: Scope, raw: JsonObject): void {
  const phase = textAt(raw, 'phase') ?? '';
  const kind = readKind(textAt(raw, 'kind'));
  if (allowedActions(phase, kind, scope.kind) === undefined) {
    throw refuse(400, `${scope.kind}s have no rulesets of kind ${kind} in the phase ${phase}`);
  }
  const own = tools.store.rulesets.group(scope.owner);
  if (kind !== 'custom' && own.some((ruleset) => ruleset.kind === kind && ruleset.phase === phase)) {
    throw refuse(400, 'a phase has one entry point, and this is the second');
  }
  const place = { phase, kind, scope };
  const inputs = readRules(withTargets(raw, tools, scope)) ?? [];
  const stamp = tools.stamp();
  const rules = inputs.map((input, index): StoredRule => {
    const definition = defineRule(tools, input, place);
    const given = listAt(raw, 'rules')[index];
    return seededRule(tools, { stamp, input, given: isObject(given) ? given : {} }, definition);
  });
  const settled = rules.map((rule, index) => ({ rule, pointer: `/rules/${index}` }));
  checkReferences(tools, settled, place);
  const version = textAt(raw, 'version') ?? '1';
  const id = textAt(raw, 'id') ?? tools.newId();
  if (tools.store.rulesets.get(id) !== undefined) {
    throw refuse(400, `another ruleset has the id ${id}`);
  }
  tools.store.rulesets.set(id, {
    id,
    owner: scope.owner,
    name: textAt(raw, 'name') ?? 'default',
    kind,
    phase,
    counter: Number(version),
    versions: [
      {
        version,
        last_updated: textAt(raw, 'last_updated') ?? stamp,
        description: textAt(raw, 'description') ?? '',
        rules,
      },
    ],
  });
}

function seededRule(
  tools: SeedTools,
  { stamp, input, given }: { readonly stamp: string; readonly input: RuleInput; readonly given: JsonObject },
  definition: RefLess,
): StoredRule {
  const id = input.id ?? tools.newId();
  return {
    id,
    version: textAt(given, 'version') ?? '1',
    last_updated: textAt(given, 'last_updated') ?? stamp,
    definition: { ...definition, ref: input.ref ?? id },
  };
}

function readKind(kind: string | undefined): RulesetKind {
  return kind === 'custom' || kind === 'root' ? kind : 'zone';
}

/** Replaces `custom:<name>` by the id of the scope's custom ruleset with that name. */
function withTargets(raw: JsonObject, tools: SeedTools, scope: Scope): JsonObject {
  const custom = tools.store.rulesets.group(scope.owner).filter((ruleset) => ruleset.kind === 'custom');
  const rules = listAt(raw, 'rules').map((rule) => {
    const parameters = isObject(rule) ? rule['action_parameters'] : undefined;
    const id = isObject(parameters) ? textAt(parameters, 'id') : undefined;
    const target = custom.find((ruleset) => id === `custom:${ruleset.name}`);
    return target === undefined || !isObject(rule) || !isObject(parameters)
      ? rule
      : { ...rule, action_parameters: { ...parameters, id: target.id } };
  });
  return { ...raw, rules };
}
