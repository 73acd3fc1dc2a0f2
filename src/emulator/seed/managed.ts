import { namedId } from '../environment/ids.ts';
import type { StoredRule, StoredRuleset } from '../records/ruleset.ts';
import { VENDOR } from '../rulesets/visible.ts';
import { managedRows } from './managed-rows.ts';
import type { ManagedRow, ManagedRuleRow } from './managed-row.ts';

/** Returns the vendor's rulesets (api.md 7.1): real ids and names, and synthetic rules with ids that never change. */
export function managedRulesets(): readonly StoredRuleset[] {
  return managedRows.map(managedRuleset);
}

function managedRuleset(row: ManagedRow): StoredRuleset {
  const version = {
    version: String(row.version),
    last_updated: row.lastUpdated,
    description: row.description,
    rules: row.rules.map((rule) => managedRule(row, rule)),
  };
  return {
    id: row.id,
    owner: VENDOR,
    name: row.name,
    kind: 'managed',
    phase: row.phase,
    counter: row.version,
    versions: [version],
    ...(row.plans === undefined ? {} : { plans: row.plans }),
  };
}

// A managed rule has no expression; its version is the ruleset version in which it last changed (api.md 6.6).
function managedRule(row: ManagedRow, rule: ManagedRuleRow): StoredRule {
  const name = [row.id, rule.description];
  return {
    id: rule.id ?? namedId('managed rule', ...name),
    version: String(row.version - 1),
    last_updated: row.lastUpdated,
    definition: {
      action: rule.action,
      ...(rule.parameters === undefined ? {} : { action_parameters: rule.parameters }),
      description: rule.description,
      enabled: rule.enabled ?? true,
      ref: rule.ref ?? namedId('managed ref', ...name),
    },
    categories: rule.categories,
    ...(rule.scoreThreshold === undefined ? {} : { score_threshold: rule.scoreThreshold }),
  };
}
