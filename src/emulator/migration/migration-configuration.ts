import type { WireObject } from '../protocol/wire-object.ts';
import type { Zone } from '../records/directory-record.ts';
import type { Store } from '../store/store.ts';
import { untouchedWaf, groupMode, ruleMode } from '../waf/old-waf-view.ts';
import { wafPackages } from '../waf/waf-catalogue.ts';
import type { OldWaf, Sensitivity } from '../records/old-records.ts';
import { latest } from '../records/ruleset-record.ts';
import type { DenyMode, WafRule } from '../waf/waf-catalogue.ts';
import { bypassExpressions, wafPageRules } from './migration-eligibility.ts';
import type { WafPageRule } from './migration-eligibility.ts';

/** The vendor's managed ruleset (api.md 7.1). */
const MANAGED_RULESET = 'efb7b8c949ac4650a09736fc376e9aee';

/** The new name of each old action: `Simulate` becomes `Log` (specification 3.3). */
const ACTIONS: Readonly<Record<Exclude<DenyMode, 'default' | 'disable'>, string>> = {
  simulate: 'log',
  block: 'block',
  challenge: 'challenge',
};

/**
 * Returns the overrides of the managed ruleset that take over the settings of the old package (api.md 10.3): for rules
 * whose mode is not the default, and for all rules of groups that are off. Rules that allow have no counterpart.
 */
function managedOverrides(store: Store, waf: OldWaf): readonly WireObject[] {
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

function overrideOf(waf: OldWaf, rule: WafRule): WireObject | undefined {
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

/** The core ruleset, and its last rule, which acts on the score (api.md 7.1, 7.2). */
const CORE_RULESET = '4814384a9e5d4991b9815dcfc25d2f1f';
const SCORE_RULE = '6179ae15870a4bb7b2d480d4843b323c';

const HIGHEST_LEVEL = 4;

/** The paranoia level and score threshold for each old sensitivity (specification 3.3; `default`: never set). */
const SENSITIVITIES: Readonly<
  Record<Exclude<Sensitivity, 'off'> | 'default', { readonly level: 1 | 2; readonly threshold: 25 | 40 }>
> = {
  high: { level: 2, threshold: 40 },
  medium: { level: 1, threshold: 25 },
  low: { level: 1, threshold: 40 },
  default: { level: 2, threshold: 40 },
};

/**
 * Returns the overrides of the core ruleset that take over the settings of the old package: paranoia level, score
 * threshold and action (specification 3.3, api.md 10.3). The package's groups and rules are not migrated. Undefined
 * when the package is off.
 */
function coreOverrides(waf: OldWaf): WireObject | undefined {
  const core = wafPackages.find(({ row }) => row.detection === 'anomaly');
  const { sensitivity = 'default', action_mode = 'challenge' } = waf.packages[core?.id ?? ''] ?? {};
  if (sensitivity === 'off') {
    return undefined;
  }
  const { level, threshold } = SENSITIVITIES[sensitivity];
  const disabled = Array.from({ length: HIGHEST_LEVEL - level }, (_, index) => level + 1 + index);
  return {
    categories: disabled.map((each) => ({ category: `paranoia-level-${each}`, enabled: false })),
    rules: [{ id: SCORE_RULE, action: ACTIONS[action_mode], score_threshold: threshold }],
  };
}

/**
 * Returns the entry point that does what the zone's old WAF does, as far as that can be expressed (specification 3.3,
 * api.md 10.3): exceptions first, then the managed ruleset, then the core ruleset.
 */
export function equivalentConfiguration(store: Store, zone: Zone): WireObject {
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

function skipRule(expression: string): WireObject {
  return {
    ...UNNAMED,
    action: 'skip',
    expression,
    enabled: true,
    action_parameters: { ruleset: 'current' },
  };
}

function executeRule(id: string, { enabled, expression }: Coverage, overrides?: WireObject): WireObject {
  return {
    ...UNNAMED,
    action: 'execute',
    expression,
    enabled,
    action_parameters: { id, ...(overrides === undefined ? {} : { overrides }) },
  };
}

/** Where the managed rules run: everywhere, nowhere, or for requests that an expression describes. */
interface Coverage {
  readonly enabled: boolean;
  readonly expression: string;
}

/**
 * Returns the expressions of the skip rules that replace page rules which switch the old WAF off: the URLs of the page
 * rule, except where a page rule with precedence switches it on (api.md 10.3; the form is assumed).
 */
function pageRuleExceptions(pageRules: readonly WafPageRule[]): readonly string[] {
  return pageRules.flatMap((rule, index) =>
    rule.waf === 'off' ? [without(matching(rule.urls), winners(pageRules, index, 'on'))] : [],
  );
}

/**
 * Returns where the managed rules run after the migration: everywhere, unless the old WAF as a whole is off; then only
 * where page rules switch it on, or nowhere if none does (api.md 10.3; the form is assumed).
 */
function coverage({ enabled }: Pick<Coverage, 'enabled'>, pageRules: readonly WafPageRule[]): Coverage {
  const exceptions = pageRules.flatMap((rule, index) =>
    rule.waf === 'on' ? [without(matching(rule.urls), winners(pageRules, index, 'off'))] : [],
  );
  return enabled || exceptions.length === 0
    ? { enabled, expression: 'true' }
    : { enabled: true, expression: anyOf(exceptions) };
}

function winners(pageRules: readonly WafPageRule[], index: number, waf: 'on' | 'off'): readonly string[] {
  return pageRules
    .slice(0, index)
    .filter((rule) => rule.waf === waf)
    .map((rule) => matching(rule.urls));
}

function without(expression: string, others: readonly string[]): string {
  return others.length === 0 ? expression : `${expression} and not ${anyOf(others)}`;
}

function matching(urls: readonly string[]): string {
  return anyOf(urls.map((url) => `(http.request.full_uri wildcard ${quoted(fullPattern(url))})`));
}

function anyOf(expressions: readonly string[]): string {
  return expressions.length === 1 ? (expressions[0] ?? '') : `(${expressions.join(' or ')})`;
}

/** Completes the URL pattern of a page rule, which may leave out the scheme and the path. */
function fullPattern(url: string): string {
  const withScheme = /^[a-z*]+:\/\//iu.test(url) ? url : `http*://${url}`;
  return /^[^/]*\/\/[^/]*$/u.test(withScheme) && !withScheme.endsWith('*') ? `${withScheme}/` : withScheme;
}

function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
