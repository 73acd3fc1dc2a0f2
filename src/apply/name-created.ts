import type { JsonObject } from '../model/json.ts';
import { isJsonObject } from '../model/json.ts';
import { resolveExecute, resolveSkip, splitReference } from '../plan/resolve-targets.ts';
import type { Write } from '../plan/writes.ts';

/**
 * Puts the ids of rulesets that this run has made in the place of `custom:<slug>`. An executed ruleset
 * has the phase of the rule; a skipped one may be of any phase.
 */
export function nameCreated(write: Write, phase: string, created: ReadonlyMap<string, string>): Write {
  const named = (rule: JsonObject): JsonObject => nameInRule(rule, phase, created);
  switch (write.kind) {
    case 'create-ruleset':
      return { ...write, rules: write.rules.map(named) };
    case 'put-ruleset':
      return { ...write, rules: write.rules === null ? null : write.rules.map(named) };
    case 'add-rule':
      return { ...write, rule: named(write.rule) };
    case 'patch-rule':
      return { ...write, rule: write.rule === null ? null : named(write.rule) };
    default:
      return write;
  }
}

function nameInRule(rule: JsonObject, phase: string, created: ReadonlyMap<string, string>): JsonObject {
  const { action, action_parameters: parameters } = rule;
  if (!isJsonObject(parameters) || (action !== 'execute' && action !== 'skip')) {
    return rule;
  }
  const resolve = (reference: string): string => {
    const [kind, slug] = splitReference(reference);
    if (kind !== 'custom') {
      return reference;
    }
    const inPhase = created.get(`${phase}/${slug}`);
    const anywhere = [...created].find(([key]) => key.endsWith(`/${slug}`))?.[1];
    return inPhase ?? (action === 'skip' ? anywhere : undefined) ?? reference;
  };
  const change = action === 'execute' ? resolveExecute : resolveSkip;
  return { ...rule, action_parameters: change(parameters, resolve) };
}
