import { readFirewall } from '../firewall/world.ts';
import { isObject, listAt, numberAt, objectAt, textAt } from '../protocol/json.ts';
import type { JsonObject } from '../protocol/json.ts';
import type { Zone } from '../records/directory.ts';
import type { Store } from '../store/store.ts';
import { objectsOf } from '../zone-objects/zone-object.ts';

/** A page rule that switches the managed rules on or off, and its URLs. */
export interface WafPageRule {
  /** URL patterns with `*`. */
  readonly urls: readonly string[];
  readonly waf: 'on' | 'off';
}

/** Returns the expressions of active firewall rules that bypass the managed rules, in list order (specification 3.2, 3.3). */
export function bypassExpressions(store: Store, zone: Zone): readonly string[] {
  const { rules, filters } = readFirewall(store, zone);
  const known = new Map(filters.map((filter) => [filter.id, filter]));
  return rules
    .filter((rule) => rule.action === 'bypass' && rule.products.includes('waf') && !rule.paused)
    .flatMap((rule) => {
      const filter = known.get(rule.filter);
      return filter === undefined || filter.paused ? [] : [filter.expression];
    });
}

/**
 * Returns the active page rules that disable security or switch the old WAF on or off (specification 3.2, 3.3;
 * api.md 9.7), in order of precedence: the higher priority number comes first.
 */
export function wafPageRules(store: Store, zone: Zone): readonly WafPageRule[] {
  return objectsOf(store, zone, 'page_rules')
    .map(({ body }) => body)
    .filter((body) => body['status'] === 'active')
    .toSorted((a, b) => (numberAt(b, 'priority') ?? 0) - (numberAt(a, 'priority') ?? 0))
    .flatMap((body) => {
      const waf = wafSetting(body);
      return waf === undefined ? [] : [{ urls: urlsOf(body), waf }];
    });
}

function wafSetting(body: JsonObject): 'on' | 'off' | undefined {
  const actions = listAt(body, 'actions').filter(isObject);
  const value = (id: string): unknown => actions.find((action) => action['id'] === id)?.['value'];
  if (actions.some((action) => action['id'] === 'disable_security') || value('waf') === 'off') {
    return 'off';
  }
  return value('waf') === 'on' ? 'on' : undefined;
}

function urlsOf(body: JsonObject): readonly string[] {
  return listAt(body, 'targets')
    .filter(isObject)
    .flatMap((target) => textAt(objectAt(target, 'constraint') ?? {}, 'value') ?? []);
}
