import type { JsonObject } from '../protocol/json.ts';
import type { Zone } from '../records/directory.ts';
import type { Store } from '../store/store.ts';
import { untouchedWaf } from '../waf/old-waf.ts';
import { bypassExpressions, wafPageRules } from './carried.ts';
import { CORE_RULESET, coreOverrides } from './core-ruleset.ts';
import { coverage, pageRuleExceptions } from './exceptions.ts';
import type { Coverage } from './exceptions.ts';
import { MANAGED_RULESET, managedOverrides } from './managed-overrides.ts';

/**
 * Returns the entry point that does what the zone's old WAF does, as far as that can be expressed (specification 3.3,
 * api.md 10.3): exceptions first, then the managed ruleset, then the core ruleset.
 */
export function equivalentConfiguration(store: Store, zone: Zone): JsonObject {
  const waf = store.oldWafs.get(zone.id) ?? untouchedWaf(zone.id);
  const pageRules = wafPageRules(store, zone);
  const where = coverage(waf, pageRules);
  const managed = managedOverrides(store, waf);
  const core = coreOverrides(waf);
  return {
    name: 'default',
    rules: [
      ...[...bypassExpressions(store, zone), ...pageRuleExceptions(pageRules)].map(skipRule),
      executeRule(MANAGED_RULESET, where, managed.length === 0 ? undefined : { rules: managed }),
      ...(core === undefined ? [] : [executeRule(CORE_RULESET, where, core)]),
    ],
  };
}

// Every generated rule has empty strings as id, version, description and ref (api.md 10.1).
const UNNAMED = { id: '', version: '', description: '', ref: '' };

function skipRule(expression: string): JsonObject {
  return {
    ...UNNAMED,
    action: 'skip',
    expression,
    enabled: true,
    action_parameters: { ruleset: 'current' },
  };
}

function executeRule(id: string, { enabled, expression }: Coverage, overrides?: JsonObject): JsonObject {
  return {
    ...UNNAMED,
    action: 'execute',
    expression,
    enabled,
    action_parameters: { id, ...(overrides === undefined ? {} : { overrides }) },
  };
}
