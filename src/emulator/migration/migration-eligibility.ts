import type { ServiceClock } from '../environment/service-clock.ts';
import type { Account, Zone } from '../records/directory-record.ts';
import type { Store } from '../store/store.ts';
import { wafPackages } from '../waf/waf-catalogue.ts';
import { readFirewall } from '../firewall/firewall-worlds.ts';
import { isObject, listAt, numberAt, objectAt, textAt } from '../protocol/wire-object.ts';
import type { WireObject } from '../protocol/wire-object.ts';
import { pageRules } from '../families/page-rules.ts';

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
  return store.documents
    .group(`zones/${zone.id}${pageRules.path}`)
    .map(({ value }) => value)
    .filter((body) => body['status'] === 'active')
    .toSorted((a, b) => (numberAt(b, 'priority') ?? 0) - (numberAt(a, 'priority') ?? 0))
    .flatMap((body) => {
      const waf = wafSetting(body);
      return waf === undefined ? [] : [{ urls: urlsOf(body), waf }];
    });
}

function wafSetting(body: WireObject): 'on' | 'off' | undefined {
  const actions = listAt(body, 'actions').filter(isObject);
  const value = (id: string): unknown => actions.find((action) => action['id'] === id)?.['value'];
  if (actions.some((action) => action['id'] === 'disable_security') || value('waf') === 'off') {
    return 'off';
  }
  return value('waf') === 'on' ? 'on' : undefined;
}

function urlsOf(body: WireObject): readonly string[] {
  return listAt(body, 'targets')
    .filter(isObject)
    .flatMap((target) => textAt(objectAt(target, 'constraint') ?? {}, 'value') ?? []);
}

/** The phase of the roll-out that a call asks for: two with `phase_two=1`, else one (specification 3.2). */
export type Phase = 'one' | 'two';

/** When the phases began, and from when on zones of partners can migrate (api.md 10.2). */
const DATES = {
  one: Date.parse('2022-05-04'),
  two: Date.parse('2022-09-19'),
  partners: Date.parse('2023-08-18'),
};

/** The most firewall rules that can be migrated without the vendor's support (specification 7.5, 8). */
const MAX_RULES = 200;

/** The longest expression that can be migrated without the vendor's support, in bytes: 4 KB (specification 7.5, 8). */
const MAX_EXPRESSION_LENGTH = 4096;

/** The account feature that marks the zones of partners. */
const PARTNER = 'partner';

/** What the eligibility of a zone depends on. */
export interface MigrationCandidate {
  readonly zone: Zone;
  readonly account: Account;
  readonly phase: Phase;
}

/** Reads the phase of the roll-out from a query. */
export function readPhase(query: URLSearchParams): Phase {
  return query.get('phase_two') === '1' ? 'two' : 'one';
}

/** Returns why a zone with the old WAF cannot migrate now; empty when it can (specification 3.2, 3.1 rule 4, 7.5). */
export function blockersOf(
  tools: { readonly store: Store; readonly clock: ServiceClock },
  candidate: MigrationCandidate,
): readonly string[] {
  const now = tools.clock.now();
  if (now < DATES.one) {
    return ['the update is not offered yet'];
  }
  const phase = candidate.phase === 'two' && now >= DATES.two ? 'two' : 'one';
  const early = phase === 'one' || now < DATES.partners;
  const partner = candidate.account.features.includes(PARTNER);
  return [
    ...(partner && early ? ['zones of partner accounts are not eligible yet'] : []),
    ...overrideBlockers(tools.store, candidate.zone),
    ...supportCases(tools.store, candidate.zone),
    ...(phase === 'one' ? phaseOneBlockers(tools.store, candidate.zone) : []),
  ];
}

function overrideBlockers(store: Store, zone: Zone): readonly string[] {
  const count = store.wafOverrides.group(zone.id).length;
  return count === 0
    ? []
    : [`${count} URI-based WAF ${count === 1 ? 'override has' : 'overrides have'} to be deleted first`];
}

function supportCases(store: Store, zone: Zone): readonly string[] {
  const expressions = bypassExpressions(store, zone);
  const long = expressions.filter((text) => Buffer.byteLength(text) > MAX_EXPRESSION_LENGTH);
  return [
    ...(expressions.length > MAX_RULES
      ? [`${expressions.length} firewall rules to migrate are more than ${MAX_RULES}: contact the support`]
      : []),
    ...(long.length > 0 ? ['a firewall rule expression is longer than 4 KB: contact the support'] : []),
  ];
}

function phaseOneBlockers(store: Store, zone: Zone): readonly string[] {
  const waf = store.oldWafs.get(zone.id);
  const core = wafPackages.find(({ row }) => row.detection === 'anomaly')?.id ?? '';
  const coreRuns = waf?.enabled !== false && waf?.packages[core]?.sensitivity !== 'off';
  return [
    ...(coreRuns ? ['the core ruleset is enabled'] : []),
    ...(bypassExpressions(store, zone).length > 0 ? ['firewall rules bypass the managed rules'] : []),
    ...(wafPageRules(store, zone).length > 0
      ? ['page rules disable security or switch the WAF on or off']
      : []),
  ];
}
