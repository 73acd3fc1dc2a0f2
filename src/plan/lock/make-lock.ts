import type { JsonObject } from '../../model/json.ts';
import { ruleName } from '../../model/described-name.ts';
import type { RuleName } from '../../model/described-name.ts';
import type { LiveRule } from '../../model/rule.ts';
import { OVERRIDE_MEMBERS, readOverrides } from '../../model/overrides.ts';
import { textOf } from '../overrides/override-effect.ts';
import type { LiveRuleset, LiveRulesetHead } from '../../model/ruleset.ts';
import type { Cause } from '../../model/source.ts';
import type { DesiredScope, LiveScope } from '../../model/state.ts';
import { deploymentOf } from '../overrides/explain-overrides.ts';
import { stepId } from '../../model/step-id.ts';
import { resolveTargets } from '../names/resolve-targets.ts';
import type { LockedRuleset, ManagedLock } from '../../model/managed-lock.ts';

/** A part of overrides that applies to managed rules: the whole ruleset, a category, or rules by id. */
export interface Selector {
  /** Name of the selector in the lock. */
  readonly key: string;
  /** What the override does, for people: `action log`. */
  readonly does: string;
  /** The rule ids that the selector names; null when it also applies to future rules. */
  readonly ids: ReadonlySet<string> | null;
  readonly meets: (rule: LiveRule) => boolean;
}

/** Returns the selectors of overrides: the whole ruleset first, then categories by name, then rules. */
export function selectorsOf(overrides: JsonObject): readonly Selector[] {
  const { ruleset, categories, rules } = readOverrides(overrides);
  const whole = membersText(ruleset);
  const ids = new Set(rules.keys());
  return [
    ...(whole === '' ? [] : [{ key: 'ruleset', does: whole, ids: null, meets: () => true }]),
    ...[...categories]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([tag, { values }]): Selector => ({
        key: `category ${tag}`,
        does: membersText(values),
        ids: null,
        meets: ({ categories: tags = [] }) => tags.includes(tag),
      })),
    ...(ids.size === 0 ? [] : [{ key: 'rules', does: '', ids, meets: ({ id }: LiveRule) => ids.has(id) }]),
  ];
}

function membersText(values: JsonObject): string {
  return OVERRIDE_MEMBERS.flatMap((member) => {
    const value = values[member];
    return value === undefined ? [] : [`${member} ${textOf(value)}`];
  }).join(', ');
}

/** A declared rule that executes a managed ruleset with overrides. */
export interface Deployment extends RuleName {
  readonly step: string;
  readonly cause: Cause;
  readonly managed: LiveRulesetHead;
  readonly selectors: readonly Selector[];
}

/** Returns the deployments with overrides that the files of a scope declare, changed or not. */
export function deploymentsOf(
  desired: DesiredScope,
  { scope, catalogue }: Pick<LiveScope, 'scope' | 'catalogue'>,
): readonly Deployment[] {
  return desired.rulesets.flatMap(({ address, rules }) =>
    rules.flatMap(({ ref = '', content, cause }): readonly Deployment[] => {
      const resolved = resolveTargets(content, address.phase, { catalogue, created: [] }).content;
      const deployment = deploymentOf(resolved);
      const managed = catalogue.find(({ kind, id }) => kind === 'managed' && id === deployment?.id);
      if (deployment === null || managed === undefined) {
        return [];
      }
      const selectors = selectorsOf(deployment.overrides);
      return selectors.length === 0
        ? []
        : [
            {
              step: stepId(scope, address),
              ...ruleName(ref, content.description),
              cause,
              managed,
              selectors,
            },
          ];
    }),
  );
}

/** Makes the lock of all deployments of a project; sorted, so that the same service and files give the same lock. */
export function makeLock(
  deployments: readonly Deployment[],
  managed: ReadonlyMap<string, LiveRuleset>,
): ManagedLock {
  const rulesets = [...managed.values()].map((ruleset) =>
    lockRuleset(
      ruleset,
      deployments.filter((one) => one.managed.id === ruleset.id),
    ),
  );
  return { rulesets: rulesets.sort((a, b) => (a.id < b.id ? -1 : 1)) };
}

function lockRuleset(
  { id, name, version, rules }: LiveRuleset,
  deployments: readonly Deployment[],
): LockedRuleset {
  const meets = new Map<string, Set<string>>();
  for (const { key, meets: meetsRule } of deployments.flatMap(({ selectors }) => selectors)) {
    const met = meets.get(key) ?? new Set();
    meets.set(key, met);
    for (const rule of rules.filter((one) => meetsRule(one))) {
      met.add(rule.id);
    }
  }
  const sorted = [...meets]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, ids]) => [key, [...ids].sort()] as const);
  return { id, name, version, meets: new Map(sorted) };
}
