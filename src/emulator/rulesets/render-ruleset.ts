import { isObject, listAt, objectAt } from '../protocol/wire-object.ts';
import type { WireObject } from '../protocol/wire-object.ts';
import type { Switches } from '../environment/switches.ts';
import { phaseRow } from './parameters/phase-rows.ts';
import { latest } from '../records/ruleset-record.ts';
import type { RulesetVersion, StoredRule, StoredRuleset } from '../records/ruleset-record.ts';
import type { Renderer } from '../call/service.ts';

/** Creates the renderer that follows the given switches. */
export function createRenderer(switches: Switches): Renderer {
  const texts = new WeakMap<RulesetVersion, string>();
  const summary = (ruleset: StoredRuleset, version: RulesetVersion) => ({
    id: ruleset.id,
    name: ruleset.name,
    description: version.description,
    // Seen in answers of four phases, but not part of the schema (api.md 3.1).
    source: phaseRow(ruleset.phase)?.source,
    kind: ruleset.kind,
    version: version.version,
    last_updated: version.last_updated,
    phase: ruleset.phase,
  });
  return {
    summary: (ruleset, version = latest(ruleset)) => summary(ruleset, version),
    full: (ruleset, version = latest(ruleset)) => {
      const known = texts.get(version);
      if (known !== undefined) {
        return known;
      }
      const rules = version.rules.map((rule) => showRule(rule, switches));
      const shown = rules.length > 0 || switches.emptyRules === 'list' ? rules : undefined;
      const text = JSON.stringify({ ...summary(ruleset, version), rules: shown });
      texts.set(version, text);
      return text;
    },
  };
}

/** Shows a rule as in answers: undefined members are left out, and so is an empty description (api.md 0.3 number 15). */
function showRule(rule: StoredRule, switches: Switches): WireObject {
  const { definition } = rule;
  const parameters = definition.action_parameters ?? (definition.action === 'execute' ? {} : undefined);
  return {
    id: rule.id,
    version: rule.version,
    action: definition.action,
    action_parameters:
      parameters === undefined ? undefined : showParameters(definition.action, parameters, switches),
    expression: definition.expression,
    categories: rule.categories,
    score_threshold: rule.score_threshold,
    description: definition.description === '' ? undefined : definition.description,
    last_updated: rule.last_updated,
    ref: definition.ref,
    enabled: definition.enabled,
    logging: definition.logging,
    ratelimit: definition.ratelimit,
    exposed_credential_check: definition.exposed_credential_check,
  };
}

function showParameters(action: string, parameters: WireObject, switches: Switches): WireObject {
  if (action === 'execute' && switches.executeVersion === 'latest') {
    return { ...parameters, version: parameters['version'] ?? 'latest' };
  }
  const cacheKey = objectAt(parameters, 'cache_key');
  const customKey = objectAt(cacheKey ?? {}, 'custom_key');
  const query = objectAt(customKey ?? {}, 'query_string');
  if (action !== 'set_cache_settings' || query === undefined || switches.queryStrings === 'sent') {
    return parameters;
  }
  const form = switches.queryStrings === 'plain' ? plainNames : schemaNames;
  const shown = Object.fromEntries(Object.entries(query).map(([key, value]) => [key, form(value)]));
  return {
    ...parameters,
    cache_key: { ...cacheKey, custom_key: { ...customKey, query_string: shown } },
  };
}

function plainNames(value: unknown): unknown {
  if (!isObject(value)) {
    return value;
  }
  return value['all'] === true ? '*' : listAt(value, 'list');
}

function schemaNames(value: unknown): unknown {
  if (value === '*' || (Array.isArray(value) && value.length === 1 && value[0] === '*')) {
    return { all: true };
  }
  return Array.isArray(value) ? { list: value } : value;
}
