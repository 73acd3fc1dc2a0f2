import type { JsonObject } from '../protocol/json.ts';
import { latest } from '../records/ruleset.ts';
import type { Store } from '../store/store.ts';
import type { DenyMode } from '../waf/catalogue-rows.ts';
import { wafPackages } from '../waf/catalogue.ts';
import type { WafRule } from '../waf/catalogue.ts';
import { groupMode, ruleMode } from '../waf/old-waf.ts';
import type { OldWaf } from '../records/old-waf.ts';

/** The vendor's managed ruleset (api.md 7.1). */
export const MANAGED_RULESET = 'efb7b8c949ac4650a09736fc376e9aee';

/** The new name of each old action: `Simulate` becomes `Log` (specification 3.3). */
export const ACTIONS: Readonly<Record<Exclude<DenyMode, 'default' | 'disable'>, string>> = {
  simulate: 'log',
  block: 'block',
  challenge: 'challenge',
};

/**
 * Returns the overrides of the managed ruleset that take over the settings of the old package (api.md 10.3): for rules
 * whose mode is not the default, and for all rules of groups that are off. Rules that allow have no counterpart.
 */
export function managedOverrides(store: Store, waf: OldWaf): readonly JsonObject[] {
  const ruleset = store.rulesets.get(MANAGED_RULESET);
  const successors = new Map(
    (ruleset === undefined ? [] : latest(ruleset).rules).map((rule) => [
      rule.definition.description,
      rule.id,
    ]),
  );
  return wafPackages
    .filter(({ row }) => row.detection === 'traditional')
    .flatMap(({ rules }) => rules)
    .flatMap((rule) => {
      const id = successors.get(rule.row.description);
      const override = overrideOf(waf, rule);
      return id === undefined || override === undefined ? [] : [{ id, ...override }];
    });
}

function overrideOf(waf: OldWaf, rule: WafRule): JsonObject | undefined {
  if (rule.row.kind !== 'deny') {
    return undefined;
  }
  if (groupMode(waf, rule.group) === 'off') {
    return { enabled: false };
  }
  const mode = ruleMode(waf, rule);
  if (mode === 'disable') {
    const { standard } = rule.row;
    return { ...(standard === 'disable' ? {} : { action: ACTIONS[standard] }), enabled: false };
  }
  return mode === 'simulate' || mode === 'block' || mode === 'challenge'
    ? { action: ACTIONS[mode], enabled: true }
    : undefined;
}
