import type { AnalyticsLimits, GroupCounts } from '../../api/index.ts';
import { isJsonObject } from '../../data/index.ts';
import type { WholeScope } from '../../live/index.ts';
import {
  actionKind,
  descriptionBeside,
  executedReference,
  phaseFacts,
  shownText,
} from '../../model/index.ts';
import type { LiveRule, LiveRuleset, RuleUsage, ScopeRef } from '../../model/index.ts';
import { ruleName } from '../../simulate/index.ts';

/** A zone with its rules, those of its account, and the events that they left. */
export interface AskedZone {
  readonly kind: 'asked';
  readonly name: string;
  /** In milliseconds since 1970; null where no events can be asked for. */
  readonly period: { readonly from: number; readonly to: number } | null;
  readonly limits: AnalyticsLimits;
  readonly rules: WholeScope;
  /** The rules of its account, where the credentials may read them. */
  readonly above: WholeScope | undefined;
  readonly events: GroupCounts;
}

/** Says of each rule of zones and their accounts whether it left events; a rule of an account once, by the events of all its zones that were asked. */
export function ruleUsages(zones: readonly AskedZone[]): readonly RuleUsage[] {
  const accounts = new Map(
    zones.flatMap(({ above }) => (above === undefined ? [] : [[above.scope.id, above] as const])),
  );
  return [
    ...[...accounts.values()].flatMap((above) => {
      const own = zones.filter((zone) => zone.above?.scope.id === above.scope.id);
      return usagesIn(above, own, 'account');
    }),
    ...zones.flatMap((zone) => usagesIn(zone.rules, [zone], 'zone')),
  ];
}

function usagesIn(
  { scope, rulesets }: WholeScope,
  zones: readonly AskedZone[],
  level: ScopeRef['kind'],
): readonly RuleUsage[] {
  return rulesets.flatMap((ruleset) =>
    ruleset.rules.map((rule, index): RuleUsage => {
      const ref = ruleName(rule, index);
      const told = {
        scope: { kind: scope.kind, name: scope.name },
        phase: ruleset.phase,
        ruleset: ruleset.kind === 'custom' ? ruleset.name : null,
        ref,
        ...descriptionBeside(ref, shownText(rule.content.description)),
        action: rule.content.action,
      };
      const events = zones.reduce((sum, zone) => sum + (zone.events.counts.get(rule.id) ?? 0), 0);
      const reason = events > 0 ? null : unmeasured(rule, ruleset, { zones, level });
      return reason === null
        ? {
            ...told,
            status: events > 0 ? 'matched' : 'no_event',
            events,
            reason,
            changed: changedIn(ruleset, zones),
          }
        : { ...told, status: 'not_measurable', events: null, reason, changed: null };
    }),
  );
}

/** Returns why nothing follows from a rule having left no event; null if it does. */
function unmeasured(
  { content }: LiveRule,
  { phase }: LiveRuleset,
  { zones, level }: { readonly zones: readonly AskedZone[]; readonly level: ScopeRef['kind'] },
): string | null {
  const logging = content['logging'];
  if (!content.enabled) {
    return 'it is disabled';
  }
  if (phaseFacts(phase)?.securitySources === undefined) {
    return 'rules of its phase leave no security events';
  }
  if (executedReference(content) !== undefined) {
    return 'the rules that it executes leave the events';
  }
  if (actionKind(content.action) === 'skip' && isJsonObject(logging) && logging['enabled'] === false) {
    return 'its logging is off';
  }
  if (zones.some(({ limits }) => limits.kind === 'off')) {
    return 'the plan of the zone has no security events to ask for';
  }
  if (zones.some(({ events }) => events.isCut)) {
    return 'the answer had no room for rules with few events';
  }
  return level === 'account' ? 'it may act in zones that were not asked' : null;
}

function changedIn({ lastUpdated }: LiveRuleset, zones: readonly AskedZone[]): string | null {
  const changed = Date.parse(lastUpdated);
  const from = Math.min(...zones.map(({ period }) => period?.from ?? Infinity));
  return changed > from ? lastUpdated : null;
}
